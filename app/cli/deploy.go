package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"benchtop/app/client"
	"benchtop/app/deploy"
	"benchtop/backend/agents"
	"benchtop/backend/contract"
)

// envToken is the credential for another platform.
const envToken = "BENCHTOP_TOKEN"

// target is another platform and an agent of it.
type target struct {
	url, agent string
	stdin      bool
}

func (t *target) bind(cmd *cobra.Command, flag, what string) {
	f := cmd.Flags()
	f.StringVar(&t.url, flag, "", what)
	f.StringVarP(&t.agent, "agent", "a", "", "id or username of the agent there (default: the name in AGENT.md)")
	f.BoolVar(&t.stdin, "token-stdin", false, "read the token from stdin instead of "+envToken)
}

// client gives the platform with the credential of the environment or of stdin.
func (t *target) client(p *Program, flag string) (*client.Client, error) {
	if t.url == "" {
		return nil, usagef("say which platform: --%s https://platform.example", flag)
	}
	url, err := client.Address(t.url)
	if err != nil {
		return nil, usagef("--%s: %w", flag, err)
	}
	token := p.Getenv(envToken)
	if t.stdin {
		if token, err = p.secretValue("the token"); err != nil {
			return nil, err
		}
	}
	if token = strings.TrimSpace(token); token == "" {
		return nil, usagef("no credential: put a portal token into %s or pipe it in with --token-stdin (benchtop token issue makes one)", envToken)
	}
	return &client.Client{URL: url, Bearer: token}, nil
}

// deployed is what deploy prints with --json.
type deployed struct {
	To      string           `json:"to"`
	Agent   string           `json:"agent"`
	Created bool             `json:"created,omitempty"`
	DryRun  bool             `json:"dryRun"`
	Changes int              `json:"changes"`
	Failed  int              `json:"failed"`
	Steps   []deploy.Step    `json:"steps"`
	Secrets []deploy.Missing `json:"secretsToSet"`
	Notes   []string         `json:"notes,omitempty"`
}

func deployCommand(p *Program) *cobra.Command {
	var to target
	var dry, prune, create, texts bool
	cmd := &cobra.Command{
		Use: "deploy [DIR]", Short: "Send a project's functions to another platform",
		Long: "Compares the project folder with an agent of another platform, prints what differs and sends that: functions\n" +
			"and the entries of custom_tools, custom_http and cron. Secrets are never sent; what has to be set there is\n" +
			"listed. It speaks the management API with a portal token (scopes read and write) from " + envToken + " or stdin.",
		Args: takes(0, 1, "a project folder or nothing"),
		Example: "  benchtop deploy --to https://platform.example --agent mia --dry-run --diff\n" +
			"  benchtop deploy ./mia --to http://127.0.0.1:4781 --agent mia --prune\n" +
			"  benchtop token issue --agent mia | benchtop deploy --to http://127.0.0.1:4780 --agent mia --token-stdin",
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := filepath.Abs(strings.Join(args, ""))
			if err != nil {
				return err
			}
			here, err := deploy.Read(dir)
			if err != nil {
				var bad *deploy.Invalid
				if errors.As(err, &bad) {
					return withExit{err, exitFailed}
				}
				return err
			}
			c, err := to.client(p, "to")
			if err != nil {
				return err
			}
			if to.agent == "" {
				to.agent = agents.Slug(here.Agent.Name)
			}
			out := deployed{To: c.URL, Agent: to.agent, DryRun: dry, Notes: here.Left, Secrets: []deploy.Missing{}}
			return p.deploy(cmd.Context(), c, here, &out, deployOptions{prune, create, texts})
		},
	}
	to.bind(cmd, "to", "address of the platform to send to")
	f := cmd.Flags()
	f.BoolVarP(&dry, "dry-run", "n", false, "say what would change and change nothing")
	f.BoolVar(&prune, "prune", false, "remove functions and entries there that are not in the folder")
	f.BoolVar(&create, "create", false, "make the agent when it is not there (needs the owner's key)")
	f.BoolVar(&texts, "diff", false, "print the differences line by line")
	return cmd
}

type deployOptions struct{ prune, create, texts bool }

func (p *Program) deploy(ctx context.Context, c *client.Client, here *deploy.Unit, out *deployed, o deployOptions) error {
	there := &deploy.Unit{}
	var a contract.Agent
	switch err := c.Get(ctx, client.Agent(out.Agent), &a); {
	case err == nil:
		if there, err = deploy.Fetch(ctx, c, a.ID); err != nil {
			return err
		}
		out.Notes = append(out.Notes, differences(here.Agent, a)...)
	case !is(err, contract.AgentNotFound):
		return err
	case !o.create:
		return fmt.Errorf("%w; --create makes it, with the owner's key", err)
	default:
		out.Created = true
	}
	out.Steps = deploy.Plan(here, there, o.prune)
	out.Changes = deploy.Changes(out.Steps)
	if !p.asJSON {
		p.showPlan(out, o.texts)
	}
	if !out.DryRun {
		if out.Created {
			if here.Agent.Username == "" {
				here.Agent.Username = out.Agent
			}
			if err := c.Post(ctx, "/api/agents", here.Agent, &a); err != nil {
				return err
			}
		}
		if err := deploy.Apply(ctx, c, a.ID, out.Steps); err != nil {
			return err
		}
	}
	if a.ID != "" {
		var err error
		if out.Secrets, err = deploy.Unset(ctx, c, a.ID, here); err != nil {
			return err
		}
	}
	return p.showDeployed(out)
}

// differences names what of AGENT.md the management API cannot change.
func differences(here contract.CreateAgentRequest, there contract.Agent) (out []string) {
	for _, d := range []struct{ what, here, there string }{
		{"the description", here.Description, there.Description}, {"the text below the frontmatter", here.Instructions, there.Instructions},
		{"the model", here.Model, there.Model},
	} {
		if strings.TrimSpace(d.here) != strings.TrimSpace(d.there) {
			out = append(out, d.what+" of AGENT.md differs there; the management API cannot change it")
		}
	}
	return out
}

func (p *Program) showPlan(out *deployed, texts bool) {
	fmt.Fprintf(p.Stdout, "%s at %s:\n", out.Agent, out.To)
	if out.Created {
		fmt.Fprintf(p.Stdout, "  + agent %s\n", out.Agent)
	}
	for _, s := range out.Steps {
		fmt.Fprintf(p.Stdout, "  %s\n", s)
		if texts && s.Diff != "" {
			fmt.Fprint(p.Stdout, s.Diff)
		}
	}
	for _, note := range out.Notes {
		fmt.Fprintf(p.Stdout, "  note: %s\n", note)
	}
}

func (p *Program) showDeployed(out *deployed) error {
	for _, s := range out.Steps {
		if s.Failed != "" {
			out.Failed++
		}
	}
	err := p.show(out, func(w io.Writer) {
		for _, s := range out.Steps {
			if s.Failed != "" {
				fmt.Fprintf(p.Stderr, "refused: %s %s: %s\n", s.What, s.Name, s.Failed)
			}
		}
		switch {
		case out.DryRun:
			fmt.Fprintf(w, "%s to make; nothing was sent\n", plural(out.Changes, "change"))
		case out.Changes == 0 && !out.Created:
			fmt.Fprintln(w, "nothing differs")
		default:
			fmt.Fprintf(w, "%s made\n", plural(out.Changes-out.Failed, "change"))
		}
		for _, s := range out.Secrets {
			fmt.Fprintf(w, "to set there: the secret %s of %s\n", s.Binding, s.Function)
		}
	})
	if err == nil && out.Failed > 0 {
		return exitCode(exitError)
	}
	return err
}

// pulled is what pull prints with --json.
type pulled struct {
	From      string   `json:"from"`
	Agent     string   `json:"agent"`
	Folder    string   `json:"folder"`
	Functions []string `json:"functions"`
	Entries   []string `json:"entries"`
}

func pullCommand(p *Program) *cobra.Command {
	var from target
	cmd := &cobra.Command{
		Use: "pull DIR", Short: "Make a project folder of an agent of another platform",
		Long: "Reads an agent's functions and entries from another platform and makes a project folder of them, which is not\n" +
			"there yet. Sources and manifests are as their author wrote them; AGENT.md is written anew, without comments.\n" +
			"It needs a portal token (scope read) from " + envToken + " or stdin.",
		Args:    takes(1, 1, "the folder to make"),
		Example: "  benchtop pull ./mia --from https://platform.example --agent mia",
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			if err := mustBeEmpty(dir); err != nil {
				return err
			}
			if from.agent == "" {
				from.agent = agents.Slug(filepath.Base(dir))
			}
			c, err := from.client(p, "from")
			if err != nil {
				return err
			}
			ctx := cmd.Context()
			var a contract.Agent
			if err := c.Get(ctx, client.Agent(from.agent), &a); err != nil {
				return err
			}
			there, err := deploy.Fetch(ctx, c, a.ID)
			if err != nil {
				return err
			}
			if err := deploy.Write(dir, a, there); err != nil {
				return err
			}
			out := pulled{From: c.URL, Agent: a.Username, Folder: dir, Functions: []string{}, Entries: []string{}}
			for _, f := range there.Functions {
				out.Functions = append(out.Functions, f.Name)
			}
			for _, e := range there.Entries {
				out.Entries = append(out.Entries, e.Name())
			}
			return p.show(out, func(w io.Writer) {
				fmt.Fprintf(w, "made %s of %s at %s: %s, %s\n", dir, a.Username, c.URL, plural(len(out.Functions), "function"), entries(len(out.Entries)))
			})
		},
	}
	from.bind(cmd, "from", "address of the platform to read from")
	return cmd
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}
