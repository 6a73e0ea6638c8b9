package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"benchtop/backend/contract"
)

const (
	idleSockets = 500
	openStreams = 200
)

var streamFiles = map[string]string{
	"AGENT.md": `---
name: crowd
endpoints:
  - { path: "/live", websocket: true, handler: endpoints/live.js }
  - { path: "/wait", method: get, content_type: text/event-stream, handler: endpoints/wait.js }
---
`,
	"endpoints/live.js": `export default async ({ socket }) => {
  await socket.send({ hello: true })
  for await (const m of socket) await socket.send(m)
}
`,
	// The padding fills the pipes, so that the handler then waits for its reader.
	"endpoints/wait.js": `export default async function* () {
  for (let i = 0; ; i++) yield 'x'.repeat(32768)
}
`,
}

// streams opens many WebSockets that say nothing and event streams whose readers
// take nothing, and says what each costs, how long an answer beside them takes,
// and how long until all is free again when their clients are gone.
func streams(p *served, _ string, _ int) error {
	folder := filepath.Join(p.home, "crowd")
	for name, text := range streamFiles {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := p.call("POST", "/api/local/projects", map[string]string{"path": folder}, nil); err != nil {
		return err
	}
	alone, err := median(func() error { return p.invoke("hello", args) })
	if err != nil {
		return err
	}
	before := p.settled()
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	sockets, err := dialAll(ctx, "ws"+strings.TrimPrefix(p.url, "http")+"/crowd/live")
	if err != nil {
		return err
	}
	withSockets := p.settled()
	if err := readNothing(ctx, p.url+"/crowd/wait"); err != nil {
		return err
	}
	withStreams := p.settled()
	echo, err := median(func() error { return sayHello(sockets[len(sockets)/2]) })
	if err != nil {
		return err
	}
	beside, err := median(func() error { return p.invoke("hello", args) })
	if err != nil {
		return err
	}
	var status contract.Status
	if err := p.call("GET", "/api/local/status", nil, &status); err != nil {
		return err
	}
	fmt.Printf("\n%d idle WebSockets and %d event streams nobody reads, in %d worker processes\n", idleSockets, openStreams, status.Executor.Workers)
	fmt.Printf("  memory for each WebSocket       %6.0f KB (platform and workers, proportional)\n", each(before, withSockets, idleSockets))
	fmt.Printf("  memory for each event stream    %6.0f KB\n", each(withSockets, withStreams, openStreams))
	fmt.Printf("  a message and its echo          %8v\n", echo.Round(time.Microsecond))
	fmt.Printf("  a hello: alone, then beside     %8v %8v\n", alone.Round(time.Microsecond), beside.Round(time.Microsecond))
	began := time.Now()
	for _, c := range sockets {
		_ = c.NetConn().Close()
	}
	leave()
	for status.Executor.InFlight > 0 {
		if err := p.call("GET", "/api/local/status", nil, &status); err != nil {
			return err
		}
	}
	fmt.Printf("  until all clients are forgotten %8v\n", time.Since(began).Round(time.Millisecond))
	return nil
}

// settled waits until the program's memory does not change any more.
func (p *served) settled() int {
	last := 0
	for range 30 {
		now, procs := proportional(p.cmd.Process.Pid)
		if procs == 0 {
			return 0
		}
		if d := now - last; last > 0 && max(d, -d) < last/100 {
			return now
		}
		last = now
		time.Sleep(500 * time.Millisecond)
	}
	return last
}

func each(before, after, n int) float64 { return float64(after-before) / float64(n) }

func median(f func() error) (time.Duration, error) {
	d, err := alternate(10, 20, f)
	if err != nil {
		return 0, err
	}
	return percentile(d[0], 0.5), nil
}

// dialAll opens the WebSockets and waits for each one's first message.
func dialAll(ctx context.Context, url string) ([]*websocket.Conn, error) {
	conns := make([]*websocket.Conn, idleSockets)
	errs := make(chan error, idleSockets)
	var left sync.WaitGroup
	slots := make(chan struct{}, 16)
	for i := range conns {
		slots <- struct{}{}
		left.Go(func() {
			defer func() { <-slots }()
			c, resp, err := websocket.DefaultDialer.DialContext(ctx, url, nil)
			if err == nil {
				_ = resp.Body.Close() // it is empty
				conns[i] = c
				_, _, err = c.ReadMessage()
			}
			if err != nil {
				errs <- err
			}
		})
	}
	left.Wait()
	select {
	case err := <-errs:
		return nil, err
	default:
		return conns, nil
	}
}

func sayHello(c *websocket.Conn) error {
	if err := c.WriteMessage(websocket.TextMessage, args); err != nil {
		return err
	}
	var back json.RawMessage
	return c.ReadJSON(&back)
}

// readNothing opens the event streams and reads their first line.
func readNothing(ctx context.Context, url string) error {
	errs := make(chan error, openStreams)
	for range openStreams {
		go func() {
			req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
			if err != nil {
				errs <- err
				return
			}
			resp, err := http.DefaultTransport.RoundTrip(req) //nolint:bodyclose // nobody reads it until ctx ends, which closes it
			if err == nil {
				_, err = bufio.NewReaderSize(resp.Body, 16).ReadByte()
			}
			errs <- err
		}()
	}
	for range openStreams {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}
