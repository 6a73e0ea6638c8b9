// Package cli is the command line: one file per command, all of them listed in
// commands.go (decisions.md 1). It decides where data lives, which port is
// taken, and how a start and a stop go; what is served is the platform's.
package cli
