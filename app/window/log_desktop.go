//go:build desktop || dev || bindings

package window

import (
	"log/slog"
	"os"
)

// wailsLog sends what Wails says into the program's log.
type wailsLog struct{ log *slog.Logger }

func (l wailsLog) Print(message string)   { l.log.Debug("wails: " + message) }
func (l wailsLog) Trace(message string)   { l.log.Debug("wails: " + message) }
func (l wailsLog) Debug(message string)   { l.log.Debug("wails: " + message) }
func (l wailsLog) Info(message string)    { l.log.Info("wails: " + message) }
func (l wailsLog) Warning(message string) { l.log.Warn("wails: " + message) }
func (l wailsLog) Error(message string)   { l.log.Error("wails: " + message) }

// Fatal ends the program: Wails does not expect to go on after it.
func (l wailsLog) Fatal(message string) {
	l.log.Error("wails: " + message)
	os.Exit(1)
}
