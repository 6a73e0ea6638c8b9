package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"benchtop/app/client"
	"benchtop/backend/contract"
)

func agentCommand(p *Program) *cobra.Command {
	return family("agent", "Look at agents and their keys", "", agentListCommand(p), agentShowCommand(p), agentKeyCommand(p))
}

func agentListCommand(p *Program) *cobra.Command {
	var cn connection
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List the agents of the platform", Args: noArgs,
		Example: "  benchtop agent list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.with(cmd, &cn, func(ctx context.Context, l *link) error {
				all := []contract.Agent{}
				if err := l.Get(ctx, "/api/agents", &all); err != nil {
					return err
				}
				return p.show(all, func(w io.Writer) {
					if len(all) == 0 {
						fmt.Fprintln(w, "no agents yet; make a project with `benchtop init DIR` and open it with `benchtop --project DIR`")
						return
					}
					rows := make([][]string, len(all))
					for i, a := range all {
						rows[i] = []string{a.Username, a.ID, orDash(a.Folder), oneLine(a.Description)}
					}
					table(w, []string{"NAME", "ID", "FOLDER", "DESCRIPTION"}, rows)
				})
			})
		},
	}
	cn.bindData(cmd)
	return cmd
}

// shownAgent is what agent show prints.
type shownAgent struct {
	contract.Agent
	Functions []contract.FunctionInfo `json:"functions"`
	Entries   []contract.Consumer     `json:"entries"`
	Endpoints []contract.HTTPEndpoint `json:"endpoints"`
	// Problems are those of its project folder: AGENT.md, modules of endpoints,
	// the rules of the scripted model.
	Problems []contract.Problem `json:"problems,omitempty"`
}

func agentShowCommand(p *Program) *cobra.Command {
	var cn connection
	cmd := &cobra.Command{
		Use: "show [AGENT]", Short: "Show an agent: address, functions, what uses them",
		Args:    takes(0, 1, "an agent or nothing"),
		Example: "  benchtop agent show mia",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cn.take(args); err != nil {
				return err
			}
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				out := shownAgent{Agent: a}
				var entries contract.ConsumerList
				var endpoints contract.EndpointList
				var err error
				if out.Functions, err = l.functions(ctx, a); err != nil {
					return err
				}
				if err := l.Get(ctx, client.Agent(a.ID, "skills"), &entries); err != nil {
					return err
				}
				if err := l.Get(ctx, client.Agent(a.ID, "http-endpoints"), &endpoints); err != nil {
					return err
				}
				out.Entries, out.Endpoints = entries.Entries, endpoints.Endpoints
				var projects contract.ProjectList
				// Folders are the owner's alone; who is somebody else sees the rest.
				if err := l.Get(ctx, "/api/local/projects", &projects); err == nil {
					for _, pr := range projects.Projects {
						if pr.AgentID == a.ID {
							out.Problems = pr.Problems
						}
					}
				} else if !is(err, contract.Forbidden) {
					return err
				}
				return p.show(out, func(w io.Writer) { describeAgent(w, out) })
			})
		},
	}
	cn.bind(cmd)
	return cmd
}

// take makes an argument the agent, where --agent would be another way to say it.
func (cn *connection) take(args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cn.agent != "" {
		return usagef("the agent is named twice: %s and --agent %s", args[0], cn.agent)
	}
	cn.agent = args[0]
	return nil
}

func describeAgent(w io.Writer, a shownAgent) {
	fmt.Fprintf(w, "%s (%s), id %s\n", a.Username, a.Name, a.ID)
	for _, line := range [][2]string{{"description", oneLine(a.Description)}, {"address", a.AgentURL}, {"folder", a.Folder}, {"model", a.Settings.Model.Kind},
		{"visibility", a.Settings.Visibility}, {"transports", strings.Join(a.Settings.Transports, " ")}} {
		fmt.Fprintf(w, "%-12s %s\n", line[0]+":", orDash(line[1]))
	}
	for _, f := range a.Functions {
		fmt.Fprintf(w, "function     %s\n", f.Name)
	}
	for _, e := range a.Entries {
		off := ""
		if !e.Enabled {
			off = " (off)"
		}
		fmt.Fprintf(w, "%-12s %s uses %s%s\n", e.Skill, e.EntryID, e.Use, off)
	}
	for _, e := range a.Endpoints {
		for _, u := range e.URLs {
			fmt.Fprintf(w, "serves       %s %s\n", e.Method, u)
		}
	}
	problems(w, "problem", a.Problems)
}

func agentKeyCommand(p *Program) *cobra.Command {
	var cn connection
	var make, all bool
	var drop string
	cmd := &cobra.Command{
		Use: "key [AGENT]", Short: "List, make and end the API keys of an agent",
		Long: "Lists the API keys of an agent by their beginnings. A new key is printed once and kept as a hash; with it the\n" +
			"agent's own programs call the management API as that agent.",
		Args:    takes(0, 1, "an agent or nothing"),
		Example: "  benchtop agent key mia --new\n  benchtop agent key mia\n  benchtop agent key mia --drop ID",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cn.take(args); err != nil {
				return err
			}
			if n := len(flagsSet(cmd, "new", "drop", "drop-all")); n > 1 {
				return usagef("--new, --drop and --drop-all are three things to do; choose one")
			}
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				path := client.Agent(a.ID, "api-key")
				switch {
				case make:
					var made contract.CreatedKey
					if err := l.Post(ctx, path, nil, &made); err != nil {
						return err
					}
					return p.show(made, func(w io.Writer) { fmt.Fprintln(w, made.RawKey) })
				case drop != "" || all:
					if drop != "" {
						path = client.Agent(a.ID, "api-key", drop)
					}
					var res contract.RevokeResponse
					if err := l.Delete(ctx, path, &res); err != nil {
						return err
					}
					return p.show(res, func(w io.Writer) { fmt.Fprintln(w, "ended") })
				}
				var list contract.KeyList
				if err := l.Get(ctx, path, &list); err != nil {
					return err
				}
				return p.show(list, func(w io.Writer) {
					rows := [][]string{}
					for _, k := range list.Keys {
						rows = append(rows, []string{k.KeyPrefix + "…", k.ID, moment(k.CreatedAt)})
					}
					table(w, []string{"KEY", "ID", "MADE"}, rows)
				})
			})
		},
	}
	cn.bind(cmd)
	f := cmd.Flags()
	f.BoolVar(&make, "new", false, "make a key and print it")
	f.StringVar(&drop, "drop", "", "end the key with this id")
	f.BoolVar(&all, "drop-all", false, "end all of the agent's keys")
	return cmd
}

func flagsSet(cmd *cobra.Command, names ...string) (set []string) {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			set = append(set, name)
		}
	}
	return set
}

func scheduleCommand(p *Program) *cobra.Command {
	return family("schedule", "Look at schedules and run them now", "", scheduleListCommand(p), scheduleRunCommand(p))
}

func scheduleListCommand(p *Program) *cobra.Command {
	var cn connection
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List the schedules of an agent, with their next and last runs", Args: noArgs,
		Example: "  benchtop schedule list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				var list contract.ScheduleList
				if err := l.Get(ctx, client.LocalAgent(a.ID, "schedules"), &list); err != nil {
					return err
				}
				return p.show(list, func(w io.Writer) {
					if len(list.Schedules) == 0 {
						fmt.Fprintf(w, "%s has no schedules; they stand under skills.cron in AGENT.md\n", a.Username)
						return
					}
					var rows [][]string
					for _, s := range list.Schedules {
						next, last := "off", "-"
						if s.Enabled && len(s.Next) > 0 {
							next = moment(s.Next[0])
						}
						if s.LastRun != nil {
							last = moment(s.LastRun.FiredAt) + " " + s.LastRun.Outcome
						}
						rows = append(rows, []string{s.EntryID, s.Use, s.Sentence, next, last})
					}
					table(w, []string{"ID", "FUNCTION", "WHEN", "NEXT", "LAST"}, rows)
				})
			})
		},
	}
	cn.bind(cmd)
	return cmd
}

func scheduleRunCommand(p *Program) *cobra.Command {
	var cn connection
	var at string
	cmd := &cobra.Command{
		Use: "run ID", Short: "Run a schedule now and wait for its end",
		Long:    "Runs what a schedule runs, at once and once, and waits for its end. Exit code 3: the function failed.",
		Args:    takes(1, 1, "the id of a schedule"),
		Example: "  benchtop schedule run nightly\n  benchtop schedule run nightly --at 2028-02-29T00:00:00Z",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkAt(at); err != nil {
				return err
			}
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				res, err := l.RunSchedule(ctx, a.ID, args[0], at)
				if err != nil {
					return err
				}
				err = p.show(res, func(w io.Writer) {
					if res.OK {
						fmt.Fprintf(w, "%s ran: %s (invocation %s)\n", args[0], res.Outcome, res.InvocationID)
						return
					}
					fmt.Fprintf(p.Stderr, "%s failed: %s: %s (invocation %s)\n", args[0], res.ErrorCode, res.ErrorMessage, res.InvocationID)
				})
				if err == nil && !res.OK {
					err = errFailed
				}
				return err
			})
		},
	}
	cn.bind(cmd)
	bindAt(cmd, &at)
	return cmd
}

func openapiCommand(p *Program) *cobra.Command {
	var cn connection
	var file string
	cmd := &cobra.Command{
		Use: "openapi", Short: "Print the OpenAPI document of an agent", Args: noArgs,
		Long:    "Prints the OpenAPI 3.1 document of an agent's functions, tools and endpoints.",
		Example: "  benchtop openapi --agent mia --output openapi.json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				var doc contract.RawJSON
				if err := l.Get(ctx, client.Agent(a.ID, "functions", "openapi.json"), &doc); err != nil {
					return err
				}
				text := pretty(doc) + "\n"
				if file == "" {
					_, err := io.WriteString(p.Stdout, text)
					return err
				}
				return errors.Join(writeWhole(file, []byte(text)), p.show(map[string]string{"file": file}, func(w io.Writer) { fmt.Fprintf(w, "wrote %s\n", file) }))
			})
		},
	}
	cn.bind(cmd)
	cmd.Flags().StringVarP(&file, "output", "o", "", "file to write to instead of stdout")
	return cmd
}
