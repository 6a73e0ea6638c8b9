package agents

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"benchtop/backend/contract"
)

// reserved are usernames that would hide an address of the platform itself:
// agents live at /<username>.
var reserved = []string{"api", "agents", "assets", "boot.json", "health", "login", "docs", "v1", "auth", ".well-known"}

const maxUsername = 39

var usernameGrammar = regexp.MustCompile(`^[a-z][a-z0-9-]{1,38}$`)

// CheckUsername gives INVALID_USERNAME for what cannot be a username.
func CheckUsername(username string) error {
	if !usernameGrammar.MatchString(username) {
		return contract.Errorf(contract.InvalidUsername,
			"%q cannot be a username: it is a lower-case letter, then 1 to 38 of a-z, 0-9 and -", username)
	}
	if slices.Contains(reserved, username) {
		return contract.Errorf(contract.InvalidUsername, "%q cannot be a username: the platform uses that address itself", username)
	}
	return nil
}

// Slug makes a username of a name, the way addresses are made of titles. It is
// empty when the name has no letter that could begin one.
func Slug(name string) string {
	var b strings.Builder
	dash := false
	for _, r := range norm.NFKD.String(strings.ToLower(name)) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9' && b.Len() > 0:
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		case r >= 0x300 && r <= 0x36f, r == '\'': // accents come apart in NFKD
		default:
			dash = true
		}
	}
	slug := b.String()
	if len(slug) > maxUsername {
		slug = strings.TrimRight(slug[:maxUsername], "-")
	}
	return slug
}
