// Package eventstream writes server-sent events as their readers understand
// them, and knows who asks for them (spec 4.5.6 and section 6). When something is
// sent, and for how long a reader is waited for, is whose stream it is.
package eventstream

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
)

// ContentType is the media type of a stream.
const ContentType = "text/event-stream"

// oneLine keeps the name of an event, which a function may have chosen, from
// being more than a name.
var oneLine = strings.NewReplacer("\r", " ", "\n", " ", "\x00", " ")

// Append adds one event to b: id 0 is none, an empty name names none. A line break
// inside the data would end its field, so each line is a field of its own.
func Append(b []byte, id uint64, name string, data []byte) []byte {
	if id != 0 {
		b = append(b, "id: "...)
		b = strconv.AppendUint(b, id, 10)
		b = append(b, '\n')
	}
	if name != "" {
		b = append(b, "event: "...)
		b = append(b, oneLine.Replace(name)...)
		b = append(b, '\n')
	}
	for more := true; more; {
		line := data
		n := bytes.IndexAny(data, "\r\n")
		if more = n >= 0; more {
			line = data[:n]
			if bytes.HasPrefix(data[n:], []byte("\r\n")) {
				n++
			}
			data = data[n+1:]
		}
		b = append(b, "data: "...)
		b = append(b, line...)
		b = append(b, '\n')
	}
	return append(b, '\n')
}

// Wanted reports whether a request asks for a stream.
func Wanted(r *http.Request) bool {
	for _, line := range r.Header["Accept"] {
		for part := range strings.SplitSeq(line, ",") {
			t, _, _ := strings.Cut(part, ";")
			if strings.EqualFold(strings.TrimSpace(t), ContentType) {
				return true
			}
		}
	}
	return false
}
