// Package docs holds the pages that tell a user how the platform works, as
// Markdown. They ship inside the program, and the console shows them.
package docs

import (
	"embed"
	"slices"
	"strings"
)

// FS has one file for each page, such as known-differences.md.
//
//go:embed *.md
var FS embed.FS

// Page is one of them. Name is that of its file without .md.
type Page struct {
	Name  string
	Title string
	Text  string // Markdown, with its title
}

// order is how the pages follow one another; others come after, by name.
var order = []string{"getting-started", "functions", "endpoints", "chat", "payments", "prices", "keyboard", "command-line", "reference", "known-differences"}

// Pages gives every page, in the order in which they are read.
func Pages() []Page {
	entries, err := FS.ReadDir(".")
	if err != nil {
		return nil // an embedded folder can be read
	}
	var out []Page
	for _, e := range entries {
		text, err := FS.ReadFile(e.Name())
		if err != nil {
			continue
		}
		title, _, _ := strings.Cut(string(text), "\n")
		out = append(out, Page{strings.TrimSuffix(e.Name(), ".md"), strings.TrimPrefix(title, "# "), string(text)})
	}
	place := func(p Page) int {
		if i := slices.Index(order, p.Name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(out, func(a, b Page) int { return place(a) - place(b) })
	return out
}
