// Package e2e holds the tests of the real window: the production program as it
// is shipped, under a display, driven by WebKit's own WebDriver with trusted
// clicks and keys. They carry the build tag e2e; `make e2e` provides what they
// need and runs them.
package e2e
