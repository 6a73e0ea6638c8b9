package httpapi

import (
	"net/http"

	"benchtop/backend/contract"
	"benchtop/backend/docs"
)

// listDocs lists the pages of the documentation.
func (a *api) listDocs(c *call) error {
	out := contract.DocList{Pages: []contract.DocPage{}}
	for _, p := range docs.Pages() {
		out.Pages = append(out.Pages, contract.DocPage{Name: p.Name, Title: p.Title})
	}
	return c.json(http.StatusOK, out)
}

// getDoc gives one.
func (a *api) getDoc(c *call) error {
	for _, p := range docs.Pages() {
		if p.Name == c.name() {
			return c.json(http.StatusOK, contract.DocPage{Name: p.Name, Title: p.Title, Text: p.Text})
		}
	}
	return contract.Errorf(contract.NotFound, "the documentation has no page %.64q", c.name())
}
