package notes

// mask blanks out comments, strings, templates and regular expressions, byte
// for byte, so that what is left are the words of the program at their places.
func mask(text string) string {
	m := masker{in: text, out: []byte(text)}
	m.code(0)
	return string(m.out)
}

type masker struct {
	in   string
	out  []byte
	i    int
	last byte // the last byte of code that is no white space
	word string
	deep int
}

// code reads up to the end, or to the brace that ends a template's expression.
func (m *masker) code(depth int) {
	for m.i < len(m.in) {
		c := m.in[m.i]
		switch {
		case m.has("//"):
			for m.i < len(m.in) && m.in[m.i] != '\n' {
				m.blank()
			}
		case m.has("/*"):
			m.blank()
			m.blank()
			for m.i < len(m.in) && !m.has("*/") {
				m.blank()
			}
			m.blank()
			m.blank()
		case c == '"' || c == '\'':
			m.quoted(c)
		case c == '`':
			m.template()
		case c == '/' && m.beginsPattern():
			m.pattern()
		default:
			if c == '{' {
				depth++
			}
			if c == '}' {
				if depth--; depth < 0 {
					return
				}
			}
			m.plain(c)
		}
	}
}

func (m *masker) plain(c byte) {
	switch {
	case c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80:
		if m.i > 0 && m.last != 0 && isWord(m.in[m.i-1]) {
			m.word += string(c)
		} else {
			m.word = string(c)
		}
		m.last = c
	case c != ' ' && c != '\t' && c != '\n' && c != '\r':
		m.last, m.word = c, ""
	}
	m.i++
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

func (m *masker) has(s string) bool { return len(m.in)-m.i >= len(s) && m.in[m.i:m.i+len(s)] == s }

// blank passes over a byte; line breaks stay.
func (m *masker) blank() {
	if m.i < len(m.in) {
		if m.in[m.i] != '\n' {
			m.out[m.i] = ' '
		}
		m.i++
	}
}

func (m *masker) quoted(end byte) {
	m.blank()
	for m.i < len(m.in) && m.in[m.i] != end && m.in[m.i] != '\n' {
		if m.in[m.i] == '\\' {
			m.blank()
		}
		m.blank()
	}
	m.blank()
	m.last, m.word = '"', ""
}

// maxTemplates is how deep templates may lie in each other.
const maxTemplates = 100

func (m *masker) template() {
	m.blank()
	for m.i < len(m.in) && m.in[m.i] != '`' {
		switch {
		case m.in[m.i] == '\\':
			m.blank()
			m.blank()
		case m.has("${") && m.deep < maxTemplates:
			m.blank()
			m.blank()
			m.deep++
			m.last = '{'
			m.code(0)
			m.deep--
			m.blank()
		default:
			m.blank()
		}
	}
	m.blank()
	m.last, m.word = '"', ""
}

// beginsPattern tells a regular expression from a division by what stands
// before it.
func (m *masker) beginsPattern() bool {
	switch m.last {
	case 0, '(', ',', '=', ':', '[', '!', '&', '|', '?', '{', '}', ';', '+', '-', '*', '%', '<', '>', '~', '^':
		return true
	}
	switch m.word {
	case "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "await", "yield":
		return true
	}
	return false
}

func (m *masker) pattern() {
	m.blank()
	class := false
	for m.i < len(m.in) && m.in[m.i] != '\n' && (class || m.in[m.i] != '/') {
		switch m.in[m.i] {
		case '\\':
			m.blank()
		case '[':
			class = true
		case ']':
			class = false
		}
		m.blank()
	}
	m.blank()
	m.last, m.word = '"', ""
}
