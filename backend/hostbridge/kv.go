package hostbridge

import (
	"context"
	"encoding/json"
	"math"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/kv"
	"benchtop/backend/manifest"
)

// Scopes of the store, contract.md 2.9. The others are partitions of widgets,
// which this platform does not run.
const (
	scopeFn    = "fn"
	scopeAgent = "agent"
)

// space decides which namespace a call reads or writes, and whether the manifest
// lets it. A namespace is a scope, and in it the agent's own part or that of the
// verified visitor.
func (s *Session) space(a arguments, write bool) (kv.Namespace, error) {
	ns := kv.Namespace{AgentID: s.claims.AgentID, Function: s.claims.Function, Scope: scopeFn}
	var scope, user string
	if err := a.texts(map[string]*string{"scope": &scope, "user_id": &user}); err != nil {
		return ns, err
	}
	granted := s.claims.Permissions.KV
	mode, key := granted.Self, ""
	switch scope {
	case "", scopeFn, "function":
	case scopeAgent:
		if !granted.AgentScope {
			return ns, contract.Errorf(contract.PermissionDenied, `kv: the scope "agent" is not granted; add "agent_scope": true to "kv" in the function's manifest`)
		}
		ns.Function, ns.Scope = "", scopeAgent
	case "app":
		mode, key = granted.App, "app"
	case "instance":
		mode, key = granted.Instance, "instance"
	case "instanceOwner":
		mode, key = granted.InstanceOwner, "instance_owner"
	case "project":
		mode, key = granted.Project, "project"
	case "projectOwner":
		mode, key = granted.ProjectOwner, "project_owner"
	default:
		return ns, contract.Errorf(contract.InvalidRequest, "kv: there is no scope %.40q; scopes are fn, agent, app, instance, instanceOwner, project and projectOwner", scope)
	}
	switch {
	case !a.has("user_id") || user != "" && user == s.claims.AgentID:
	case user != "" && user == s.claims.VisitorID:
		if key == "" {
			mode, key = granted.Visitor, "visitor"
		}
		ns.Scope += ":visitor:" + user
	default:
		// An anonymous visitor's user_id is null. Falling back to the agent's own
		// part would give all of them one drawer.
		return ns, contract.Errorf(contract.PermissionDenied, "kv: user_id must be the agent's own id or that of the visitor who is signed in")
	}
	if allowed := mode.CanRead() && !write || mode.CanWrite(); !allowed {
		need := manifest.ModeRO
		if write {
			need = manifest.ModeRW
		}
		if key == "" {
			key = "self"
		}
		return ns, contract.Errorf(contract.PermissionDenied, `kv: this needs "%s": "%s" in "kv" in the function's manifest`, key, need)
	}
	if key != "" && key != "visitor" {
		return ns, contract.Errorf(contract.PermissionDenied, "kv: the scope %q belongs to a widget, and this invocation comes from none", scope)
	}
	return ns, nil
}

// ttl reads ttlSeconds or ttlMs; ms are floored to whole seconds (contract.md
// 2.9), one second at the least.
func (a arguments) ttl() (time.Duration, error) {
	seconds, err := a.number("ttlSeconds")
	if err != nil {
		return 0, err
	}
	ms, err := a.number("ttlMs")
	if err != nil {
		return 0, err
	}
	switch {
	case !math.IsNaN(seconds):
	case math.IsNaN(ms):
		return 0, nil
	case ms > 0:
		seconds = math.Max(1, math.Floor(ms/1000))
	}
	const most = 100 * 365 * 24 * 3600
	if math.IsNaN(seconds) || seconds <= 0 || seconds > most {
		return 0, contract.Errorf(contract.InvalidRequest, "kv: the time to live must be above 0 and at most %d seconds", most)
	}
	return time.Duration(seconds * float64(time.Second)), nil
}

func (b *Bridge) kvGet(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	ns, key, err := s.kvKey(a, false)
	if err != nil {
		return nil, err
	}
	value, found, err := b.cfg.KV.Get(ctx, ns, key)
	if err != nil || !found {
		return nil, err
	}
	return value, nil
}

func (s *Session) kvKey(a arguments, write bool) (ns kv.Namespace, key string, err error) {
	if ns, err = s.space(a, write); err != nil {
		return ns, "", err
	}
	key, err = a.text("key")
	return ns, key, err
}

// kvItem reads what a write stores.
func (s *Session) kvItem(method string, a arguments) (ns kv.Namespace, key string, value json.RawMessage, ttl time.Duration, err error) {
	if ns, key, err = s.kvKey(a, true); err != nil {
		return
	}
	if ttl, err = a.ttl(); err != nil {
		return
	}
	if value = a["value"]; value == nil {
		err = contract.Errorf(contract.InvalidRequest, "%s: the value of %.80q is undefined; use kv.delete to remove a key", method, key)
	}
	return
}

func (b *Bridge) kvPut(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	ns, key, value, ttl, err := s.kvItem("kv.put", a)
	if err != nil {
		return nil, err
	}
	return nil, b.cfg.KV.Put(ctx, ns, key, value, ttl)
}

func (b *Bridge) kvPutIfAbsent(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	ns, key, value, ttl, err := s.kvItem("kv.putIfAbsent", a)
	if err != nil {
		return nil, err
	}
	won, err := b.cfg.KV.PutIfAbsent(ctx, ns, key, value, ttl)
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]bool{"won": won})
}

func (b *Bridge) kvDelete(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	ns, key, err := s.kvKey(a, true)
	if err != nil {
		return nil, err
	}
	return nil, b.cfg.KV.Delete(ctx, ns, key)
}

func (b *Bridge) kvList(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	ns, err := s.space(a, false)
	if err != nil {
		return nil, err
	}
	var q kv.ListQuery
	if err := a.texts(map[string]*string{"prefix": &q.Prefix, "cursor": &q.Cursor}); err != nil {
		return nil, err
	}
	if q.Limit, err = a.whole("limit"); err != nil {
		return nil, err
	}
	if q.Values, err = a.flag("values"); err != nil {
		return nil, err
	}
	page, err := b.cfg.KV.List(ctx, ns, q)
	if err != nil {
		return nil, err
	}
	type item struct {
		Key   string          `json:"key"`
		Value json.RawMessage `json:"value"`
	}
	out := struct {
		Keys   []string `json:"keys"`
		Items  []item   `json:"items,omitzero"` // [] when values were asked for and there are none
		Cursor string   `json:"cursor,omitempty"`
	}{Keys: make([]string, 0, len(page.Items)), Cursor: page.Cursor}
	if q.Values {
		out.Items = []item{}
	}
	for _, it := range page.Items {
		out.Keys = append(out.Keys, it.Key)
		if q.Values {
			out.Items = append(out.Items, item{it.Key, it.Value})
		}
	}
	return json.Marshal(out)
}
