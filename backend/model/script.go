package model

import (
	"regexp"
	"sync"

	"benchtop/backend/agents"
	"benchtop/backend/contract"
	"benchtop/backend/project"
)

// ScriptFile is where a project keeps the script of its agent's model.
const ScriptFile = ".benchtop/" + project.ModelFileName

// Bounds of a script. Expressions are those of Go, which take linear time.
const (
	maxScriptBytes = 256 << 10
	maxRules       = 500
	maxPattern     = 1000
	maxText        = 64 << 10
)

// Script is what the scripted model goes by. The first rule that fits what was
// said last is taken; when none does, Replies are given in turn, one for each
// answer that the conversation has already; without any, the model describes
// itself.
type Script struct {
	Rules   []Rule
	Replies []string
	// Words is how many words a chunk has.
	Words int
}

// Rule is one line of a conversation. Texts may say {{1}} for what a group of
// When has found, {{text}} for what was said, {{agent}} for the agent's name,
// and, where a tool was called before, {{result}} or {{result.a.b}} for what it
// gave.
type Rule struct {
	When  *regexp.Regexp // nil fits everything
	Reply string         // said first
	Call  *ScriptCall    // then this is called
	Then  string         // and this is said about its result; empty is the result itself
	Else  string         // or this when the tool failed; empty is what it failed with
	Fail  string         // the model fails with these words instead
}

// ScriptCall is a call of a tool, the agent's or the client's. A text in Args
// that is one placeholder and nothing else becomes what it stands for, a number
// where it reads as one; others are filled in as texts.
type ScriptCall struct {
	Tool string
	Args map[string]any
}

// scripts are the last good ones, by agent: what serves while the file has a
// mistake.
type scripts struct {
	mu   sync.Mutex
	good map[string]*Script
}

func (s *scripts) keep(agentID string, script *Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.good == nil {
		s.good = map[string]*Script{}
	}
	if script == nil {
		delete(s.good, agentID)
		return
	}
	s.good[agentID] = script
}

func (s *scripts) last(agentID string) *Script {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.good[agentID]
}

// Load reads an agent's script again because its file may have changed, and says
// what is wrong with it. One with a mistake changes nothing: the last good one
// goes on.
func (m *Model) Load(a agents.Agent) []contract.Problem {
	if a.Folder == "" {
		return nil
	}
	s, wrong := readScript(a.Folder)
	if wrong != nil {
		return []contract.Problem{wrong.problem()}
	}
	m.scripts.keep(a.ID, s)
	return nil
}

// script gives what the agent's scripted model goes by. It is read each time it
// is needed: what was saved counts from the next turn on, whether the folder is
// watched or not.
func (m *Model) script(a agents.Agent) (*Script, error) {
	if a.Folder == "" {
		return &Script{Words: 1}, nil
	}
	s, wrong := readScript(a.Folder)
	if wrong == nil {
		m.scripts.keep(a.ID, s)
	} else if s = m.scripts.last(a.ID); s == nil {
		return nil, contract.Errorf(contract.ModelNotReady, "%s of agent %s has a mistake: %s", ScriptFile, a.Username, wrong)
	}
	if s == nil {
		s = &Script{Words: 1}
	}
	return s, nil
}

// readScript is nil when there is no file.
func readScript(folder string) (*Script, *mistake) {
	f, err := project.ReadOwn(folder, project.ModelFileName, maxScriptBytes)
	if err != nil {
		return nil, &mistake{message: "it cannot be read: " + err.Error()}
	}
	if f == nil {
		return nil, nil
	}
	return parseScript([]byte(f.Text))
}
