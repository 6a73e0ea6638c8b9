package consumers

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"benchtop/backend/contract"
)

// member is a key of a JSON object and its value.
type member struct {
	key   string
	value json.RawMessage
}

func membersOf(object json.RawMessage) ([]member, error) {
	bad := contract.Errorf(contract.InvalidEntry, "an entry is a JSON object")
	d := json.NewDecoder(bytes.NewReader(object))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, bad
	}
	var all []member
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, bad
		}
		var m member
		m.key, _ = key.(string)
		if err := d.Decode(&m.value); err != nil {
			return nil, bad
		}
		all = append(all, m)
	}
	return all, nil
}

func joined(all []member) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(m.key) // a text always marshals
		b.Write(key)
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// Merge gives an entry with the keys of patch in place of its own; a null takes a
// key away. The order of the keys stays.
func Merge(entry, patch json.RawMessage) (json.RawMessage, error) {
	all, err := membersOf(entry)
	if err != nil {
		return nil, err
	}
	changes, err := membersOf(patch)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		i := slices.IndexFunc(all, func(m member) bool { return m.key == c.key })
		gone := string(bytes.TrimSpace(c.value)) == "null"
		switch {
		case i >= 0 && gone:
			all = slices.Delete(all, i, i+1)
		case i >= 0:
			all[i].value = c.value
		case !gone:
			all = append(all, c)
		}
	}
	return joined(all), nil
}

// Complete gives an entry an id when it has none, made of what it is about and
// not among taken, and the function it uses when that was sent beside it.
func Complete(skill string, entry json.RawMessage, use string, taken func(id string) bool) (json.RawMessage, string, error) {
	var known struct {
		ID, Name, Method, Path, Use any
	}
	all, err := membersOf(entry)
	if err == nil {
		err = json.Unmarshal(entry, &known)
	}
	if err != nil {
		return nil, "", contract.Errorf(contract.InvalidEntry, "entry is an object such as %s", example(skill))
	}
	if use != "" {
		if known.Use != nil && known.Use != use {
			return nil, "", contract.Errorf(contract.InvalidEntry, "use is %q beside the entry and something else in it; send one of them", use)
		}
		if known.Use == nil {
			value, _ := json.Marshal(use)
			all = append(all, member{"use", value})
			known.Use = use
		}
	}
	if id, ok := known.ID.(string); ok || known.ID != nil {
		return joined(all), id, nil
	}
	base := ""
	for _, part := range []any{known.Name, known.Method, known.Path, known.Use} {
		text, _ := part.(string)
		if base = slugged(base + "-" + text); text != "" && part == known.Path || text != "" && part == known.Name {
			break
		}
	}
	if base == "" {
		base = "entry"
	}
	id := base
	for n := 2; taken(id); n++ {
		id = base + "-" + strconv.Itoa(n)
	}
	value, _ := json.Marshal(id)
	return joined(append([]member{{"id", value}}, all...)), id, nil
}

// slugged keeps of a text what an id may have.
func slugged(text string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(text) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' {
			b.WriteRune(c)
		} else if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
	}
	out := b.String()
	return strings.Trim(out[:min(len(out), 48)], "-")
}
