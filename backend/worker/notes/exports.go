package notes

import (
	"regexp"
	"strings"

	"benchtop/backend/contract"
)

// Forms of export that the hosted platform does not read. They are looked for
// in the author's text, because the compiler makes the same of all forms.
var (
	bareDefault = regexp.MustCompile(`(?m)(?:^|[;}])[ \t]*(export[ \t]+default[ \t]+([A-Za-z_$][\w$]*)[ \t]*;?)[ \t]*$`)
	exportList  = regexp.MustCompile(`(?m)(?:^|[;}])[ \t]*(export[ \t]*\{[^}]*\})`)
	bareArrow   = regexp.MustCompile(`(?m)(?:^|[;}])[ \t]*(export[ \t]+default[ \t]+(?:async[ \t]+)?[A-Za-z_$][\w$]*[ \t]*=>)`)
	keyword     = regexp.MustCompile(`^(?:function|class|async|null|true|false|this)$`)
)

func (f *finder) exports(text string) {
	plain := mask(text)
	for _, rule := range []struct {
		re   *regexp.Regexp
		says string
	}{
		{bareDefault, "The hosted platform does not find a handler exported by name alone: write export default async function handler(ctx) { ... }."},
		{exportList, "The hosted platform does not find handlers in an export list: put export in front of the function itself."},
		{bareArrow, "The hosted platform only finds an arrow function whose parameter stands in parentheses: write export default async (ctx) => ..."},
	} {
		at := rule.re.FindStringSubmatchIndex(plain)
		if at == nil || len(at) > 4 && keyword.MatchString(plain[at[4]:at[5]]) {
			continue
		}
		line, col := lineAndColumn(text, at[2])
		f.found = append(f.found, contract.Problem{Code: contract.Portability, Message: rule.says}.At(f.name, line, col))
	}
}

// lineAndColumn counts both from 1, columns in UTF-16 units like editors.
func lineAndColumn(text string, offset int) (line, col int) {
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	col = 1
	for _, r := range text[start:offset] {
		col++
		if r > 0xFFFF {
			col++
		}
	}
	return strings.Count(text[:start], "\n") + 1, col
}
