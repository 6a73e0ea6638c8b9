package sqlite

import (
	"errors"

	engine "modernc.org/sqlite"
	code "modernc.org/sqlite/lib"

	"benchtop/backend/contract"
)

func errClosed() error {
	return contract.Errorf(contract.StorageUnavailable, "the database is closed: the platform is stopping")
}

// outcome turns a failure of the machine under the database (disk full, locked,
// damaged, gone) into a STORAGE_UNAVAILABLE that says what to do. Any other
// error passes as it is.
func outcome(err error) error {
	if err == nil || contract.AsError(err) != nil {
		return err
	}
	var e *engine.Error
	if !errors.As(err, &e) {
		return err
	}
	advice := ""
	switch e.Code() & 0xff {
	case code.SQLITE_FULL:
		advice = "the disk is full: free some space and try again"
	case code.SQLITE_BUSY, code.SQLITE_LOCKED:
		advice = "another program holds the database: close it and try again"
	case code.SQLITE_READONLY, code.SQLITE_PERM, code.SQLITE_CANTOPEN, code.SQLITE_AUTH:
		advice = "the database cannot be written: check the permissions of the data directory"
	case code.SQLITE_IOERR:
		advice = "reading or writing the disk failed: check the disk of the data directory"
	case code.SQLITE_CORRUPT, code.SQLITE_NOTADB:
		advice = "the database file is damaged: stop the platform and restore a backup of it"
	case code.SQLITE_NOMEM:
		advice = "there is not enough memory"
	default:
		return err
	}
	return contract.Errorf(contract.StorageUnavailable, "%s (%v)", advice, err)
}

// isUnique reports whether err says that a unique column has that value already.
func isUnique(err error) bool {
	var e *engine.Error
	return errors.As(err, &e) &&
		(e.Code() == code.SQLITE_CONSTRAINT_UNIQUE || e.Code() == code.SQLITE_CONSTRAINT_PRIMARYKEY)
}
