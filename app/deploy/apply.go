package deploy

import (
	"context"
	"encoding/json"
	"fmt"

	"benchtop/app/client"
	"benchtop/backend/contract"
)

// Missing is a secret that is declared there and not set.
type Missing struct {
	Function string `json:"function"`
	Binding  string `json:"binding"`
}

// Apply does the steps. One that is refused says so and does not keep the others
// from being done; the error is for a platform that no longer answers.
func Apply(ctx context.Context, c *client.Client, agentID string, steps []Step) error {
	for i := range steps {
		err := apply(ctx, c, agentID, &steps[i])
		if err == nil {
			continue
		}
		if client.CodeOf(err) == "" && contract.AsError(err) == nil {
			return err
		}
		steps[i].Failed = err.Error()
	}
	return nil
}

func apply(ctx context.Context, c *client.Client, agentID string, s *Step) error {
	switch {
	case s.Kind == Same || s.Kind == Extra:
		return nil
	case s.What == "function" && s.Kind == Remove:
		return c.Delete(ctx, client.Agent(agentID, "functions", s.Name), nil)
	case s.What == "function":
		body, unfit := client.Posted(s.Name, s.function.Manifest, s.function.Source)
		if unfit != nil {
			return contract.Errorf(unfit.Code, "%s", unfit.Message)
		}
		return c.Post(ctx, client.Agent(agentID, "functions"), body, nil)
	}
	path := client.Agent(agentID, "skills", s.entry.Skill, "use")
	switch s.Kind {
	case Add:
		return c.Post(ctx, path, contract.UseRequest{Entry: s.entry.JSON}, nil)
	case Remove:
		return c.Delete(ctx, client.Agent(agentID, "skills", s.entry.Skill, "use", s.entry.ID), nil)
	}
	patch, err := json.Marshal(s.patch)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	return c.Do(ctx, "PATCH", client.Agent(agentID, "skills", s.entry.Skill, "use", s.entry.ID), contract.UseRequest{Entry: patch}, nil)
}

// Unset lists the secrets that functions of the unit declare and that are not
// set there.
func Unset(ctx context.Context, c *client.Client, agentID string, u *Unit) ([]Missing, error) {
	out := []Missing{}
	for _, f := range u.Functions {
		var d contract.FunctionDetail
		err := c.Get(ctx, client.Agent(agentID, "functions", f.Name), &d)
		if client.CodeOf(err) == contract.FnNotFound {
			continue // it was refused
		}
		if err != nil {
			return out, err
		}
		for _, todo := range d.RequiresUserAction {
			out = append(out, Missing{f.Name, todo.Binding})
		}
	}
	return out, nil
}
