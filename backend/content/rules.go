package content

import (
	"encoding/base64"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"benchtop/backend/contract"
)

// MaxName bounds a file's name, in bytes.
const MaxName = 255

// checkName refuses what could be taken for a way to another place, on any
// system: a file that is written here can be written everywhere.
func checkName(name string) error {
	reason := ""
	switch {
	case name == "":
		reason = "is empty"
	case len(name) > MaxName:
		reason = "is longer than 255 bytes"
	case !utf8.ValidString(name):
		reason = "is not valid UTF-8"
	case strings.HasPrefix(name, "."):
		reason = "begins with a dot"
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		reason = "ends with a dot or a space"
	case strings.ContainsAny(name, `/\:*?"<>|`):
		reason = `has one of / \ : * ? " < > |`
	case strings.ContainsFunc(name, unicode.IsControl):
		reason = "has a control character"
	case device.MatchString(name):
		reason = "is a device's on some systems"
	default:
		return nil
	}
	return contract.Errorf(contract.InvalidRequest, "folders: %.80q cannot name a file: it %s", name, reason)
}

var device = regexp.MustCompile(`(?i)^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\.|$)`)

// checkSize keeps one item or file within contract.MaxContentBytes.
func checkSize(what string, n int) error {
	if n > contract.MaxContentBytes {
		return contract.Errorf(contract.BodyTooLarge, "%s: the body has %d bytes; %d are allowed", what, n, contract.MaxContentBytes)
	}
	return nil
}

var mimeForm = regexp.MustCompile(`^[\w!#$&^.+-]{1,64}/[\w!#$&^.+-]{1,64}(; ?[\w-]{1,32}=[\w.+-]{1,64})?$`)

// types by the ending of a name: what functions usually read and write. The
// system's own table differs from machine to machine.
var types = map[string]string{
	".txt": "text/plain", ".md": "text/markdown", ".csv": "text/csv", ".html": "text/html", ".css": "text/css",
	".js": "text/javascript", ".json": "application/json", ".xml": "application/xml", ".yaml": "application/yaml", ".yml": "application/yaml",
	".pdf": "application/pdf", ".zip": "application/zip", ".gz": "application/gzip", ".png": "image/png", ".jpg": "image/jpeg",
	".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".svg": "image/svg+xml", ".mp3": "audio/mpeg", ".mp4": "video/mp4",
}

// typeOf guesses a MIME type from a name, else from the bytes.
func typeOf(name string, b []byte) string {
	if t, ok := types[strings.ToLower(path.Ext(name))]; ok {
		return t
	}
	if utf8.Valid(b) {
		return "text/plain"
	}
	return "application/octet-stream"
}

// A cursor is the last name of a page, wrapped so that nobody builds one.
func makeCursor(last string) string { return base64.RawURLEncoding.EncodeToString([]byte("f" + last)) }

func parseCursor(cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	after, ok := strings.CutPrefix(string(raw), "f")
	if err != nil || !ok || checkName(after) != nil {
		return "", contract.Errorf(contract.InvalidRequest, "folders: the cursor is not one that a list gave")
	}
	return after, nil
}
