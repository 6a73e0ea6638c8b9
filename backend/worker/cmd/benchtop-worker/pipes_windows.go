package main

import "os"

func pipes() (in, out *os.File) { return os.Stdin, os.Stdout }
