package window

import (
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

func TestStateIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	want := state{Width: 1000, Height: 700, X: 20, Y: 30, Placed: true, Maximised: true}
	if err := saveState(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := loadState(path)
	if err != nil || got != want {
		t.Fatalf("loadState = %+v, %v, want %+v", got, err, want)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Fatalf("left behind: %v, %v", entries, err)
	}
}

func TestAStateThatMakesNoSenseOpensTheWindowAnyway(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		fail bool
	}{
		"empty":     {"", true},
		"not JSON":  {"{", true},
		"no size":   {"{}", false},
		"too small": {`{"width":3,"height":2000,"x":-5,"placed":true}`, false},
		"negative":  {`{"width":-3,"height":-2}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "window.json")
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := loadState(path)
			if (err != nil) != test.fail {
				t.Errorf("error = %v", err)
			}
			if got.Width != defaultWidth || got.Height != defaultHeight || got.Placed {
				t.Errorf("state = %+v, want the default size, unplaced", got)
			}
		})
	}
	if got, err := loadState(filepath.Join(t.TempDir(), "none.json")); err != nil || got != defaultState() {
		t.Errorf("no file: %+v, %v", got, err)
	}
}

func TestAClampedWindowIsWhollyOnItsScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size, at := rapid.IntRange(1, 10000), rapid.IntRange(-10000, 10000)
		s := state{Width: size.Draw(t, "width"), Height: size.Draw(t, "height"), X: at.Draw(t, "x"), Y: at.Draw(t, "y")}
		w, h := size.Draw(t, "screen width"), size.Draw(t, "screen height")
		got := s.clamp(w, h)
		if got.X < 0 || got.Y < 0 || got.X+got.Width > w || got.Y+got.Height > h {
			t.Fatalf("%+v on %dx%d became %+v", s, w, h, got)
		}
		if s.X >= 0 && s.Y >= 0 && s.X+s.Width <= w && s.Y+s.Height <= h && got != s {
			t.Fatalf("%+v fits %dx%d and became %+v", s, w, h, got)
		}
		if s.clamp(0, 0) != s {
			t.Fatal("an unknown screen moved the window")
		}
	})
}
