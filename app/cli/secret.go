package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"benchtop/app/client"
	"benchtop/backend/contract"
)

func secretCommand(p *Program) *cobra.Command {
	return family("secret", "Set the secrets that functions read",
		"A secret belongs to one function, which names it in its manifest. Values are encrypted, are never shown again,\n"+
			"and are never taken from the command line, where other programs could read them.",
		secretSetCommand(p), secretListCommand(p), secretRemoveCommand(p), secretImportCommand(p))
}

func secretSetCommand(p *Program) *cobra.Command {
	var cn connection
	cmd := &cobra.Command{
		Use: "set FUNCTION NAME", Short: "Set a secret; the value comes from a prompt or from stdin",
		Long: "Sets a secret of a function. At a terminal the value is asked for and not shown; else it is all of stdin,\n" +
			"without the line break at its end.",
		Args:    takes(2, 2, "a function and the name of a secret"),
		Example: "  benchtop secret set quote API_KEY\n  pass show api | benchtop secret set quote API_KEY",
		RunE: func(cmd *cobra.Command, args []string) error {
			value, err := p.secretValue(args[1])
			if err != nil {
				return err
			}
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				var res contract.SecretResponse
				if err := l.setSecret(ctx, a, args[0], args[1], value, &res); err != nil {
					return err
				}
				return p.show(res, func(w io.Writer) { fmt.Fprintf(w, "set %s of %s\n", args[1], args[0]) })
			})
		},
	}
	cn.bind(cmd)
	cmd.ValidArgsFunction = p.completeFunctions(&cn)
	return cmd
}

func (l *link) setSecret(ctx context.Context, a contract.Agent, function, name, value string, out *contract.SecretResponse) error {
	return l.Post(ctx, client.Agent(a.ID, "functions", function, "secret"), contract.SecretRequest{Binding: name, Value: value}, out)
}

// secretValue asks for a value, or reads it from stdin.
func (p *Program) secretValue(name string) (string, error) {
	if p.Stdin == nil {
		return "", errors.New("there is no stdin to read the value from")
	}
	if f, ok := p.Stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprintf(p.Stderr, "value of %s (not shown): ", name)
		b, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(p.Stderr)
		return string(b), err
	}
	b, err := io.ReadAll(io.LimitReader(p.Stdin, contract.MaxSecretBytes+3))
	if err != nil {
		return "", err
	}
	value := strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r")
	switch {
	case value == "":
		return "", usagef("stdin is empty; write the value to it: printf %%s VALUE | benchtop secret set FUNCTION %s", name)
	case len(value) > contract.MaxSecretBytes:
		return "", fmt.Errorf("stdin has more than the %d bytes of a secret", contract.MaxSecretBytes)
	}
	return value, nil
}

func secretListCommand(p *Program) *cobra.Command {
	var cn connection
	cmd := &cobra.Command{
		Use: "list [FUNCTION]", Aliases: []string{"ls"}, Short: "List secrets, which are declared and which are set; never a value",
		Args:    takes(0, 1, "a function or nothing"),
		Example: "  benchtop secret list",
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				function := ""
				if len(args) == 1 {
					function = args[0]
				}
				list, err := l.secretsOf(ctx, a, function)
				if err != nil {
					return err
				}
				return p.show(list, func(w io.Writer) {
					var rows [][]string
					for _, s := range list.Secrets {
						set, note := "missing", ""
						if s.Set {
							set = "set"
							if s.SetAt != nil {
								set += " " + moment(*s.SetAt)
							}
						}
						if !s.Declared {
							note = "no manifest names it"
						}
						rows = append(rows, []string{s.Function, s.Binding, set, note})
					}
					if len(rows) == 0 {
						fmt.Fprintln(w, "no function declares a secret, and none is set")
						return
					}
					table(w, []string{"FUNCTION", "SECRET", "VALUE", ""}, rows)
				})
			})
		},
	}
	cn.bind(cmd)
	cmd.ValidArgsFunction = p.completeFunctions(&cn)
	return cmd
}

func secretRemoveCommand(p *Program) *cobra.Command {
	var cn connection
	cmd := &cobra.Command{
		Use: "rm FUNCTION NAME", Aliases: []string{"remove"}, Short: "Remove a secret",
		Args:    takes(2, 2, "a function and the name of a secret"),
		Example: "  benchtop secret rm quote API_KEY",
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				var res contract.SecretResponse
				path := client.Agent(a.ID, "functions", args[0], "secret") + "?binding=" + url.QueryEscape(args[1])
				if err := l.Delete(ctx, path, &res); err != nil {
					return err
				}
				return p.show(res, func(w io.Writer) {
					if res.Removed != nil && *res.Removed {
						fmt.Fprintf(w, "removed %s of %s\n", args[1], args[0])
					} else {
						fmt.Fprintf(w, "%s of %s was not set\n", args[1], args[0])
					}
				})
			})
		},
	}
	cn.bind(cmd)
	cmd.ValidArgsFunction = p.completeFunctions(&cn)
	return cmd
}

// imported is what secret import did; it has no values.
type imported struct {
	Set     []setSecret `json:"set"`
	Skipped []string    `json:"skipped"` // names that no function declares
}

type setSecret struct {
	Function string `json:"function"`
	Binding  string `json:"binding"`
}

func secretImportCommand(p *Program) *cobra.Command {
	var cn connection
	var function string
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Set secrets from a .env file",
		Long: "Reads NAME=VALUE lines and sets each value for every function whose manifest names it. With --function all of\n" +
			"them are set for that function, named in its manifest or not. FILE may be - for stdin.",
		Args:    takes(1, 1, "a file, or - for stdin"),
		Example: "  benchtop secret import .env\n  benchtop secret import .env --function quote",
		RunE: func(cmd *cobra.Command, args []string) error {
			from := "@" + args[0]
			if args[0] == "-" {
				from = "-"
			}
			text, err := p.value(from)
			if err != nil {
				return err
			}
			pairs, err := parseEnv(args[0], text)
			if err != nil {
				return err
			}
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				done, err := l.importSecrets(ctx, a, function, pairs)
				return errors.Join(err, p.show(done, func(w io.Writer) {
					for _, s := range done.Set {
						fmt.Fprintf(w, "set %s of %s\n", s.Binding, s.Function)
					}
					for _, name := range done.Skipped {
						fmt.Fprintf(w, "skipped %s: no manifest names it\n", name)
					}
				}))
			})
		},
	}
	cn.bind(cmd)
	cmd.Flags().StringVar(&function, "function", "", "set all of them for this function")
	return cmd
}

func (l *link) importSecrets(ctx context.Context, a contract.Agent, function string, pairs []envPair) (imported, error) {
	done := imported{Set: []setSecret{}, Skipped: []string{}}
	list, err := l.secretsOf(ctx, a, "")
	if err != nil {
		return done, err
	}
	for _, pair := range pairs {
		readers := []string{function}
		if function == "" {
			readers = nil
			for _, s := range list.Secrets {
				if s.Declared && s.Binding == pair.name {
					readers = append(readers, s.Function)
				}
			}
		}
		if len(readers) == 0 {
			done.Skipped = append(done.Skipped, pair.name)
		}
		for _, fn := range readers {
			if err := l.setSecret(ctx, a, fn, pair.name, pair.value, new(contract.SecretResponse)); err != nil {
				return done, fmt.Errorf("%s of %s: %w", pair.name, fn, err)
			}
			done.Set = append(done.Set, setSecret{fn, pair.name})
		}
	}
	return done, nil
}

type envPair struct{ name, value string }

// parseEnv reads the lines of a .env file: NAME=VALUE, a comment or nothing,
// with or without export in front. 'single' quotes keep everything, "double"
// ones know \n, \r, \t, \" and \\ and may go over lines. An error names the line
// and never its text.
func parseEnv(file string, text []byte) ([]envPair, error) {
	var pairs []envPair
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxInput)
	for n := 1; lines.Scan(); n++ {
		start := n
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "export "); ok {
			line = strings.TrimSpace(rest)
		}
		name, value, found := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !found || !envName(name) {
			return nil, fmt.Errorf("%s:%d is no NAME=VALUE", file, start)
		}
		value = strings.TrimSpace(value)
		if value != "" && (value[0] == '"' || value[0] == '\'') {
			quote := value[:1]
			body := value[1:]
			end := closing(body, quote[0])
			for end < 0 && lines.Scan() {
				n++
				body += "\n" + lines.Text()
				end = closing(body, quote[0])
			}
			if end < 0 {
				return nil, fmt.Errorf("%s:%d: the quote is never closed", file, start)
			}
			if rest := strings.TrimSpace(body[end+1:]); rest != "" && rest[0] != '#' {
				return nil, fmt.Errorf("%s:%d: there is more behind the closing quote", file, n)
			}
			value = body[:end]
			if quote == `"` {
				value = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\"`, `"`, `\\`, `\`).Replace(value)
			}
		} else if i := strings.Index(value, " #"); i >= 0 {
			value = strings.TrimSpace(value[:i])
		}
		if value == "" {
			continue // not set is what an empty value means in such files
		}
		pairs = append(pairs, envPair{name, value})
	}
	return pairs, lines.Err()
}

func envName(name string) bool {
	for i, c := range name {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '.' && c != '-') {
			return false
		}
	}
	return name != ""
}

// closing is where the quote ends, -1 when it does not.
func closing(text string, quote byte) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote:
			return i
		}
	}
	return -1
}
