package contract

// DocPage is a page of the documentation. Text is Markdown; a list leaves it out.
type DocPage struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Text  string `json:"text,omitempty"`
}

// DocList answers GET /api/local/docs.
type DocList struct {
	Pages []DocPage `json:"pages"`
}
