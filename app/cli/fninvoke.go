package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"benchtop/app/client"
	"benchtop/backend/contract"
)

// call are the flags that make the body of spec 4.2.
type callFlags struct {
	args, body, http, key, as, at string
	headers                       []string
	cron, watch                   bool
}

func fnInvokeCommand(p *Program) *cobra.Command {
	var cn connection
	var c callFlags
	cmd := &cobra.Command{
		Use: "invoke NAME [KEY=TEXT | KEY:=JSON]...", Aliases: []string{"call", "run"}, Short: "Run a function and print its result",
		Long: "Runs a function once. Its result goes to stdout, its log to stderr. Arguments of a tool are given one by\n" +
			"one or as JSON with --args; --http makes the request of an endpoint, --cron the run of a schedule.\n" +
			"A value of - is read from stdin, one of @FILE from a file. Exit code 3: the function failed.",
		Args: takes(1, -1, "the name of a function and its arguments"),
		Example: "  benchtop fn invoke greet name=Ada\n" +
			"  benchtop fn invoke quote rooms:=3 --events\n" +
			"  echo '{\"name\":\"Ada\"}' | benchtop fn invoke greet --args -\n" +
			"  benchtop fn invoke digest --cron --at 2026-12-31T23:59:50+01:00\n" +
			"  benchtop fn invoke hook --http 'POST /hooks/stripe?x=1' --header 'X-Kind: test' --body @event.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			body, err := c.bodyOf(p, args[1:])
			if err != nil {
				return err
			}
			if callers := []string{contract.CallAsOwner, contract.CallAsPortal, contract.CallAsAnonymous}; c.as != "" && !slices.Contains(callers, c.as) {
				return usagef("--as is one of %s, not %q", strings.Join(callers, ", "), c.as)
			}
			if err := checkAt(c.at); err != nil {
				return err
			}
			return p.withAgent(cmd, &cn, func(ctx context.Context, l *link, a contract.Agent) error {
				var emit func(client.Event) error
				if c.watch {
					emit = func(ev client.Event) error {
						_, err := fmt.Fprintf(p.Stderr, "[%s] %s\n", ev.Name, oneLine(string(ev.Data)))
						return err
					}
				}
				res, replayed, err := l.Invoke(ctx, a.ID, args[0], body, client.InvokeOptions{Key: c.key, As: c.as, Clock: c.at, Emit: emit})
				if err != nil {
					return err
				}
				return p.showRun(args[0], res, replayed)
			})
		},
	}
	cn.bind(cmd)
	f := cmd.Flags()
	f.StringVar(&c.args, "args", "", "the tool's arguments as a JSON object, - for stdin or @FILE")
	f.StringVar(&c.http, "http", "", "method and path of a request, such as 'POST /hooks/stripe?x=1'")
	f.StringVar(&c.body, "body", "", "body of the request: JSON or any text, - for stdin or @FILE")
	f.StringArrayVar(&c.headers, "header", nil, "header of the request, such as 'X-Kind: test'; may be repeated")
	f.BoolVar(&c.cron, "cron", false, "run it as a schedule does")
	f.StringVar(&c.key, "idempotency-key", "", "run at most once in 24 hours under this key")
	f.StringVar(&c.as, "as", "", "who calls: owner, portal (a portal token of somebody else) or anonymous")
	bindAt(cmd, &c.at)
	f.BoolVar(&c.watch, "events", false, "print the function's events to stderr as they happen")
	cmd.ValidArgsFunction = p.completeFunctions(&cn)
	return cmd
}

// bindAt is the flag of the commands that run a function by hand.
func bindAt(cmd *cobra.Command, at *string) {
	cmd.Flags().StringVar(at, "at", "", "the moment at which the function's clock begins, such as 2026-12-31T23:59:50+01:00; a time zone may follow in brackets")
}

func checkAt(at string) error {
	if at == "" {
		return nil
	}
	if _, err := contract.ParseClock(at); err != nil {
		return usagef("--at: %s", contract.AsError(err).Message)
	}
	return nil
}

// showRun prints what a run gave.
func (p *Program) showRun(name string, res contract.InvokeResult, replayed bool) error {
	if p.asJSON {
		if err := p.showJSON(res); err != nil {
			return err
		}
	} else {
		for _, line := range res.Logs {
			fmt.Fprintln(p.Stderr, logLine(line))
		}
		if replayed {
			fmt.Fprintf(p.Stderr, "the answer of invocation %s, which ran under this key before\n", res.InvocationID)
		}
		if res.OK {
			fmt.Fprintln(p.Stdout, pretty(res.Result))
		} else {
			at := ""
			if res.ErrorAt != nil {
				at = fmt.Sprintf(" at %s:%d:%d", res.ErrorAt.File, res.ErrorAt.Line, res.ErrorAt.Column)
			}
			fmt.Fprintf(p.Stderr, "%s failed%s: %s: %s (invocation %s)\n", name, at, res.ErrorCode, res.ErrorMessage, res.InvocationID)
		}
	}
	if !res.OK {
		return errFailed
	}
	return nil
}

func logLine(line contract.LogLine) string {
	text := fmt.Sprintf("[%s] %s", line.Level, line.Message)
	if len(line.Data) > 0 {
		text += " " + oneLine(string(line.Data))
	}
	return text
}

// bodyOf makes the body of spec 4.2.
func (c *callFlags) bodyOf(p *Program, pairs []string) (json.RawMessage, error) {
	kinds := 0
	for _, given := range []bool{c.args != "" || len(pairs) > 0, c.http != "", c.cron} {
		if given {
			kinds++
		}
	}
	switch {
	case kinds > 1:
		return nil, usagef("arguments, --http and --cron are three ways to call; choose one")
	case c.args != "" && len(pairs) > 0:
		return nil, usagef("give the arguments with --args or one by one, not both")
	case c.http == "" && (c.body != "" || len(c.headers) > 0):
		return nil, usagef("--body and --header belong to --http")
	case c.http != "":
		return c.request(p)
	case c.args != "":
		text, err := p.value(c.args)
		if err != nil {
			return nil, err
		}
		if t := bytes.TrimSpace(text); !json.Valid(t) || len(t) == 0 || t[0] != '{' {
			return nil, usagef("--args is a JSON object such as '{\"name\":\"Ada\"}'")
		}
		return json.Marshal(map[string]json.RawMessage{"args": text})
	case len(pairs) > 0:
		args, err := argumentsOf(pairs)
		if err != nil {
			return nil, err
		}
		return json.Marshal(map[string]any{"args": args})
	}
	return json.RawMessage(`{}`), nil
}

// argumentsOf reads KEY=TEXT and KEY:=JSON.
func argumentsOf(pairs []string) (map[string]any, error) {
	args := map[string]any{}
	for _, pair := range pairs {
		key, value, found := strings.Cut(pair, "=")
		if !found || key == "" || key == ":" {
			return nil, usagef("%q is no argument; write KEY=TEXT, or KEY:=JSON for a number, a list and the like", pair)
		}
		if name, isJSON := strings.CutSuffix(key, ":"); isJSON {
			if !json.Valid([]byte(value)) {
				return nil, usagef("%s: %q is no JSON; for a text write %s=%s", name, value, name, value)
			}
			args[name] = json.RawMessage(value)
			continue
		}
		args[key] = value
	}
	return args, nil
}

func (c *callFlags) request(p *Program) (json.RawMessage, error) {
	method, target, _ := strings.Cut(strings.TrimSpace(c.http), " ")
	target = strings.TrimSpace(target)
	if method == "" || target != "" && target[0] != '/' {
		return nil, usagef("--http is a method and a path, such as 'POST /hooks/stripe'")
	}
	path, query, _ := strings.Cut(target, "?")
	req := map[string]any{"method": strings.ToUpper(method)}
	if path != "" {
		req["path"] = path
	}
	if query != "" {
		q, err := queryOf(query)
		if err != nil {
			return nil, err
		}
		req["query"] = q
	}
	if len(c.headers) > 0 {
		headers := map[string]string{}
		for _, h := range c.headers {
			name, value, found := strings.Cut(h, ":")
			if !found || strings.TrimSpace(name) == "" {
				return nil, usagef("--header %q is no header; write 'Name: value'", h)
			}
			headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
		req["headers"] = headers
	}
	if c.body != "" {
		text, err := p.value(c.body)
		if err != nil {
			return nil, err
		}
		if json.Valid(text) {
			req["body"] = json.RawMessage(text)
		} else {
			req["body"] = string(text)
		}
	}
	return json.Marshal(req)
}

// maxInput is how much is read from stdin or a file in bytes.
const maxInput = 8 * contract.MB

// value is a text of the command line, of stdin (-) or of a file (@FILE).
func (p *Program) value(text string) ([]byte, error) {
	from := p.Stdin
	switch {
	case text == "-":
		if from == nil {
			return nil, errors.New("there is no stdin to read from")
		}
	case strings.HasPrefix(text, "@"):
		f, err := os.Open(text[1:])
		if err != nil {
			return nil, err
		}
		defer f.Close()
		from = f
	default:
		return []byte(text), nil
	}
	b, err := io.ReadAll(io.LimitReader(from, maxInput+1))
	if err == nil && len(b) > maxInput {
		err = fmt.Errorf("%s has more than %d bytes", text, maxInput)
	}
	return b, err
}

// queryOf reads a query; of a key that is there twice the last value counts.
func queryOf(text string) (map[string]string, error) {
	q, err := url.ParseQuery(text)
	if err != nil {
		return nil, usagef("the query %q cannot be read: %w", text, err)
	}
	out := map[string]string{}
	for k, vs := range q {
		out[k] = vs[len(vs)-1]
	}
	return out, nil
}
