package content_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"benchtop/backend/content"
	"benchtop/backend/contract"
)

var ctx = context.Background()

// desk is an agent with a project folder, beside things that are not its own.
type desk struct {
	*content.Content
	home, open, secret string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	top := t.TempDir()
	d := &desk{home: filepath.Join(top, "project"), open: filepath.Join(top, "open"), secret: filepath.Join(top, "secret")}
	for _, dir := range []string{d.home, d.open, d.secret, filepath.Join(d.home, "functions"), filepath.Join(d.home, "data")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	d.write(t, filepath.Join(d.secret, "key"), "private")
	d.write(t, filepath.Join(d.home, "AGENT.md"), "you are")
	d.Content = content.New(content.Config{
		Home: func(agentID string) string {
			if agentID == "mia" {
				return d.home
			}
			return ""
		},
		Open: []string{d.open}, Now: time.Now,
	})
	return d
}

func (d *desk) write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Fatal(err)
	}
}

func code(err error) contract.Code {
	if e := contract.AsError(err); e != nil {
		return e.Code
	}
	return ""
}

// Where a local folder may lie.
func TestLocalPlaces(t *testing.T) {
	d := newDesk(t)
	link(t, d.secret, filepath.Join(d.home, "away"))
	link(t, "functions", filepath.Join(d.home, "inside"))
	link(t, d.secret, filepath.Join(d.open, "away"))
	d.write(t, filepath.Join(d.home, "file"), "x")
	for _, tt := range []struct {
		name, agent, path string
		ok                bool
	}{
		{"in the project", "mia", "data", true},
		{"not there yet", "mia", "data/new/deep", true},
		{"with dots that stay", "mia", "./data/../data", true},
		{"the project itself", "mia", ".", false},
		{"above it", "mia", "../secret", false},
		{"above it by a detour", "mia", "data/../../secret", false},
		{"its functions", "mia", "functions", false},
		{"its functions in other letters", "mia", "Functions/greet", false},
		{"its functions with a dot that Windows drops", "mia", "functions./greet", false},
		{"its functions as a stream of Windows", "mia", "functions::$INDEX_ALLOCATION", false},
		{"its functions with an old letter", "mia", "function\u017f", false},
		{"its endpoints", "mia", "endpoints", false},
		{"hidden", "mia", ".benchtop", false},
		{"hidden below", "mia", "data/.git", false},
		{"by a link out", "mia", "away", false},
		{"by a link in", "mia", "inside", false},
		{"below a link", "mia", "away/x", false},
		{"a file", "mia", "file", false},
		{"of an agent without a project", "leo", "data", false},
		{"in an open directory", "leo", filepath.Join(d.open, "x"), true},
		{"the open directory", "leo", d.open, true},
		{"absolute elsewhere", "mia", d.secret, false},
		{"absolute in its own project", "mia", filepath.Join(d.home, "data"), false},
		{"absolute by a detour", "mia", d.open + "/../secret", false},
		{"beside an open directory", "mia", d.open + "er", false},
		{"an open directory's link", "mia", filepath.Join(d.open, "away"), false},
		{"hidden in an open directory", "mia", filepath.Join(d.open, ".ssh"), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			at := content.Folder{AgentID: tt.agent, Path: tt.path}
			_, lerr := d.List(ctx, at, content.ListQuery{})
			_, rerr := d.Read(ctx, at, "key")
			werr := d.Write(ctx, at, "key", []byte("new"))
			for what, err := range map[string]error{"list": lerr, "read": rerr, "write": werr} {
				if tt.ok && err != nil || !tt.ok && code(err) != contract.PermissionDenied {
					t.Errorf("%s: %v", what, err)
				}
				if err != nil && strings.Contains(err.Error(), d.home) && !strings.Contains(tt.path, d.home) {
					t.Errorf("%s shows where the project lies: %v", what, err)
				}
			}
		})
	}
	if b, err := os.ReadFile(filepath.Join(d.secret, "key")); string(b) != "private" {
		t.Errorf("the file outside: %q, %v", b, err)
	}
}

// Inside a local folder: regular files only, and no way out.
func TestLocalFiles(t *testing.T) {
	d := newDesk(t)
	at := content.Folder{AgentID: "mia", Path: "data"}
	dir := filepath.Join(d.home, "data")
	link(t, filepath.Join(d.secret, "key"), filepath.Join(dir, "out.txt"))
	link(t, "a.txt", filepath.Join(dir, "in.txt"))
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	d.write(t, filepath.Join(dir, ".env"), "hidden")
	for _, name := range []string{"a.txt", "b.json", "c"} {
		if err := d.Write(ctx, at, name, []byte("is "+name)); err != nil {
			t.Fatal(err)
		}
	}
	page, err := d.List(ctx, at, content.ListQuery{})
	if err != nil || len(page.Files) != 3 || page.Cursor != "" {
		t.Fatalf("list %+v, %v", page, err)
	}
	for i, want := range []string{"a.txt text/plain", "b.json application/json", "c text/plain"} {
		name, _, _ := strings.Cut(want, " ")
		f, err := d.Read(ctx, at, name)
		if err != nil || f == nil || string(f.Bytes) != "is "+name || f.Name+" "+f.MimeType != want {
			t.Errorf("read %+v, %v; want %s", f, err, want)
		}
		if l := page.Files[i]; l.Name != name || l.Size != int64(len("is "+name)) || l.Modified.IsZero() {
			t.Errorf("listed %+v", l)
		}
	}
	first, err := d.List(ctx, at, content.ListQuery{Limit: 2})
	if err != nil || len(first.Files) != 2 {
		t.Fatalf("first page %+v, %v", first, err)
	}
	if rest, err := d.List(ctx, at, content.ListQuery{Limit: 2, Cursor: first.Cursor}); err != nil || len(rest.Files) != 1 || rest.Files[0].Name != "c" {
		t.Errorf("second page %+v, %v", rest, err)
	}
	for _, name := range []string{"out.txt", "in.txt", "sub", "absent"} {
		if f, err := d.Read(ctx, at, name); f != nil || err != nil {
			t.Errorf("read of %s: %+v, %v", name, f, err)
		}
	}
	for _, name := range []string{"out.txt", "in.txt", "sub"} {
		if err := d.Write(ctx, at, name, nil); code(err) != contract.InvalidRequest {
			t.Errorf("write of %s: %v", name, err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 7 { // a part file would be the eighth
		t.Errorf("in the directory: %v, %v", entries, err)
	}
}

func TestNames(t *testing.T) {
	d := newDesk(t)
	at := content.Folder{AgentID: "mia", Path: "data"}
	for _, name := range []string{"a", "a b.txt", "ü.txt", "a..b", strings.Repeat("n", content.MaxName), "$x", "console.txt"} {
		if err := d.Write(ctx, at, name, []byte("x")); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", ".", "..", "../a", "a/b", `a\b`, "/etc/passwd", ".env", "a.", "a ", "a\x00b", "a\nb", "a:b", "CON", "nul.txt",
		"com1", "\xff", strings.Repeat("n", content.MaxName+1)} {
		if err := d.Write(ctx, at, name, nil); code(err) != contract.InvalidRequest {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := d.Read(ctx, at, name); code(err) != contract.InvalidRequest {
			t.Errorf("%q: %v", name, err)
		}
	}
	most := bytes.Repeat([]byte("x"), contract.MaxContentBytes)
	if err := d.Write(ctx, at, "most", most); err != nil {
		t.Error(err)
	}
	if err := d.Write(ctx, at, "more", append(most, 'x')); code(err) != contract.BodyTooLarge {
		t.Errorf("one byte more: %v", err)
	}
	d.write(t, filepath.Join(d.home, "data", "large"), string(most)+"x")
	if _, err := d.Read(ctx, at, "large"); code(err) != contract.BodyTooLarge {
		t.Errorf("reading one byte more: %v", err)
	}
}

// A file that is replaced keeps its permissions, whatever those of a new one are.
func TestWriteKeepsTheMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // its files have no such permissions
	}
	d := newDesk(t)
	at := content.Folder{AgentID: "mia", Path: "data"}
	for _, mode := range []os.FileMode{0o600, 0o666, 0o755, 0o640} {
		path := filepath.Join(d.home, "data", "f")
		d.write(t, path, "old")
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if err := d.Write(ctx, at, "f", []byte("new")); err != nil {
			t.Fatal(err)
		}
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != mode {
			t.Errorf("%v became %v, %v", mode, st.Mode(), err)
		}
	}
}

// What a folder's directory may come to is told in words of ours, never as a
// fault of the platform and never with a path of this machine.
func TestLostDirectories(t *testing.T) {
	d := newDesk(t)
	at := content.Folder{AgentID: "mia", Path: "later"}
	if page, err := d.List(ctx, at, content.ListQuery{}); err != nil || !page.Missing {
		t.Errorf("a directory that is not there: %+v, %v", page, err)
	}
	if page, err := d.List(ctx, content.Folder{AgentID: "mia", Path: "data"}, content.ListQuery{}); err != nil || page.Missing {
		t.Errorf("one that is: %+v, %v", page, err)
	}
	d.write(t, filepath.Join(d.home, "file"), "x")
	if err := os.Rename(d.home, d.home+"-moved"); err != nil {
		t.Fatal(err)
	}
	_, listed := d.List(ctx, at, content.ListQuery{})
	_, read := d.Read(ctx, at, "f")
	for what, err := range map[string]error{"list": listed, "read": read, "write": d.Write(ctx, at, "f", nil)} {
		if code(err) != contract.PermissionDenied || strings.Contains(err.Error(), d.home) {
			t.Errorf("%s in a project that was moved away: %v", what, err)
		}
	}
}

// The type of a file whose name does not tell it is that of its bytes, in a list
// as when it is read.
func TestListedTypes(t *testing.T) {
	d := newDesk(t)
	at := content.Folder{AgentID: "mia", Path: "data"}
	for name, body := range map[string]string{
		"long": strings.Repeat("x", 511) + "é and more", "noise.bin": "\xff\xfe\x00\x01", "Makefile": "all:", "picture.png": "\xff",
		"noise.dat": strings.Repeat("\xff", 2000),
	} {
		if err := d.Write(ctx, at, name, []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	page, err := d.List(ctx, at, content.ListQuery{})
	if err != nil || len(page.Files) != 5 {
		t.Fatalf("%+v, %v", page, err)
	}
	for _, l := range page.Files {
		if f, err := d.Read(ctx, at, l.Name); err != nil || f.MimeType != l.MimeType {
			t.Errorf("%s is listed as %s and read as %s, %v", l.Name, l.MimeType, f.MimeType, err)
		}
	}
}

// While one writes, a reader sees one text or the other.
func TestWritesAreWhole(t *testing.T) {
	d := newDesk(t)
	at := content.Folder{AgentID: "mia", Path: "data"}
	texts := []string{strings.Repeat("a", 100_000), strings.Repeat("b", 200_000)}
	done := make(chan error, 1)
	go func() {
		for i := range 40 {
			if err := d.Write(ctx, at, "f", []byte(texts[i%2])); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for {
		f, err := d.Read(ctx, at, "f")
		if err != nil {
			t.Fatal(err)
		}
		if f != nil && string(f.Bytes) != texts[0] && string(f.Bytes) != texts[1] {
			t.Fatalf("read %d bytes of a half-written file", len(f.Bytes))
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
			runtime.Gosched()
		}
	}
}

func FuzzNames(f *testing.F) {
	for _, s := range []string{"a", "../x", "a/b", "COM1.txt", "\x00", "ü"} {
		f.Add(s)
	}
	d := content.New(content.Config{Home: func(string) string { return "" }})
	f.Fuzz(func(t *testing.T, name string) {
		// Without a home every good name ends in PERMISSION_DENIED.
		_, err := d.Read(ctx, content.Folder{AgentID: "a", Path: "p"}, name)
		if code(err) == contract.PermissionDenied && (!filepath.IsLocal(name) || filepath.Base(name) != name || len(name) > content.MaxName) {
			t.Errorf("%q was taken for a name", name)
		}
	})
}
