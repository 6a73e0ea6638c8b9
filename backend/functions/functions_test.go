package functions_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"benchtop/backend/functions"
)

// memory is a Store that can be told to fail.
type memory struct {
	versions map[string][]functions.Function
	removed  map[string]bool
	fail     error
}

func newMemory() *memory {
	return &memory{versions: map[string][]functions.Function{}, removed: map[string]bool{}}
}

func (m *memory) CurrentFunctions(context.Context) (all []functions.Function, err error) {
	for key, vs := range m.versions {
		if !m.removed[key] {
			all = append(all, vs[len(vs)-1])
		}
	}
	return all, m.fail
}

func (m *memory) PutFunction(_ context.Context, f functions.Function) error {
	if m.fail == nil {
		key := f.AgentID + "/" + f.Name
		m.versions[key], m.removed[key] = append(m.versions[key], f), false
	}
	return m.fail
}

func (m *memory) RemoveFunction(_ context.Context, agentID, name string) (bool, error) {
	if m.fail == nil {
		m.removed[agentID+"/"+name] = true
	}
	return m.fail == nil, m.fail
}

func (m *memory) FunctionVersion(_ context.Context, agentID, name string, v int) (*functions.Function, error) {
	vs := m.versions[agentID+"/"+name]
	if v < 1 || v > len(vs) {
		return nil, m.fail
	}
	return &vs[v-1], m.fail
}

func (m *memory) FunctionVersions(context.Context, string, string) ([]functions.VersionInfo, error) {
	return nil, errors.New("not asked for here")
}

func (m *memory) FunctionByContent(context.Context, string, string) (*functions.Function, error) {
	return nil, errors.New("not asked for here")
}

func (m *memory) LastVersion(_ context.Context, agentID, name string) (int, error) {
	return len(m.versions[agentID+"/"+name]), m.fail
}

var ctx = context.Background()

func load(tb testing.TB, m *memory) *functions.Functions {
	tb.Helper()
	fs, err := functions.New(ctx, functions.Config{Store: m})
	if err != nil {
		tb.Fatal(err)
	}
	return fs
}

// What could not be stored does not serve, and what serves goes on.
func TestFunctionsWhenStorageFails(t *testing.T) {
	m := newMemory()
	fs := load(t, m)
	good, err := fs.Put(ctx, functions.Function{AgentID: "a", Name: "f", Source: "one"})
	if err != nil {
		t.Fatal(err)
	}
	m.fail = errors.New("disk full")
	if _, err := fs.Put(ctx, functions.Function{AgentID: "a", Name: "f", Source: "two"}); !errors.Is(err, m.fail) {
		t.Errorf("put: %v", err)
	}
	if _, err := fs.Remove(ctx, "a", "f"); !errors.Is(err, m.fail) {
		t.Errorf("remove: %v", err)
	}
	if f, ok := fs.Get("a", "f"); !ok || f != good {
		t.Errorf("serves %+v, want version 1", f)
	}
	m.fail = nil
	if f, err := fs.Put(ctx, functions.Function{AgentID: "a", Name: "f", Source: "two"}); err != nil || f.Version != 2 {
		t.Errorf("the next version is %+v, %v; want 2", f, err)
	}
}

func TestSnapshotsAreWhole(t *testing.T) {
	fs := load(t, newMemory())
	if fs.List("nobody") != nil || fs.Names("nobody") != nil {
		t.Error("an agent without functions has some")
	}
	const changes = 200
	var group sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		group.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				list := fs.List("a")
				for i, f := range list {
					if f.Name == "" || f.Version == 0 || (i > 0 && list[i-1].Name >= f.Name) {
						t.Errorf("a reader saw %+v", list)
						return
					}
				}
			}
		})
	}
	for i := range changes {
		if _, err := fs.Put(ctx, functions.Function{AgentID: "a", Name: fmt.Sprint("f", i%7), Source: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
		if i%5 == 4 {
			if _, err := fs.Remove(ctx, "a", fmt.Sprint("f", i%7)); err != nil {
				t.Fatal(err)
			}
		}
	}
	close(done)
	group.Wait()

	before := fs.List("a")
	fs.Forget("a")
	if fs.List("a") != nil || len(before) == 0 {
		t.Errorf("after forgetting the agent: %v; before: %d functions", fs.List("a"), len(before))
	}
}

func TestVersion(t *testing.T) {
	fs := load(t, newMemory())
	for _, source := range []string{"one", "two"} {
		if _, err := fs.Put(ctx, functions.Function{AgentID: "a", Name: "f", Source: source}); err != nil {
			t.Fatal(err)
		}
	}
	for v, want := range map[int]string{1: "one", 2: "two"} {
		if f, err := fs.Version(ctx, "a", "f", v); err != nil || f == nil || f.Source != want {
			t.Errorf("version %d: %+v, %v", v, f, err)
		}
	}
	if f, err := fs.Version(ctx, "a", "f", 3); f != nil || err != nil {
		t.Errorf("version 3: %+v, %v", f, err)
	}
}

func TestGetDoesNotAllocate(t *testing.T) {
	fs := load(t, newMemory())
	if _, err := fs.Put(ctx, functions.Function{AgentID: "a", Name: "f"}); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() {
		if _, ok := fs.Get("a", "f"); !ok || len(fs.Names("a")) != 1 {
			t.Error("the function is gone")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkGet(b *testing.B) {
	fs := load(b, newMemory())
	if _, err := fs.Put(ctx, functions.Function{AgentID: "a", Name: "f"}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := fs.Get("a", "f"); !ok {
			b.Fatal("the function is gone")
		}
	}
}
