package webapi

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// The standard's index for gb18030 (and gbk, which decodes like it) has a
// meaning for every two-byte code; the tables of x/text lack those of the
// private use area. userDefined fills them in: runs of places in the index and
// the first character of each.
var userDefined = [...]struct{ first, count, char int }{
	{6080, 96, 0xE4C6}, {6270, 96, 0xE526}, {6376, 6, 0xE766}, {6433, 1, 0xE76D}, {6444, 2, 0xE76E}, {6458, 2, 0xE770},
	{6460, 95, 0xE586}, {6650, 96, 0xE5E6}, {6829, 11, 0xE772}, {6840, 96, 0xE646}, {7022, 8, 0xE77D}, {7030, 96, 0xE6A6},
	{7150, 8, 0xE785}, {7182, 7, 0xE78D}, {7201, 2, 0xE794}, {7208, 1, 0xE796}, {7211, 9, 0xE797}, {7220, 96, 0xE706},
	{7349, 15, 0xE7A0}, {7397, 13, 0xE7AF}, {7495, 11, 0xE7BC}, {7533, 1, 0x1E3F}, {7538, 4, 0xE7C9}, {7579, 21, 0xE7CD},
	{7624, 1, 0xE7E2}, {7627, 1, 0xE7E3}, {7629, 3, 0xE7E4}, {7686, 13, 0xE7F4}, {7775, 15, 0xE801}, {7886, 94, 0xE000},
	{8076, 94, 0xE05E}, {8266, 94, 0xE0BC}, {8456, 94, 0xE11A}, {8646, 94, 0xE178}, {8836, 94, 0xE1D6}, {16525, 5, 0xE810},
	{22706, 94, 0xE234}, {22896, 94, 0xE292}, {23086, 94, 0xE2F0}, {23276, 94, 0xE34E}, {23466, 94, 0xE3AC},
	{23656, 94, 0xE40A}, {23767, 3, 0xE816}, {23775, 1, 0xE81E}, {23783, 1, 0xE826}, {23788, 2, 0xE82B}, {23794, 2, 0xE831},
	{23804, 1, 0xE83B}, {23812, 1, 0xE843}, {23829, 2, 0xE854}, {23845, 1, 0xE864}, {23846, 94, 0xE468},
}

// gb18030 decodes by the standard's own steps, which x/text follows as long as
// nothing is amiss. wait is an unfinished character at the end; bad says that
// there was an error.
func gb18030(raw []byte, stream bool) (text []byte, wait int, bad bool) {
	decoder := simplifiedchinese.GB18030.NewDecoder()
	var buf [8]byte
	one := func(code []byte) rune {
		decoder.Reset()
		n, _, err := decoder.Transform(buf[:], code, true)
		if r, size := utf8.DecodeRune(buf[:n]); err == nil && size == n {
			return r
		}
		return utf8.RuneError
	}
	for i := 0; i < len(raw); {
		b := raw[i]
		size, r := 1, rune(b)
		switch {
		case b == 0x80:
			r = '€'
		case b == 0xFF:
			r, bad = utf8.RuneError, true
		case b > 0x80:
			if r, size = gbCode(raw[i:], one); size == 0 {
				if stream {
					return text, len(raw) - i, bad
				}
				size, bad = len(raw)-i, true
			} else if r == utf8.RuneError && !(size == 4 && string(raw[i:i+4]) == string(fffd)) {
				bad = true
			}
		}
		text = utf8.AppendRune(text, r)
		i += size
	}
	return text, 0, bad
}

// gbCode reads a code of two or four bytes and how many of them are used up;
// none when they are not all there.
func gbCode(raw []byte, one func([]byte) rune) (rune, int) {
	inside := func(i int, from, to byte) bool { return raw[i] >= from && raw[i] <= to }
	switch {
	case len(raw) < 2:
		return utf8.RuneError, 0
	case inside(1, '0', '9'):
		switch {
		case len(raw) < 3:
			return utf8.RuneError, 0
		case !inside(2, 0x81, 0xFE):
			return utf8.RuneError, 1
		case len(raw) < 4:
			return utf8.RuneError, 0
		case !inside(3, '0', '9'):
			return utf8.RuneError, 1
		}
		return one(raw[:4]), 4
	case inside(1, 0x40, 0x7E), inside(1, 0x80, 0xFE):
		trail := int(raw[1]) - 0x41
		if raw[1] < 0x7F {
			trail = int(raw[1]) - 0x40
		}
		place := (int(raw[0])-0x81)*190 + trail
		for _, run := range userDefined {
			if place >= run.first && place < run.first+run.count {
				return rune(run.char + place - run.first), 2
			}
		}
		if r := one(raw[:2]); r != utf8.RuneError {
			return r, 2
		}
	}
	if raw[1] < utf8.RuneSelf { // it may begin something of its own
		return utf8.RuneError, 1
	}
	return utf8.RuneError, 2
}
