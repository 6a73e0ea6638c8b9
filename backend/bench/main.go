// Command bench measures the built program from outside, as its users meet it:
// it starts `benchtop serve` on an empty data directory, calls it over HTTP and
// prints figures beside those of a bare net/http server in the same run, so
// that the ratios mean something on any machine.
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"time"
)

func main() {
	program := flag.String("program", "build/bin/benchtop", "the program to measure")
	calls := flag.Int("calls", 4000, "calls per figure with one caller")
	role := flag.String("role", "", "hello: serve a bare hello; fill: write a long history; load: invoke all the time; none: measure")
	home := flag.String("home", "", "fill: the directory that gets data and project")
	rows := flag.Int("rows", 100_000, "fill: how many runs")
	url := flag.String("url", "", "load: the platform; BENCHTOP_KEY is its owner key")
	rate := flag.Int("rate", 500, "load: calls per second")
	span := flag.Duration("span", time.Minute, "load: for how long")
	flag.Parse()
	var err error
	switch *role {
	case "hello":
		serveHello()
	case "fill":
		err = fillHome(*home, *program, *rows)
	case "load":
		err = loadPlatform(*url, os.Getenv("BENCHTOP_KEY"), *rate, *span)
	default:
		err = run(*program, *calls)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// serveHello is what everything is compared with: net/http and nothing else, in
// a process of its own.
func serveHello() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println("http://" + l.Addr().String())
	answer := []byte(`{"ok":true,"result":{"hi":"Ada"}}`)
	panic(http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	})))
}

func run(program string, calls int) error {
	fmt.Printf("%s, %d cores, %s\n\n", runtime.Version(), runtime.NumCPU(), time.Now().UTC().Format("2006-01-02 15:04Z"))
	bare, stop, err := startHello()
	if err != nil {
		return err
	}
	defer stop()
	p, err := start(program, true)
	if err != nil {
		return err
	}
	defer p.stop()
	if err := p.makeProject(); err != nil {
		return err
	}
	for _, step := range []func(*served, string, int) error{
		latencies, throughput, neighbour, reload, memory, streams, money,
	} {
		if err := step(p, bare, calls); err != nil {
			return err
		}
	}
	p.stop()
	return startups(program)
}
