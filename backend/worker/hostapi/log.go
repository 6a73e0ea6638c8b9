package hostapi

import (
	"fmt"
	"strings"

	"benchtop/backend/contract"
	"benchtop/backend/worker/wire"
)

// What a function may emit in one run. The spec names no limit; without one a
// loop over ctx.emit would fill the platform's memory instead of its own.
const (
	maxEvents     = 1000
	maxEventBytes = contract.MaxBodyBytes
	maxEventName  = 128
)

// log sends one line, until contract.MaxLogBytes of text are used up; then one
// last entry says that there is more.
func (s *Session) log(level, text string) {
	if s.logFull {
		return
	}
	if !fits(&s.logged, max(len(text), 1), contract.MaxLogBytes) {
		s.logFull = true
		level, text = "warn", fmt.Sprintf("The log is full (%d bytes); what follows is left out.", contract.MaxLogBytes)
	}
	s.port.Send(wire.KindLog, wire.Log{AtUs: s.atUs(), LogLine: contract.LogLine{
		Level: level, Message: strings.ToValidUTF8(text, "\uFFFD"), TS: s.Now().UnixMilli()}})
}

// Note adds a line to the log that is the platform's and not the function's:
// something that works here and not on the hosted platform.
func (s *Session) Note(text string) {
	s.port.Send(wire.KindLog, wire.Log{AtUs: s.atUs(), LogLine: contract.LogLine{
		Level: "warn", Message: string(contract.Portability) + ": " + text, TS: s.Now().UnixMilli()}})
}

// emit sends one event.
func (s *Session) emit(event string, payload contract.RawJSON) error {
	if event == "" || len(event) > maxEventName || strings.ContainsAny(event, "\r\n\x00") {
		return fmt.Errorf("ctx.emit: an event name is 1 to %d bytes of one line", maxEventName)
	}
	if s.events++; s.events > maxEvents {
		return contract.Errorf(contract.HostQuotaExceeded, "more than %d events in one invocation", maxEvents)
	}
	if !fits(&s.emitted, len(event)+len(payload), maxEventBytes) {
		return contract.Errorf(contract.HostQuotaExceeded, "more than %d bytes of events in one invocation", maxEventBytes)
	}
	s.port.Send(wire.KindEmit, wire.Emit{AtUs: s.atUs(), EmittedEvent: contract.EmittedEvent{
		Event: event, Payload: payload, TS: s.Now().UnixMilli()}})
	return nil
}

func fits(used *int, n, most int) bool {
	if *used+n > most {
		return false
	}
	*used += n
	return true
}
