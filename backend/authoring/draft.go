package authoring

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/functions"
	"benchtop/backend/manifest"
	"benchtop/backend/project"
)

// draft is a function that was posted: checked, not stored.
type draft struct {
	manifest manifest.Manifest
	text     string // of manifest.json
	source   string
	errors   []contract.Problem
	warnings []contract.Problem
}

func (d *draft) fail(code contract.Code, path, format string, args ...any) {
	d.errors = append(d.errors, contract.Problem{Code: code, Path: path, Message: fmt.Sprintf(format, args...)})
}

// failedAt reports whether something at or below a path is refused already.
func (d *draft) failedAt(path string) bool {
	return slices.ContainsFunc(d.errors, func(p contract.Problem) bool {
		return p.Path == path || strings.HasPrefix(p.Path, path+".")
	})
}

// draftOf reads a posted manifest and finds its source: the posted one, the one
// the manifest carries or refers to, or the one that serves.
func (a *Authoring) draftOf(ctx context.Context, ag agents.Agent, name string, text contract.RawJSON, posted *string) (*draft, error) {
	serving, _ := a.cfg.Functions.Get(ag.ID, name)
	d := &draft{}
	opts := manifest.Options{Schema: func(s contract.RawJSON) ([]string, string) { return checkSchema(s) }}
	if serving != nil {
		opts.DefaultRuntime = serving.Manifest.Runtime // an update may leave it out
	}
	d.manifest, d.errors, d.warnings = manifest.Parse(text, opts)
	if posted != nil && len(*posted) > contract.MaxInlineSource {
		d.fail(contract.CodeTooLarge, "source", "the source has %d bytes; %d are allowed in a request (a file in the project folder may have %d)",
			len(*posted), contract.MaxInlineSource, contract.MaxStoredSource)
		return d, nil
	}
	found := posted != nil
	if found {
		d.source = *posted
	} else if err := a.findSource(ctx, ag, serving, d, &found); err != nil {
		return nil, err
	}
	if found && strings.TrimSpace(d.source) == "" && !d.failedAt("code") {
		d.fail(contract.SourceEmpty, "source", "the source is empty")
	}
	if found {
		d.pinned(d.manifest.BundleSHA256, "bundleSha256")
		if d.manifest.Code != nil {
			d.pinned(d.manifest.Code.SHA256, "code.sha256")
		}
	}
	if len(d.errors) == 0 {
		d.manifest.Code = nil // the source is stored beside the manifest, not in it
		d.text = string(manifest.Rewrite(text, d.manifest.Runtime, "code"))
	}
	return d, nil
}

func (d *draft) pinned(want, path string) {
	if got := project.SHA256(d.source); want != "" && want != got {
		d.fail(contract.BundleHashMismatch, path, "%s is %s, the source has %s", path, want, got)
	}
}

// findSource looks where the manifest's code points, then at what serves.
func (a *Authoring) findSource(ctx context.Context, ag agents.Agent, serving *functions.Function, d *draft, found *bool) error {
	ref := d.manifest.Code
	if text, ok := ref.Text(); ok {
		d.source, *found = text, true
		return nil
	}
	if ref == nil {
		if serving != nil {
			d.source, *found = serving.Source, true
		}
		return nil
	}
	switch ref.Kind {
	case "content":
		if serving != nil && serving.ContentID == ref.ContentID {
			d.source, *found = serving.Source, true
			return nil
		}
		if a.cfg.Contents != nil {
			text, ok, err := a.cfg.Contents.Code(ctx, ag.ID, ref.ContentID)
			var unfit *contract.Error
			if errors.As(err, &unfit) {
				d.fail(unfit.Code, "code.contentId", "%s", unfit.Message)
				return nil
			}
			if err != nil {
				return err
			}
			if ok {
				d.source, *found = text, true
				return nil
			}
		}
		d.fail(contract.InvalidCodeRef, "code.contentId", "the agent has no content item %.80q; post the source instead", ref.ContentID)
	case "https":
		d.fail(contract.InvalidCodeRef, "code.kind", "code is not fetched from the network when a function is declared; post the source instead")
	case "file":
		d.fail(contract.InvalidCodeRef, "code.kind", "a file of a project folder is not declared through the API; save it in the folder and it is live")
	}
	return nil
}

// check compiles the source. What serves already is checked again: its
// warnings are asked for as much as a new source's, and the script is kept.
func (a *Authoring) check(ctx context.Context, m manifest.Manifest, file, source, entrypoint string) (errs, warns []contract.Problem, err error) {
	errs, warns = a.cfg.Checker(ctx, file, source, entrypoint)
	if slices.Contains(m.Permissions.VisitorProfile, "email") {
		// The manifest has what such a warning asks for.
		warns = slices.DeleteFunc(slices.Clone(warns), func(p contract.Problem) bool { return p.Path == "permissions.visitor_profile" })
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, contract.Errorf(contract.InvocationCancelled, "cancelled while the source was checked")
	}
	// A platform that cannot check says nothing about the source.
	if i := slices.IndexFunc(errs, transient); i >= 0 {
		return nil, nil, contract.Errorf(errs[i].Code, "%s", errs[i].Message)
	}
	return errs, warns, nil
}

func transient(p contract.Problem) bool {
	switch p.Code {
	case contract.ExecutorUnavailable, contract.PoolSaturated, contract.CPUPressure, contract.InvocationCancelled, contract.ShuttingDown:
		return true
	}
	return false
}

// actions is what only the owner can do before the function works.
func (a *Authoring) actions(ctx context.Context, agentID, name string, m manifest.Manifest) ([]contract.UserAction, error) {
	out := []contract.UserAction{}
	bindings := m.Permissions.Bindings()
	if len(bindings) == 0 {
		return out, nil
	}
	missing, err := a.cfg.Secrets.Missing(ctx, agentID, name, bindings)
	if err != nil {
		return nil, err
	}
	for _, b := range missing {
		out = append(out, contract.UserAction{Kind: "set_function_secret", FunctionName: name, Binding: b,
			Reason: "the manifest of " + name + " declares the secret " + b + ", which is not set"})
	}
	return out, nil
}
