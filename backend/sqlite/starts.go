package sqlite

import (
	"time"

	"benchtop/backend/contract"
)

// linger is how long a started row waits for its end before it is written as
// running. Most invocations end sooner and cost one INSERT.
const linger = 2 * time.Millisecond

// starts holds rows whose running state is not written yet. The writer's lock
// guards it.
type starts struct {
	rows  map[string]contract.InvocationRow
	order []start // by due time
	timer *time.Timer
}

type start struct {
	id  string
	due time.Time
}

func (s *starts) init(wake func()) {
	s.rows = map[string]contract.InvocationRow{}
	s.timer = time.AfterFunc(time.Hour, wake)
	s.timer.Stop()
}

func (s *starts) add(row contract.InvocationRow, now time.Time) {
	s.rows[row.ID] = row
	s.order = append(s.order, start{row.ID, now.Add(linger)})
	if len(s.order) == 1 {
		s.timer.Reset(linger)
	}
}

// drop forgets a row that has ended: its end says it all.
func (s *starts) drop(id string) { delete(s.rows, id) }

// due takes the rows that waited long enough, or all of them.
func (s *starts) due(now time.Time, all bool) (rows []contract.InvocationRow) {
	n := 0
	for ; n < len(s.order) && (all || !s.order[n].due.After(now)); n++ {
		if row, ok := s.rows[s.order[n].id]; ok {
			rows = append(rows, row)
			delete(s.rows, row.ID)
		}
	}
	if n > 0 {
		s.order = append(s.order[:0], s.order[n:]...)
		if len(s.order) > 0 {
			s.timer.Reset(s.order[0].due.Sub(now))
		}
	}
	return rows
}

// overdue reports whether rows wait longer than they should.
func (s *starts) overdue(now time.Time) bool {
	return len(s.order) > 0 && !s.order[0].due.After(now)
}
