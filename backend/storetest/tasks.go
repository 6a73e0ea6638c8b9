package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"benchtop/backend/tasks"
)

// Tasks come back as they were stored, to their caller alone, in pages that
// neither repeat nor lose one; only the newest are kept, and what was under way
// when the platform ended has failed.
func testTasks(t *testing.T, s Stores) {
	now := epoch
	open := func() *tasks.Tasks {
		ts, err := tasks.New(ctx, tasks.Config{Store: s.Tasks, Now: func() time.Time { return now }})
		must(t, err)
		return ts
	}
	ts := open()
	made := func(id, caller, context string, state tasks.State) tasks.Task {
		now = now.Add(time.Microsecond)
		return tasks.Task{
			ID: id, AgentID: "a", ContextID: context, Caller: caller, State: state, CreatedAt: epoch, UpdatedAt: ts.Time(),
			Body: tasks.Body{
				History:   []tasks.Message{{ID: "m", Role: tasks.RoleUser, Parts: []tasks.Part{tasks.TextPart("hü"), {Data: json.RawMessage(`{"a":1}`)}}}},
				Artifacts: []tasks.Artifact{{ID: "r", Name: "response", Parts: []tasks.Part{tasks.TextPart("")}}},
				Metadata:  json.RawMessage(`{"k":[1]}`),
			},
		}
	}
	first := made("t0", "ada", "c1", tasks.Completed)
	must(t, ts.Put(ctx, first))
	must(t, ts.Put(ctx, made("t1", "ada", "c1", tasks.Working)))
	must(t, ts.Put(ctx, made("t2", "eve", "c1", tasks.Completed)))
	must(t, ts.Put(ctx, made("t3", "ada", "c2", tasks.Canceled)))
	s = s.Reopen(t)
	now = now.Add(time.Second)
	ts = open()

	got, err := ts.Get(ctx, "a", "ada", "t0")
	must(t, err)
	if !reflect.DeepEqual(got, first) {
		t.Errorf("stored %+v, got %+v", first, got)
	}
	if got, err = ts.Get(ctx, "a", "ada", "t1"); err != nil || got.State != tasks.Failed || got.Status == nil || !got.UpdatedAt.Equal(now) {
		t.Errorf("interrupted: %+v, %v", got, err)
	}
	for _, at := range [][3]string{{"a", "eve", "t0"}, {"a", "", "t0"}, {"b", "ada", "t0"}, {"a", "ada", "t9"}} {
		if _, err := ts.Get(ctx, at[0], at[1], at[2]); !errors.Is(err, tasks.ErrNotFound) {
			t.Errorf("%q: %v", at, err)
		}
	}
	for _, row := range []struct {
		q    tasks.Query
		want []string
	}{
		{tasks.Query{}, []string{"t1", "t3", "t0"}},
		{tasks.Query{ContextID: "c1"}, []string{"t1", "t0"}},
		{tasks.Query{State: tasks.Canceled}, []string{"t3"}},
		{tasks.Query{From: now}, []string{"t1"}},
		{tasks.Query{ContextID: "c9"}, nil},
	} {
		row.q.AgentID, row.q.Caller, row.q.Limit = "a", "ada", 1
		var ids []string
		for token := ""; ; {
			page, total, next, err := ts.List(ctx, row.q, token)
			must(t, err)
			if total != len(row.want) {
				t.Errorf("%+v: %d in all", row.q, total)
			}
			for _, task := range page {
				ids = append(ids, task.ID)
			}
			if token = next; token == "" {
				break
			}
		}
		if !reflect.DeepEqual(ids, row.want) {
			t.Errorf("%+v: %v, want %v", row.q, ids, row.want)
		}
	}
	if _, _, _, err := ts.List(ctx, tasks.Query{AgentID: "a", Caller: "ada"}, "!"); !errors.Is(err, tasks.ErrPage) {
		t.Errorf("a token that is none: %v", err)
	}

	for i := range 5 {
		must(t, s.Tasks.PutTask(ctx, made(fmt.Sprint("n", i), "ada", "c", tasks.Completed), 3))
	}
	must(t, s.Tasks.PutTask(ctx, made("n5", "ada", "c", tasks.Working), 3))
	must(t, s.Tasks.PutTask(ctx, made("n6", "ada", "c", tasks.Completed), 1))
	page, _, err := s.Tasks.ListTasks(ctx, tasks.Query{AgentID: "a", Caller: "ada", Limit: 10})
	must(t, err)
	if len(page) != 2 || page[0].ID != "n6" || page[1].ID != "n5" {
		t.Errorf("kept %+v", page)
	}
	must(t, s.Agents.DeleteAgent(ctx, "a"))
	if page, total, err := s.Tasks.ListTasks(ctx, tasks.Query{AgentID: "a", Caller: "ada", Limit: 10}); len(page) != 0 || total != 0 || err != nil {
		t.Errorf("after the agent: %+v, %d, %v", page, total, err)
	}
}
