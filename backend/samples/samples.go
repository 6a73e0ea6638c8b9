// Package samples holds the sample projects that come with Benchtop: small
// folders that work as they are and are meant to be read and changed.
package samples

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"benchtop/backend/contract"
)

//go:embed all:hello all:website all:visitors all:rest-api all:oauth all:webhook-hmac all:nightly-cron all:tools all:files all:paid-tool all:chat-agent
var files embed.FS

// all are the samples in the order they are shown. A sample's Name is its
// folder here.
var all = []contract.Sample{
	{Name: "hello", Title: "Hello tool", Description: "Two functions: one greets from its arguments, one counts visits in kv, reads a secret, emits events and logs. No network."},
	{Name: "webhook-hmac", Title: "Webhook with HMAC", Description: "Hooks of Stripe, GitHub, Slack and Twilio: each believes only what was signed, and tells the owner."},
	{Name: "nightly-cron", Title: "Nightly cron with KV", Description: "Five schedules: a report as a file, a poller with a cursor, a feed's news, a token kept young, a lease that one holder has."},
	{Name: "paid-tool", Title: "Paid tool", Description: "Takes two cents: once by locking and settling itself, once by a price in AGENT.md."},
	{Name: "chat-agent", Title: "Chat agent", Description: "Talks over chat completions, A2A and UAMP: a scripted model prices jobs and books days with two tools. No network."},
	{Name: "website", Title: "Website", Description: "Pages for everybody, for visitors who are signed in and for the owner; redirects that lead nowhere bad."},
	{Name: "visitors", Title: "Visitors", Description: "What visitors leave: preferences of their own, a form that only its page can send, a list of scores."},
	{Name: "rest-api", Title: "JSON API", Description: "Items to make, list and remove, an endpoint for other agents, and a relay to one service."},
	{Name: "oauth", Title: "Sign in elsewhere", Description: "Sends a visitor to another service and takes them back with a token, which stays here."},
	{Name: "tools", Title: "Tools", Description: "Tools with checked arguments: a calculator, cached rates, the weather, signed tickets, progress, one function calling others."},
	{Name: "files", Title: "Files", Description: "Reads a table into the key-value store and shows what lies in a folder."},
}

// List gives the samples.
func List() []contract.Sample { return slices.Clone(all) }

// Has reports whether there is a sample of that name.
func Has(name string) bool {
	return slices.ContainsFunc(all, func(s contract.Sample) bool { return s.Name == name })
}

// Copy writes a sample's files into dir, which is made when it is not there. It
// overwrites nothing: PROJECT_EXISTS when one of the files is there.
func Copy(name, dir string) error {
	if !Has(name) {
		return contract.Errorf(contract.NotFound, "there is no sample %.80q", name)
	}
	return fs.WalkDir(files, name, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(p[len(name):]))
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		return write(p, to)
	})
}

func write(from, to string) error {
	text, err := files.ReadFile(path.Clean(from))
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return contract.Errorf(contract.ProjectExists, "%s is there already", to)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
