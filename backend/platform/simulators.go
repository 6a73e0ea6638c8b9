package platform

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/project"
)

const (
	simulatorFile = "simulator.json"
	maxSimulator  = 16 * contract.KB
)

// simulators keep the simulator of each agent: in .benchtop/simulator.json of
// its folder, where an edit by hand counts from the next payment on, or in
// memory for an agent without one.
type simulators struct {
	agents  *agents.Agents
	publish func(contract.EventName, any)
	log     *slog.Logger

	mu   sync.Mutex
	kept map[string]keptSimulator // by agent id
}

type keptSimulator struct {
	contract.Simulator
	modified time.Time
	size     int64
	err      error
}

func newSimulators(ag *agents.Agents, publish func(contract.EventName, any), log *slog.Logger) *simulators {
	return &simulators{agents: ag, publish: publish, log: log, kept: map[string]keptSimulator{}}
}

// faults is payments.Config.Faults. A file that cannot be read simulates nothing.
func (s *simulators) faults(agentID string) contract.Simulator {
	a, ok := s.agents.Resolve(agentID)
	if !ok {
		return contract.Simulator{}
	}
	now, err := s.Simulator(a)
	if err != nil {
		return contract.Simulator{}
	}
	return now
}

// Simulator implements httpapi.Simulator.
func (s *simulators) Simulator(a agents.Agent) (contract.Simulator, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	had, known := s.kept[a.ID]
	if a.Folder == "" {
		return had.Simulator, nil
	}
	st, err := os.Stat(filepath.Join(a.Folder, ".benchtop", simulatorFile))
	if err != nil {
		delete(s.kept, a.ID)
		return contract.Simulator{}, nil
	}
	if known && had.modified.Equal(st.ModTime()) && had.size == st.Size() {
		return had.Simulator, had.err
	}
	now := keptSimulator{modified: st.ModTime(), size: st.Size()}
	if now.Simulator, now.err = readSimulator(a.Folder); now.err != nil {
		now.Simulator = contract.Simulator{}
		s.log.Warn("a simulator file cannot be read; nothing is simulated", "agent", a.Username, "error", now.err)
	}
	s.kept[a.ID] = now
	return now.Simulator, now.err
}

func readSimulator(folder string) (s contract.Simulator, err error) {
	f, err := project.ReadOwn(folder, simulatorFile, maxSimulator)
	if err != nil || f == nil {
		return s, err
	}
	if err := json.Unmarshal([]byte(f.Text), &s); err != nil {
		return s, contract.Errorf(contract.ProjectInvalid, "%s is no simulator: %v", f.Path, err)
	}
	return s, checkSimulator(s)
}

func checkSimulator(s contract.Simulator) error {
	for name, ms := range map[string]int64{"lockLifetimeMs": s.LockLifetimeMs, "settleDelayMs": s.SettleDelayMs, "latencyMs": s.LatencyMs} {
		if ms < 0 || ms > contract.MaxSimulatedMs {
			return contract.Errorf(contract.InvalidRequest, "%s must be from 0 to %d", name, contract.MaxSimulatedMs)
		}
	}
	if s.PartialSettlePercent < 0 || s.PartialSettlePercent > 99 {
		return contract.Errorf(contract.InvalidRequest, "partialSettlePercent must be from 1 to 99, or 0 for off")
	}
	if s.Dies != "" && s.Dies != contract.DieBeforeSettle && s.Dies != contract.DieAfterSettle {
		return contract.Errorf(contract.InvalidRequest, "dies must be before, after or empty")
	}
	return nil
}

// SetSimulator implements httpapi.Simulator.
func (s *simulators) SetSimulator(a agents.Agent, now contract.Simulator) error {
	if err := checkSimulator(now); err != nil {
		return err
	}
	if err := s.store(a, now); err != nil {
		return err
	}
	s.publish(contract.EvSimulatorChanged, contract.SimulatorChange{AgentID: a.ID, Simulator: now})
	return nil
}

func (s *simulators) store(a agents.Agent, now contract.Simulator) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.Folder == "" {
		s.kept[a.ID] = keptSimulator{Simulator: now}
		return nil
	}
	text, err := json.MarshalIndent(now, "", "  ")
	if err != nil {
		return err
	}
	f, err := project.OpenFolder(a.Folder)
	if err != nil {
		return err
	}
	defer f.Close()
	delete(s.kept, a.ID) // read again, whatever the file's time says
	return f.Write(".benchtop/"+simulatorFile, string(text)+"\n")
}

// notices say where something goes wrong on purpose.
func (s *simulators) notices() (all []contract.Notice) {
	var on, broken []string
	for _, a := range s.agents.List() {
		now, err := s.Simulator(a)
		if err != nil {
			broken = append(broken, a.Username)
		}
		if now != (contract.Simulator{}) {
			on = append(on, a.Username)
		}
	}
	if len(on) > 0 {
		all = append(all, contract.Notice{Kind: "warning", Code: "payments_simulator",
			Message: fmt.Sprintf("Payments go wrong on purpose for %s: the simulator is on.", strings.Join(on, ", "))})
	}
	if len(broken) > 0 {
		all = append(all, contract.Notice{Kind: "warning", Code: "payments_simulator_broken",
			Message: fmt.Sprintf(".benchtop/%s of %s cannot be read: nothing is simulated there.", simulatorFile, strings.Join(broken, ", "))})
	}
	return all
}
