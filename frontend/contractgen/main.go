// Command contractgen writes the page's TypeScript view of the wire contract,
// frontend/src/api/contract.gen.ts, from backend/contract: the structs and
// their comments are read from the source, the tables (errors, events, host
// calls, limits) from the package itself. It also writes the tables as a page of
// the documentation. Run it from the repository root:
//
//	go run ./frontend/contractgen
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// output is where the generated file lives, relative to the repository root.
const output = "frontend/src/api/contract.gen.ts"

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "contractgen:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	text, err := Generate(root)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(root, reference), []byte(writeReference()), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, output), []byte(text), 0o644)
}
