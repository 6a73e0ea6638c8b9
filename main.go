// Command benchtop is the whole program; package app decides what it does.
package main

import (
	"os"

	"benchtop/app"
)

func main() { os.Exit(app.Main(os.Args)) }
