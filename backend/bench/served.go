package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// served is a running benchtop.
type served struct {
	cmd     *exec.Cmd
	url     string
	key     string
	project string
	once    sync.Once
	home    string
}

func startHello() (url string, stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	cmd := exec.Command(self, "-role", "hello")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	return strings.TrimSpace(line), func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }, err
}

// start runs the program on a port of its own choice and waits until it says
// that it listens.
func start(program string, ephemeral bool, args ...string) (*served, error) {
	home, err := os.MkdirTemp("", "benchtop-bench-")
	if err != nil {
		return nil, err
	}
	return startIn(home, program, ephemeral, args...)
}

func startIn(home, program string, ephemeral bool, args ...string) (*served, error) {
	ready := filepath.Join(home, "ready.json")
	_ = os.Remove(ready)
	argv := append([]string{"serve", "--addr", "127.0.0.1:0", "--ready-file", ready}, args...)
	if ephemeral {
		argv = append(argv, "--ephemeral")
	} else {
		argv = append(argv, "--data", filepath.Join(home, "data"))
	}
	cmd := exec.Command(program, argv...)
	cmd.Env = append(os.Environ(), "HOME="+home, "BENCHTOP_KEYCHAIN=off")
	log, err := os.Create(filepath.Join(home, "serve.log"))
	if err != nil {
		return nil, err
	}
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &served{cmd: cmd, home: home, project: filepath.Join(home, "project")}
	lines := bufio.NewReader(out)
	if _, err := lines.ReadString('\n'); err != nil {
		b, _ := os.ReadFile(log.Name())
		return nil, fmt.Errorf("%s did not start: %s", program, b)
	}
	if _, err := lines.ReadString('\n'); err != nil { // the second line comes after the ready file
		return nil, err
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	var r struct{ URL, Data string }
	b, err := os.ReadFile(ready)
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil {
		return nil, err
	}
	key, err := os.ReadFile(filepath.Join(r.Data, "owner.key"))
	p.url, p.key = r.URL, strings.TrimSpace(string(key))
	return p, err
}

func (p *served) stop() {
	p.once.Do(func() {
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		_ = p.cmd.Wait()
	})
}

var sources = map[string]string{
	"hello": `export default async (ctx) => ({ hi: ctx.toolCall.params.name })`,
	"store": `export default async (ctx) => {
  await ctx.kv.put("n", ctx.toolCall.params)
  return await ctx.kv.get("n")
}`,
	"spin":   `export default async () => { while (true) {} }`,
	"hoard":  `export default async () => { const a = []; while (true) a.push("x".repeat(1000) + a.length) }`,
	"reload": `export default async () => 0`,
}

var manifests = map[string]string{
	"store": `{"runtime":"js-v1","permissions":{"kv":"rw"}}`,
	"spin":  `{"runtime":"js-v1","limits":{"wallMs":1000}}`,
	"hoard": `{"runtime":"js-v1","limits":{"wallMs":1000,"memoryMb":64}}`,
}

func (p *served) makeProject() error {
	if err := writeProject(p.project); err != nil {
		return err
	}
	var out struct{ AgentID string }
	return p.call("POST", "/api/local/projects", map[string]string{"path": p.project}, &out)
}

func writeProject(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "AGENT.md"), []byte("---\nname: bench\n---\n"), 0o644); err != nil {
		return err
	}
	for name, source := range sources {
		fn := filepath.Join(dir, "functions", name)
		manifest := manifests[name]
		if manifest == "" {
			manifest = `{"runtime":"js-v1"}`
		}
		if err := os.MkdirAll(fn, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(fn, "index.js"), []byte(source), 0o644); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(fn, "manifest.json"), []byte(manifest), 0o644); err != nil {
			return err
		}
	}
	return nil
}

var client = &http.Client{
	Transport: &http.Transport{MaxIdleConnsPerHost: 256, DisableCompression: true},
	Timeout:   60 * time.Second,
}

func (p *served) request(method, path string, body []byte) (*http.Request, error) {
	req, err := http.NewRequest(method, p.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+p.key)
	req.Header.Set("Content-Type", "application/json")
	return req, nil
}

// call does one JSON request and fails on any status but 2xx.
func (p *served) call(method, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := p.request(method, path, body)
	if err != nil {
		return err
	}
	return do(req, out)
}

func do(req *http.Request, out any) error {
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s: %d %s", req.Method, req.URL.Path, resp.StatusCode, b)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(b, out)
}

// invoke calls a function and fails unless it went well.
func (p *served) invoke(fn string, body []byte) error {
	req, err := p.request("POST", "/api/agents/bench/functions/"+fn+"/invoke", body)
	if err != nil {
		return err
	}
	var r struct {
		OK           bool
		ErrorCode    string
		ErrorMessage string
	}
	if err := do(req, &r); err != nil {
		return err
	}
	if !r.OK {
		return fmt.Errorf("%s: %s %s", fn, r.ErrorCode, r.ErrorMessage)
	}
	return nil
}
