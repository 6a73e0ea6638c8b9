package window

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Sizes in the window system's own units (pixels divided by the scale).
const (
	defaultWidth, defaultHeight = 1360, 880
	minWidth, minHeight         = 720, 480
)

// state is how the window stood when it was closed. X and Y are relative to
// the screen; Placed says whether they are known.
type state struct {
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Placed    bool `json:"placed"`
	Maximised bool `json:"maximised"`
}

func defaultState() state { return state{Width: defaultWidth, Height: defaultHeight} }

// loadState reads a state. A missing, unreadable or nonsensical file gives the
// default one: where a window stood is never a reason not to open it.
func loadState(path string) (state, error) {
	if path == "" {
		return defaultState(), nil
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return defaultState(), nil
	}
	if err != nil {
		return defaultState(), err
	}
	var s state
	if err := json.Unmarshal(raw, &s); err != nil {
		return defaultState(), fmt.Errorf("%s: %w", path, err)
	}
	if s.Width < minWidth || s.Height < minHeight {
		s.Width, s.Height, s.Placed = defaultWidth, defaultHeight, false
	}
	return s, nil
}

// saveState replaces the file at path in one step.
func saveState(path string, s state) error {
	if path == "" {
		return nil
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, werr := tmp.Write(raw)
	if err := errors.Join(werr, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// clamp makes a remembered window fit a screen of the given size: no larger
// than the screen and wholly on it, so that its title bar can be reached. An
// unknown screen (0) changes nothing.
func (s state) clamp(screenWidth, screenHeight int) state {
	if screenWidth <= 0 || screenHeight <= 0 {
		return s
	}
	s.Width, s.X = fit(s.Width, s.X, screenWidth)
	s.Height, s.Y = fit(s.Height, s.Y, screenHeight)
	return s
}

func fit(size, at, screen int) (fitSize, fitAt int) {
	size = min(size, screen)
	return size, max(0, min(at, screen-size))
}
