package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// reload times a save on disk until the new version is announced and answers.
func reload(p *served, _ string, _ int) error {
	req, err := p.request("GET", "/api/local/events", nil)
	if err != nil {
		return err
	}
	resp, err := (&http.Client{}).Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	stream := bufio.NewScanner(resp.Body)
	stream.Buffer(nil, 1<<20)
	file := filepath.Join(p.project, "functions", "reload", "index.js")
	var took []time.Duration
	for i := range 40 {
		begin := time.Now()
		if err := os.WriteFile(file, fmt.Appendf(nil, "export default async () => %d", i+1), 0o644); err != nil {
			return err
		}
		if err := waitDeclared(stream, "reload"); err != nil {
			return err
		}
		took = append(took, time.Since(begin))
		req, err := p.request("POST", "/api/agents/bench/functions/reload/invoke", []byte(`{}`))
		if err != nil {
			return err
		}
		var r struct{ Result int }
		if err := do(req, &r); err != nil {
			return err
		}
		if r.Result != i+1 {
			return fmt.Errorf("after save %d the function answers %d", i+1, r.Result)
		}
	}
	slices.Sort(took)
	fmt.Printf("\nreload, from the write to the new version, debounce included\n  p50 %.1f ms, p95 %.1f ms\n",
		ms(percentile(took, .5)), ms(percentile(took, .95)))
	return nil
}

func waitDeclared(stream *bufio.Scanner, fn string) error {
	event := ""
	for stream.Scan() {
		line := stream.Text()
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			event = name
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var change struct{ Name string }
		if err := json.Unmarshal([]byte(data), &change); err != nil {
			return err
		}
		switch {
		case event == "function.declared" && change.Name == fn:
			return nil
		case event == "function.failed" && change.Name == fn:
			return fmt.Errorf("the saved function does not load: %s", data)
		}
	}
	return fmt.Errorf("the event stream ended: %w", stream.Err())
}

// memory adds up what the whole process tree holds, shared pages counted once.
func memory(p *served, _ string, _ int) error {
	if total, procs := proportional(p.cmd.Process.Pid); procs > 0 {
		fmt.Printf("\nmemory after all this, %d processes: %.1f MB proportional\n", procs, float64(total)/1024)
	}
	return nil
}

// proportional is the memory of a process and its descendants, in KB: what they
// share counts once. There are no processes where the system does not say.
func proportional(root int) (kb, procs int) {
	for _, pid := range tree(root) {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if err != nil {
			continue // not Linux, or gone
		}
		for line := range strings.Lines(string(b)) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "Pss:" {
				n, _ := strconv.Atoi(f[1])
				kb += n
				procs++
			}
		}
	}
	return kb, procs
}

// tree gives a process and its descendants.
func tree(root int) []int {
	children := map[int][]int{}
	entries, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, e := range entries {
		b, err := os.ReadFile(e)
		if err != nil {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(e)))
		_, rest, _ := strings.Cut(string(b), ") ")
		if f := strings.Fields(rest); len(f) > 1 {
			parent, _ := strconv.Atoi(f[1])
			children[parent] = append(children[parent], pid)
		}
	}
	pids := []int{root}
	for i := 0; i < len(pids); i++ {
		pids = append(pids, children[pids[i]]...)
	}
	return pids
}

// startups times a start on a data directory that has a project, until the
// first invocation has answered, and the memory of a platform that idles.
func startups(program string) error {
	home, err := os.MkdirTemp("", "benchtop-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	project := filepath.Join(home, "project")
	if err := writeProject(project); err != nil {
		return err
	}
	var listening, answered []time.Duration
	for i := range 11 {
		begin := time.Now()
		p, err := startIn(home, program, false, "--project", project)
		if err != nil {
			return err
		}
		l := time.Since(begin)
		if err := p.invoke("hello", args); err != nil {
			return err
		}
		if a := time.Since(begin); i > 0 { // the first makes keys and tables
			listening, answered = append(listening, l), append(answered, a)
		} else {
			fmt.Printf("\nvery first start to first answer: %.0f ms\n", ms(a))
		}
		if i == 10 {
			fmt.Print("idle ")
			if err := memory(p, "", 0); err != nil {
				return err
			}
		}
		p.stop()
	}
	slices.Sort(listening)
	slices.Sort(answered)
	fmt.Printf("start to listening: p50 %.0f ms; to first answer: p50 %.0f ms, worst of 10 %.0f ms\n",
		ms(percentile(listening, .5)), ms(percentile(answered, .5)), ms(answered[len(answered)-1]))
	return nil
}
