package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"benchtop/app/client"
	"benchtop/backend/auth"
	"benchtop/backend/contract"
)

// runName is the file in which a running platform says where it is.
const runName = "run.json"

// Running is a platform that runs, as run.json and the ready file describe it
// (decisions.md 1). As an error it says that it has the data directory.
type Running struct {
	URL  string `json:"url"`
	PID  int    `json:"pid"`
	Data string `json:"data"`
}

func (r *Running) Error() string {
	return fmt.Sprintf("already running at %s (process %d) with the data directory %s", r.URL, r.PID, r.Data)
}

// write puts it into a file at once, so that a reader sees all of it or none.
func (r *Running) write(path string) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(append(b, '\n'))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// readRunning reads what the platform of a data directory left.
func readRunning(dir string) (*Running, error) {
	b, err := os.ReadFile(filepath.Join(dir, runName))
	if err != nil {
		return nil, err
	}
	r := &Running{}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, runName), err)
	}
	r.Data = dir // the owner key is read from where the file was found
	return r, nil
}

// answers reports whether a platform is there. What a process that died left
// behind may name a port that somebody else has now.
func (r *Running) answers(ctx context.Context) bool {
	b, err := askBoot(ctx, r.URL)
	return err == nil && b.DataID != ""
}

// client speaks to a running platform as its owner.
func (r *Running) client() (*client.Client, error) {
	key, err := auth.OwnerKey(r.Data)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has no owner.key", r.Data)
	}
	return &client.Client{URL: r.URL, Bearer: key}, err
}

// bootPatience is how long an address may take to say whether it is a platform:
// one on a machine that is busy answers late.
const bootPatience = 10 * time.Second

// askBoot asks an address whether it is a platform.
func askBoot(ctx context.Context, url string) (contract.Boot, error) {
	ctx, cancel := context.WithTimeout(ctx, bootPatience)
	defer cancel()
	var b contract.Boot
	err := (&client.Client{URL: url}).Get(ctx, "/boot.json", &b)
	return b, err
}
