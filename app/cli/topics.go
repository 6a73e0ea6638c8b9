package cli

import "github.com/spf13/cobra"

// topics are pages of help that are no commands.
func topics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "exit-codes", Short: "What the exit codes mean", Long: "Exit codes of every command:\n\n" + exitTable()},
		{Use: "platforms", Short: "How a command finds the platform", Long: `A command speaks to one platform. It is looked for in this order:

  1. --data DIR: the platform that runs on this data directory.
  2. BENCHTOP_URL and BENCHTOP_KEY: the platform at this address, with its owner
     key. https, or http on this machine.
  3. The platform that runs on the user's own data directory.
  4. When none runs: the data directory of 1 or 3 is opened in the process of the
     command, under the lock that a running platform would hold. Nothing listens
     and no schedule fires meanwhile.

Which of its agents is meant:

  1. --agent NAME: an id or a username.
  2. --project DIR: the agent of this folder, which is opened when it is not.
  3. The agent in whose folder the command was started.
  4. The only one there is.`},
	}
}
