// Package httpapi translates HTTP into calls of the platform and back. It is
// one http.Handler: routes.go is the table of what there is and who may call
// it, middleware.go is what every request goes through, respond.go is the only
// place that writes answers, and each resource has a file of its own (spec 4
// and 5, contract.md 1, 3.4; decisions.md 2 to 4).
package httpapi
