package httpapi

import (
	"cmp"
	"slices"
	"unicode"

	"benchtop/backend/contract"
)

// maxBinding is the length of a binding's name in bytes.
const maxBinding = 128

// setSecret is spec 4.1 row 7. The value goes to the store and nowhere else. A
// module of custom endpoints has secrets as a function has: its name is its path.
func (a *api) setSecret(c *call) error {
	return a.putSecret(c, func() error {
		_, err := a.function(c)
		if err != nil && a.hasModule(c) {
			return nil
		}
		return err
	})
}

// setAgentSecret stores a secret of the agent itself, such as the key of its
// model: no function can read it.
func (a *api) setAgentSecret(c *call) error {
	return a.putSecret(c, func() error { return nil })
}

// putSecret stores what the body says under the function that the path names, or
// under none; there says whether that is there.
func (a *api) putSecret(c *call, there func() error) error {
	var req contract.SecretRequest
	if err := c.decode(&req); err != nil {
		return err
	}
	if err := checkBinding(req.Binding); err != nil {
		return err
	}
	if len(req.Value) == 0 {
		return contract.Errorf(contract.InvalidRequest, "value is empty; DELETE removes a secret")
	}
	if len(req.Value) > contract.MaxSecretBytes {
		return contract.Errorf(contract.InvalidRequest, "value has %d bytes, a secret has %d at most", len(req.Value), contract.MaxSecretBytes)
	}
	if err := there(); err != nil {
		return err
	}
	if err := a.deps.Secrets.Put(c.r.Context(), c.agent.ID, c.name(), req.Binding, req.Value); err != nil {
		return err
	}
	if err := a.secretChanged(c, "secret_set", contract.EvSecretSet, req.Binding); err != nil {
		return err
	}
	return c.ok(contract.SecretResponse{OK: true})
}

// deleteSecret is spec 4.1 row 8; an absent value is no error, and leaves no
// audit row. The function may be gone already: its secrets can still be removed.
func (a *api) deleteSecret(c *call) error {
	binding := c.r.URL.Query().Get("binding")
	if err := checkBinding(binding); err != nil {
		return err
	}
	removed, err := a.deps.Secrets.Delete(c.r.Context(), c.agent.ID, c.name(), binding)
	if err != nil {
		return err
	}
	if removed {
		if err := a.secretChanged(c, "secret_delete", contract.EvSecretDeleted, binding); err != nil {
			return err
		}
	} else if c.name() != "" {
		if _, err := a.function(c); err != nil {
			return err
		}
	}
	return c.ok(contract.SecretResponse{OK: true, Removed: &removed})
}

// secretChanged writes the audit row and tells the pages.
func (a *api) secretChanged(c *call, action string, event contract.EventName, binding string) error {
	err := a.deps.History.Audit(c.r.Context(), contract.InvocationRow{
		AgentID: c.agent.ID, FunctionName: c.name(), CallerUserID: c.caller.UserID,
		AuthoringAction: action, AuthoringSurface: c.surface,
	})
	a.deps.Events.Publish(event, contract.SecretChange{AgentID: c.agent.ID, Function: c.name(), Binding: binding})
	return err
}

// checkBinding refuses what no manifest can name.
func checkBinding(name string) error {
	switch {
	case name == "":
		return contract.Errorf(contract.InvalidRequest, "binding is missing: the name of the secret")
	case len(name) > maxBinding:
		return contract.Errorf(contract.InvalidRequest, "binding has %d bytes, a name has %d at most", len(name), maxBinding)
	case name == "write":
		return contract.Errorf(contract.InvalidRequest, "\"write\" is the permission to store secrets, not the name of one")
	case slices.ContainsFunc([]rune(name), unicode.IsControl):
		return contract.Errorf(contract.InvalidRequest, "binding has control characters")
	}
	return nil
}

// listSecrets answers what is declared and what is set, never a value.
func (a *api) listSecrets(c *call) error {
	set, err := a.deps.Secrets.List(c.r.Context(), c.agent.ID, "")
	if err != nil {
		return err
	}
	type key struct{ function, binding string }
	infos := make(map[key]*contract.SecretInfo)
	for _, f := range a.deps.Functions.List(c.agent.ID) {
		for _, b := range f.Manifest.Permissions.Bindings() {
			infos[key{f.Name, b}] = &contract.SecretInfo{Function: f.Name, Binding: b, Declared: true}
		}
	}
	if name := c.agent.Settings.Model.KeySecret; name != "" { // of the agent itself
		infos[key{"", name}] = &contract.SecretInfo{Binding: name, Declared: true}
	}
	for _, s := range set {
		k := key{s.Function, s.Binding}
		if infos[k] == nil {
			infos[k] = &contract.SecretInfo{Function: s.Function, Binding: s.Binding}
		}
		at := s.SetAt.UTC()
		infos[k].Set, infos[k].SetAt = true, &at
	}
	out := contract.SecretList{Secrets: make([]contract.SecretInfo, 0, len(infos)), Store: a.deps.Secrets.Where()}
	for _, info := range infos {
		out.Secrets = append(out.Secrets, *info)
	}
	slices.SortFunc(out.Secrets, func(x, y contract.SecretInfo) int {
		return cmp.Or(cmp.Compare(x.Function, y.Function), cmp.Compare(x.Binding, y.Binding))
	})
	return c.ok(out)
}
