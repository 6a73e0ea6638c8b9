package project

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"benchtop/backend/contract"
)

func openTemp(t *testing.T) (*Folder, string) {
	t.Helper()
	dir := t.TempDir()
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f, dir
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	at := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, err error, code contract.Code) {
	t.Helper()
	if e := contract.AsError(err); e == nil || e.Code != code {
		t.Fatalf("%v, want %s", err, code)
	}
}

func http(path string) contract.ClientCallContent {
	return contract.ClientCallContent{Tab: contract.TabHTTP, Method: "POST", Path: path, Caller: contract.SavedCaller{Kind: contract.ClientOwner}}
}

// TestClientCallTexts: what is written is read again to the byte, and JSON
// stands in the file as JSON.
func TestClientCallTexts(t *testing.T) {
	f, dir := openTemp(t)
	for i, text := range []string{
		"", "plain", "{\n  \"n\": 12345678901234567890,\n  \"html\": \"<b>&\"\n}", `{"n":1}`, "{\n  \"a\": []\n}\n", "[]", "{", "\"text\"", "null", "{\n  \"s\": \"\u2028\"\n}",
	} {
		call := http("/mia/x")
		call.Body, call.Messages = text, []string{text, "b"}
		saved, err := f.SaveClientCall("a", "", call)
		if err != nil {
			t.Fatal(i, err)
		}
		if saved.Call.Body != text || saved.Call.Messages[0] != text {
			t.Errorf("%d: %q became %q and %q", i, text, saved.Call.Body, saved.Call.Messages[0])
		}
		if _, err := f.RemoveClientCall("a"); err != nil {
			t.Fatal(err)
		}
	}
	call := http("/mia/x")
	call.Body = "{\n  \"n\": 12345678901234567890\n}"
	if _, err := f.SaveClientCall("a", "", call); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, ".benchtop/calls/client/a.json"))
	if want := "{\n  \"tab\": \"http\",\n  \"method\": \"POST\",\n  \"path\": \"/mia/x\",\n  \"body\": {\n    \"n\": 12345678901234567890\n  },\n  \"caller\": {\n    \"kind\": \"owner\"\n  }\n}\n"; err != nil || string(got) != want {
		t.Fatalf("%s, %v", got, err)
	}
}

// TestClientCallFile: of a file that is sent the name is kept, and no path.
func TestClientCallFile(t *testing.T) {
	f, dir := openTemp(t)
	call := http("/mia/x")
	call.BodyFile, call.NoFollow = "grün 1.png", true
	saved, err := f.SaveClientCall("a", "", call)
	if err != nil || saved.Call.BodyFile != call.BodyFile || !saved.Call.NoFollow {
		t.Fatal(saved, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, ".benchtop/calls/client/a.json")); err != nil || !strings.Contains(string(text), `"bodyFile": "grün 1.png"`) {
		t.Fatalf("%s, %v", text, err)
	}
	for _, name := range []string{"/etc/passwd", `C:\a`, "a\nb", strings.Repeat("x", 256)} {
		call.BodyFile = name
		_, err := f.SaveClientCall("b", "", call)
		wantCode(t, err, contract.InvalidRequest)
	}
}

func TestWithhold(t *testing.T) {
	jwt := "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJvd25lciJ9.c2lnbmF0dXJl"
	call := http("/mia/x?access_token=abc&q=1&sig=zz")
	call.Headers = []contract.HeaderPair{{Name: "authorization", Value: "Bearer a"}, {Name: "Cookie", Value: "s=1"}, {Name: "X-PAYMENT", Value: "p"}, {Name: "Stripe-Signature", Value: "v1=1"},
		{Name: "X-Api-Key", Value: "k"}, {Name: "Idempotency-Key", Value: "one"}, {Name: "X-Author", Value: "Ada"}, {Name: "X-Note", Value: "see " + jwt}, {Name: "X-Session", Value: ""}}
	call.Body = `{"paymentToken": "` + jwt + `", "password" : "a \"b\"", "text": "rb_abcdefghijklmnopqrst and Bearer abcdefghijklmnop", "tokens": "5", "next": "x"}`
	call.Messages = []string{`{"type":"session.create","payment_token":"x.y.z"}`, "hello"}
	call.Caller = contract.SavedCaller{Kind: contract.ClientBearer, ID: "rb_secret"}
	got, where := withhold(call)
	if want := "/mia/x?access_token=&q=1&sig="; got.Path != want {
		t.Error(got.Path)
	}
	values := map[string]string{}
	for _, h := range got.Headers {
		values[h.Name] = h.Value
	}
	if want := map[string]string{"authorization": "", "Cookie": "", "X-PAYMENT": "", "Stripe-Signature": "", "X-Api-Key": "", "Idempotency-Key": "one", "X-Author": "Ada", "X-Note": "see ", "X-Session": ""}; !reflect.DeepEqual(values, want) {
		t.Error(values)
	}
	if want := `{"paymentToken": "", "password" : "", "text": " and Bearer ", "tokens": "5", "next": "x"}`; got.Body != want {
		t.Error(got.Body)
	}
	if want := []string{`{"type":"session.create","payment_token":""}`, "hello"}; !reflect.DeepEqual(got.Messages, want) || got.Caller.ID != "" {
		t.Error(got.Messages, got.Caller)
	}
	want := []string{"the path", "the header authorization", "the header Cookie", "the header X-PAYMENT", "the header Stripe-Signature", "the header X-Api-Key", "the header X-Note", "the body", "message 1"}
	if !reflect.DeepEqual(where, want) {
		t.Errorf("%q", where)
	}
	if call.Headers[0].Value != "Bearer a" {
		t.Error("the call that was given was changed")
	}
}

func TestClientCallBases(t *testing.T) {
	f, dir := openTemp(t)
	first, err := f.SaveClientCall("a", "", http("/one"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.SaveClientCall("a", "", http("/two"))
	wantCode(t, err, contract.VersionConflict)
	second, err := f.SaveClientCall("a", first.SHA256, http("/two"))
	if err != nil || second.Call.Path != "/two" {
		t.Fatal(second, err)
	}
	_, err = f.SaveClientCall("a", first.SHA256, http("/three"))
	wantCode(t, err, contract.VersionConflict)
	put(t, dir, ".benchtop/calls/client/broken.json", "{")
	list, err := f.Calls()
	if err != nil || len(list.Client) != 2 {
		t.Fatal(list, err)
	}
	if _, err = f.SaveClientCall("broken", list.Client[1].SHA256, http("/whole")); err != nil {
		t.Fatal(err)
	}
	if _, err = f.RemoveClientCall("a"); err != nil {
		t.Fatal(err)
	}
	_, err = f.SaveClientCall("a", second.SHA256, http("/four"))
	wantCode(t, err, contract.VersionConflict)
}

func TestClientCallNames(t *testing.T) {
	f, dir := openTemp(t)
	for _, name := range []string{"a", "b"} {
		if _, err := f.SaveClientCall(name, "", http("/"+name)); err != nil {
			t.Fatal(err)
		}
	}
	put(t, dir, ".benchtop/calls/client/é.json", `{"tab":"http","path":"/x"}`)
	_, err := f.RenameClientCall("a", "b")
	wantCode(t, err, contract.VersionConflict)
	_, err = f.RenameClientCall("a", "../c")
	wantCode(t, err, contract.InvalidName)
	for _, name := range []string{"gone", "../client/a", "..", "", "a/b"} {
		_, err = f.RenameClientCall(name, "c")
		wantCode(t, err, contract.NotFound)
		if there, err := f.RemoveClientCall(name); there || err != nil {
			t.Errorf("removed %q: %v", name, err)
		}
		if name != "gone" {
			_, err = f.SaveClientCall(name, "", http("/"))
			wantCode(t, err, contract.InvalidName)
		}
	}
	if c, err := f.RenameClientCall("é", "c"); err != nil || c.Call == nil || c.Name != "c" {
		t.Fatal(c, err)
	}
	if c, err := f.RenameClientCall("a", "d"); err != nil || c.Call.Path != "/a" || f.Exists(".benchtop/calls/client/a.json") {
		t.Fatal(c, err)
	}
}

// TestBrokenClientCalls: a file that is no saved call is listed with the reason.
func TestBrokenClientCalls(t *testing.T) {
	f, dir := openTemp(t)
	for name, text := range map[string]string{
		"empty":   "",
		"syntax":  "{\n  \"tab\": \"http\",\n  oops\n}",
		"type":    "{\"tab\": \"http\",\n\"path\": 3}",
		"tab":     `{"tab":"ftp","path":"/x"}`,
		"path":    `{"tab":"sse","path":"x"}`,
		"method":  `{"tab":"http","path":"/","method":"A B"}`,
		"header":  `{"tab":"http","path":"/","headers":[{"name":"X","value":"a\r\nb"}]}`,
		"caller":  `{"tab":"chat","caller":{"kind":"root"}}`,
		"large":   `{"tab":"chat","messages":["` + strings.Repeat("x", maxCallBytes) + `"]}`,
		"no name": `{"path":"/"}`,
	} {
		put(t, dir, ".benchtop/calls/client/"+name+".json", text)
	}
	put(t, dir, ".benchtop/calls/client/ä.json", `{"tab":"chat"}`)
	put(t, dir, ".benchtop/calls/client/whole.json", "\ufeff{\"tab\":\"chat\",\"messages\":[{\"a\":1}]}")
	put(t, dir, ".benchtop/calls/client/.benchtop-0123.json", "half")
	put(t, dir, ".benchtop/calls/client/README.md", "not a call")
	put(t, dir, "AGENT.md", `{"tab":"chat"}`)
	if err := os.Symlink(filepath.Join(dir, "AGENT.md"), filepath.Join(dir, ".benchtop/calls/client/link.json")); err != nil {
		t.Fatal(err)
	}
	list, err := f.Calls()
	if err != nil || len(list.Problems) != 0 || len(list.Calls) != 0 {
		t.Fatalf("%+v, %v", list, err)
	}
	reasons := map[string]string{}
	for _, c := range list.Client {
		if (c.Call == nil) == (c.Problem == "") {
			t.Errorf("%+v", c)
		}
		reasons[c.Name] = c.Problem
	}
	for name, part := range map[string]string{
		"empty": "it is empty", "syntax": "line 3: ", "type": `line 2: "path" must be a string and not number`, "tab": `"tab" is "ftp"`, "path": "begins with a slash", "method": `"method"`,
		"header": "no header", "caller": `the kind "root"`, "large": "are allowed", "no name": `"tab" is ""`, "ä": "cannot name a saved call", "link": "is a link", "whole": "",
	} {
		reason, there := reasons[name]
		if !there || !strings.Contains(reason, part) || part == "" && reason != "" {
			t.Errorf("%s: %q", name, reason)
		}
		delete(reasons, name)
	}
	if len(reasons) > 0 {
		t.Error("listed, too:", reasons)
	}
}

// TestClientLinks: a link on the way is neither followed nor written over.
func TestClientLinks(t *testing.T) {
	f, dir := openTemp(t)
	put(t, dir, "notes/a.json", `{"tab":"chat"}`)
	put(t, dir, ".benchtop/calls/README", "")
	if err := os.Symlink(filepath.Join(dir, "notes"), filepath.Join(dir, ".benchtop/calls/client")); err != nil {
		t.Fatal(err)
	}
	_, err := f.SaveClientCall("b", "", http("/"))
	wantCode(t, err, contract.ProjectUnreachable)
	if _, err := f.RemoveClientCall("a"); err == nil {
		t.Error("removed over a link")
	}
	if _, err := f.RenameClientCall("a", "c"); err == nil {
		t.Error("renamed over a link")
	}
	if list, err := f.Calls(); err != nil || len(list.Client) != 0 {
		t.Error(list, err)
	}
	if entries, _ := os.ReadDir(filepath.Join(dir, "notes")); len(entries) != 1 {
		t.Error(entries)
	}
}

// TestFunctionNamedClient: a function may have that name, and its calls stay its.
func TestFunctionNamedClient(t *testing.T) {
	f, _ := openTemp(t)
	if _, err := f.SaveClientCall("a", "", http("/")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.SaveCall("client", "b", contract.SaveCallRequest{Body: contract.RawJSON(`{"args":{}}`)}); err != nil {
		t.Fatal(err)
	}
	list, err := f.Calls()
	if err != nil || len(list.Client) != 1 || len(list.Calls) != 1 || list.Client[0].Name != "a" || list.Calls[0].Name != "b" {
		t.Fatalf("%+v, %v", list, err)
	}
	_, err = f.SaveCall("client", "a", contract.SaveCallRequest{Body: contract.RawJSON(`{}`)})
	wantCode(t, err, contract.VersionConflict)
	_, err = f.SaveClientCall("b", "", http("/"))
	wantCode(t, err, contract.VersionConflict)
	if there, err := f.RemoveCall("client", "a"); there || err != nil {
		t.Error(there, err)
	}
	if there, err := f.RemoveClientCall("b"); there || err != nil {
		t.Error(there, err)
	}
	_, err = f.RenameClientCall("b", "c")
	wantCode(t, err, contract.NotFound)
}

// TestCallsHaveAnEnd: a project full of large files costs no more than so much.
func TestCallsHaveAnEnd(t *testing.T) {
	f, dir := openTemp(t)
	text := `{"tab":"chat","messages":["` + strings.Repeat("x", maxCallBytes-100) + `"]}`
	for i := range 20 {
		put(t, dir, ".benchtop/calls/client/"+string(rune('a'+i))+".json", text)
	}
	list, err := f.Calls()
	if err != nil || len(list.Client) != 20 {
		t.Fatal(err)
	}
	whole := 0
	for _, c := range list.Client {
		if c.Call != nil {
			whole++
		} else if !strings.Contains(c.Problem, "more than 16 MB") {
			t.Error(c.Problem)
		}
	}
	if whole != 16 {
		t.Errorf("%d were read", whole)
	}
}
