package storetest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/drafts"
)

func draftBase(text string) contract.DraftBase {
	sum := sha256.Sum256([]byte(text))
	return contract.DraftBase{Text: text, SHA256: hex.EncodeToString(sum[:])}
}

// A draft comes back as it was typed, over a restart too, with the version that
// it was begun from; the last one of a file counts, and other agents have none
// of it.
func testDrafts(t *testing.T, s Stores) {
	now := epoch
	open := func() *drafts.Drafts {
		return drafts.New(drafts.Config{Store: s.Drafts, Now: func() time.Time { return now }})
	}
	at, err := open().Put(ctx, "a", "greet", "source", contract.DraftRequest{Text: "one", Base: draftBase("zero")})
	must(t, err)
	if !at.Equal(now) {
		t.Errorf("kept at %v", at)
	}
	now = now.Add(time.Minute)
	_, err = open().Put(ctx, "a", "greet", "source", contract.DraftRequest{Text: "twö\x00\n", Base: draftBase("zero")})
	must(t, err)
	_, err = open().Put(ctx, "a", "endpoints/live.js", "source", contract.DraftRequest{Text: "new"})
	must(t, err)
	_, err = open().Put(ctx, "b", "greet", "source", contract.DraftRequest{Text: "another's", Base: draftBase("")})
	must(t, err)

	s = s.Reopen(t)
	want := []contract.Draft{
		{Name: "endpoints/live.js", File: "source", Text: "new", UpdatedAt: now},
		{Name: "greet", File: "source", Text: "twö\x00\n", Base: draftBase("zero"), UpdatedAt: now},
	}
	got, err := open().List(ctx, "a")
	must(t, err)
	if !reflect.DeepEqual(got.Drafts, want) {
		t.Errorf("got %+v, want %+v", got.Drafts, want)
	}
	must(t, open().Drop(ctx, "a", "greet", "source"))
	must(t, open().Drop(ctx, "a", "greet", "source")) // again is no error
	if got, err = open().List(ctx, "a"); err != nil || len(got.Drafts) != 1 {
		t.Errorf("left %+v, %v", got, err)
	}

	// An agent that goes takes its drafts along, and nobody else's.
	must(t, s.Agents.InsertAgent(ctx, agents.Agent{ID: "a", Username: "ann", CreatedAt: epoch}))
	must(t, s.Agents.DeleteAgent(ctx, "a"))
	if got, err = open().List(ctx, "a"); err != nil || got.Drafts == nil || len(got.Drafts) != 0 {
		t.Errorf("of a deleted agent: %+v, %v", got, err)
	}
	if got, err = open().List(ctx, "b"); err != nil || len(got.Drafts) != 1 {
		t.Errorf("of another agent: %+v, %v", got, err)
	}
}

// What is too long, too much or no version is refused and leaves what was kept.
func testDraftsRefused(t *testing.T, s Stores) {
	d := drafts.New(drafts.Config{Store: s.Drafts, Now: func() time.Time { return epoch }})
	put := func(name, file, text string, base contract.DraftBase) error {
		_, err := d.Put(ctx, "a", name, file, contract.DraftRequest{Text: text, Base: base})
		return err
	}
	long := strings.Repeat("x", contract.MaxDraftBytes)
	must(t, put("greet", "source", long, draftBase(long)))
	for _, row := range []struct {
		name, file, text string
		base             contract.DraftBase
		code             contract.Code
	}{
		{"", "source", "x", contract.DraftBase{}, contract.InvalidRequest},
		{"greet", "", "x", contract.DraftBase{}, contract.InvalidRequest},
		{"gr\neet", "source", "x", contract.DraftBase{}, contract.InvalidRequest},
		{"\xff", "source", "x", contract.DraftBase{}, contract.InvalidRequest},
		{strings.Repeat("n", 201), "source", "x", contract.DraftBase{}, contract.InvalidRequest},
		{"greet", "source", long + "x", contract.DraftBase{}, contract.BodyTooLarge},
		{"greet", "source", "x", draftBase(long + "x"), contract.BodyTooLarge},
		{"greet", "source", "x", contract.DraftBase{Text: "a", SHA256: draftBase("b").SHA256}, contract.InvalidRequest},
		{"greet", "source", "x", contract.DraftBase{Text: "a"}, contract.InvalidRequest},
		{"greet", "source", "x", contract.DraftBase{SHA256: "ab"}, contract.InvalidRequest},
	} {
		wantCode(t, put(row.name, row.file, row.text, row.base), row.code)
	}
	list, err := d.List(ctx, "a")
	must(t, err)
	if len(list.Drafts) != 1 || list.Drafts[0].Text != long {
		t.Errorf("a refused text changed what was kept: %d drafts", len(list.Drafts))
	}

	few := drafts.Limits{Count: 2, Bytes: 2 * len(long)}
	store := func(name, text string) error {
		return s.Drafts.PutDraft(ctx, "c", contract.Draft{Name: name, File: "source", Text: text, UpdatedAt: epoch}, few)
	}
	must(t, store("n0", "x"))
	must(t, store("n1", "y"))
	if err := store("n2", "z"); !errors.Is(err, drafts.ErrFull) {
		t.Errorf("a third of two: %v", err)
	}
	must(t, store("n1", long+long[:len(long)-1])) // its own old text does not count
	if err := store("n0", "xx"); !errors.Is(err, drafts.ErrFull) {
		t.Errorf("a byte too many: %v", err)
	}
	for i := range contract.MaxDrafts - 1 {
		must(t, put(fmt.Sprint("n", i), "source", "x", contract.DraftBase{}))
	}
	wantCode(t, put("more", "source", "x", contract.DraftBase{}), contract.BodyTooLarge)
}
