package compile

import "strings"

// esbuild's conversion of an ES module begins with helpers that build an
// exports object by the book: copied getters, __esModule, importable by
// others. Nobody imports a function's module, and running them would cost more
// than a small handler itself. slim makes the exports a plain table of
// functions (thunks) that the sandbox asks, and drops the helpers that nothing
// else uses. Lines stay where they are, because the source map counts them.
func slim(code string) string {
	at := strings.Index(code, exportHelper)
	if at < 0 || !strings.Contains(code, commonHelper) {
		return code
	}
	code = code[:at] + "var __export = (target, all) => {\n  target.$exports = all;\n\n};" + code[at+len(exportHelper):]
	code = strings.Replace(code, commonHelper, "var __toCommonJS = (mod) => mod;", 1)
	for _, h := range unusedHelpers {
		if strings.Count(code, h.name) == strings.Count(h.text, h.name) {
			code = strings.Replace(code, h.text, strings.Repeat("\n", strings.Count(h.text, "\n")), 1)
		}
	}
	return code
}

const (
	exportHelper = `var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};`
	commonHelper = `var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);`
)

var unusedHelpers = []struct{ name, text string }{
	{"__copyProps", `var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};`},
	{"__defProp", "var __defProp = Object.defineProperty;"},
	{"__getOwnPropDesc", "var __getOwnPropDesc = Object.getOwnPropertyDescriptor;"},
	{"__getOwnPropNames", "var __getOwnPropNames = Object.getOwnPropertyNames;"},
	{"__hasOwnProp", "var __hasOwnProp = Object.prototype.hasOwnProperty;"},
}
