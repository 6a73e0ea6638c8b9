package sqlite_test

import (
	"path/filepath"
	"testing"

	"benchtop/backend/sqlite"
	"benchtop/backend/storetest"
)

func TestStores(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Stores {
		path := filepath.Join(t.TempDir(), "benchtop ?#%.db")
		return stores(path, openAt(t, path))
	})
}

func stores(path string, db *sqlite.DB) storetest.Stores {
	return storetest.Stores{
		Agents: db, Functions: db, Secrets: db, KV: db, Content: db, History: db, Claims: db, Sessions: db, Settings: db, Projects: db, Consumers: db, Schedules: db, Inbox: db, Payments: db, Tasks: db, Drafts: db,
		Reopen: func(t *testing.T) storetest.Stores {
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			return stores(path, openAt(t, path))
		},
	}
}
