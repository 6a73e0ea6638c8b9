package cli

import "github.com/spf13/cobra"

// commands is the table: every command beside the bare `benchtop`, under the
// heading that help shows it with.
var commands = []struct {
	group string
	make  func(*Program) *cobra.Command
}{
	{groupRun, serveCommand},
	{groupRun, executorCommand},
	{groupRun, openCommand},
	{groupRun, initCommand},
	{groupRun, doctorCommand},
	{groupRun, versionCommand},
	{groupWork, fnCommand},
	{groupWork, secretCommand},
	{groupWork, agentCommand},
	{groupWork, scheduleCommand},
	{groupWork, tokenCommand},
	{groupWork, openapiCommand},
	{groupWork, mcpCommand},
	{groupMove, testCommand},
	{groupMove, deployCommand},
	{groupMove, pullCommand},
	{groupMove, snapshotCommand},
	{groupMove, resetCommand},
	{"", workerCommand},
}

// Headings of help.
const (
	groupRun  = "run"
	groupWork = "work"
	groupMove = "move"
)

var groups = []*cobra.Group{
	{ID: groupRun, Title: "Start and look after a platform:"},
	{ID: groupWork, Title: "Work with agents and functions:"},
	{ID: groupMove, Title: "Test, move and keep:"},
}
