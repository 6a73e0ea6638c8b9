package hostbridge

import (
	"context"
	"encoding/json"
	"slices"

	"benchtop/backend/contract"
)

func (b *Bridge) secretsGet(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	name, err := a.text("name")
	if err != nil {
		return nil, err
	}
	value, set, err := b.cfg.Secrets.Get(ctx, s.claims.AgentID, s.claims.Function, name)
	if err != nil || !set {
		return nil, err
	}
	s.remember(name, value)
	return json.Marshal(value)
}

func (b *Bridge) secretsPut(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	name, err := a.text("name")
	if err != nil {
		return nil, err
	}
	value, err := a.text("value")
	if err != nil || !a.set("value") {
		return nil, contract.Errorf(contract.InvalidRequest, "secrets.put: the value of %.80q must be a string", name)
	}
	// Remembered first: even the record of a failed call must not show it.
	s.remember(name, value)
	if err := b.cfg.Secrets.Put(ctx, s.claims.AgentID, s.claims.Function, name, value); err != nil {
		return nil, err
	}
	if b.cfg.SecretPut != nil {
		b.cfg.SecretPut(s.claims.AgentID, s.claims.Function, name)
	}
	return nil, nil
}

// rememberRefused hides a value that the function may not keep: it is a secret
// all the same. The name may be any text, and a mask needs no escaping.
func (s *Session) rememberRefused(a arguments) {
	name, _ := a.text("name")
	if !slices.Contains(s.claims.Permissions.Bindings(), name) {
		name = "refused"
	}
	if value, err := a.text("value"); err == nil {
		s.remember(name, value)
	}
}

// secretsList gives the names that are both allowed and stored.
func (b *Bridge) secretsList(ctx context.Context, s *Session, _ arguments) (json.RawMessage, error) {
	allowed := s.claims.Permissions.Bindings()
	missing, err := b.cfg.Secrets.Missing(ctx, s.claims.AgentID, s.claims.Function, allowed)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(allowed))
	for _, n := range allowed {
		if !slices.Contains(missing, n) {
			names = append(names, n)
		}
	}
	return json.Marshal(names)
}
