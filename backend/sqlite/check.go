package sqlite

import "context"

// Check looks through the whole database and gives what is wrong with it, one
// line each; nothing for a sound one. It reads everything: not for the path of
// a request.
func (db *DB) Check(ctx context.Context) (damage []string, err error) {
	err = db.read(ctx, func(c *conn) error {
		if err := c.query(func(r *row) error {
			if line := r.str(); line != "ok" {
				damage = append(damage, line)
			}
			return nil
		}, "PRAGMA integrity_check"); err != nil {
			return err
		}
		return c.query(func(r *row) error {
			damage = append(damage, "a row of "+r.str()+" refers to one that is not there")
			return nil
		}, "PRAGMA foreign_key_check")
	})
	return damage, err
}
