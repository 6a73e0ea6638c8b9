package webapi_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

// TestBase64Data runs the forgiving decode's public vectors through atob.
func TestBase64Data(t *testing.T) {
	text, err := os.ReadFile("testdata/base64.json")
	if err != nil {
		t.Fatal(err)
	}
	var data struct{ Rows [][2]any }
	if err := json.Unmarshal(text, &data); err != nil {
		t.Fatal(err)
	}
	wrong := run[[]string](t, factory(t), `export default async ctx => ctx.data.filter(([text, bytes]) => {
  let got = null;
  try { got = [...atob(text)].map(c => c.charCodeAt(0)); } catch (e) { if (e.name !== 'InvalidCharacterError') throw e; }
  return JSON.stringify(got) !== JSON.stringify(bytes);
}).map(row => row[0]);`, data.Rows)
	for _, w := range wrong {
		t.Logf("differs: %q", w)
	}
	rate(t, "base64.json", len(data.Rows)-len(wrong), len(data.Rows), 100)
}

// pointer gives the bytes that stand for a place in a multi-byte index, as the
// Encoding standard computes them, or nil.
func pointer(index string, p int) (label string, raw []byte) {
	switch index {
	case "big5":
		lead, trail := p/157+0x81, p%157
		return "big5", []byte{byte(lead), byte(trail + pick(trail < 0x3F, 0x40, 0x62))}
	case "euc-kr":
		return "euc-kr", []byte{byte(p/190 + 0x81), byte(p%190 + 0x41)}
	case "gb18030":
		trail := p % 190
		return "gb18030", []byte{byte(p/190 + 0x81), byte(trail + pick(trail < 0x3F, 0x40, 0x41))}
	case "jis0208":
		lead, trail := p/188, p%188
		if p >= 8836 && p <= 10715 { // end-user characters come from a range, not from the index
			return "", nil
		}
		return "shift_jis", []byte{byte(lead + pick(lead < 0x1F, 0x81, 0xC1)), byte(trail + pick(trail < 0x3F, 0x40, 0x41))}
	case "jis0212":
		return "euc-jp", []byte{0x8F, byte(p/94 + 0xA1), byte(p%94 + 0xA1)}
	}
	return index, []byte{byte(p + 0x80)}
}

func pick(yes bool, a, b int) int {
	if yes {
		return a
	}
	return b
}

// TestEncodingIndexes decodes every place of every index of the Encoding
// standard, those without a character included.
func TestEncodingIndexes(t *testing.T) {
	file, err := os.Open("testdata/encoding-indexes.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var indexes map[string][]any
	if err := json.NewDecoder(unpacked).Decode(&indexes); err != nil {
		t.Fatal(err)
	}
	f := factory(t)
	passed, all := 0, 0
	for name, list := range indexes {
		if name == "gb18030-ranges" {
			continue
		}
		var label string
		var rows [][]byte
		var want []string
		for p, code := range list {
			l, raw := pointer(name, p)
			if raw == nil {
				continue
			}
			label = l
			rows = append(rows, raw)
			if n, ok := code.(float64); ok {
				want = append(want, string(rune(n)))
			} else {
				want = append(want, "")
			}
		}
		numbers := make([][]int, len(rows))
		for i, raw := range rows {
			for _, b := range raw {
				numbers[i] = append(numbers[i], int(b))
			}
		}
		got := run[[]string](t, f, `export default async ctx => {
  const d = new TextDecoder(ctx.data.label, { fatal: true });
  return ctx.data.rows.map(bytes => { try { return d.decode(new Uint8Array(bytes)); } catch { return ''; } });
};`, map[string]any{"label": label, "rows": numbers})
		good := 0
		for i := range got {
			if got[i] == want[i] || want[i] == "" && special(name, i) {
				good++
			} else if len(got)-good < 30 {
				t.Log("differs:", fmt.Sprintf("%s % X is %q, want %q", name, rows[i], got[i], want[i]))
			}
		}
		rate(t, name, good, len(got), 98)
		passed, all = passed+good, all+len(got)
	}
	rate(t, "all indexes", passed, all, 99)
}

// special are the four places of Big5 that stand for two characters each.
func special(index string, p int) bool {
	return index == "big5" && (p == 1133 || p == 1135 || p == 1164 || p == 1166)
}
