package language

import "encoding/json"

// dateFormat is one way a language writes dates: the fields in the order
// weekday, era, year, month, day, dayPeriod, hour, minute, second,
// fractionalSecondDigits, timeZoneName and, last, whether the hours are 12.
type dateFormat struct {
	Fields []string        `json:"fields"`
	Answer json.RawMessage `json:"answer"`
}

const (
	hourField = 6
	hours12   = 11
)

// bestFormat is FormatJS's choice (BestFitFormatMatcher, which takes its numbers
// from Intl.js): what is missing costs most, what is too much little, another
// length least.
func bestFormat(all []dateFormat, wishes []string) json.RawMessage {
	if len(wishes) != hours12+1 {
		return json.RawMessage("null")
	}
	best, answer := -1<<31, json.RawMessage("null")
	for _, f := range all {
		if score := fit(wishes, f.Fields); score > best {
			best, answer = score, f.Answer
		}
	}
	return answer
}

func fit(wishes, fields []string) int {
	score := 0
	if wishes[hourField] != "" {
		if wishes[hours12] != "" && fields[hours12] == "" {
			score -= 120
		} else if wishes[hours12] == "" && fields[hours12] != "" {
			score -= 20
		}
	}
	for i, wish := range wishes[:hours12] {
		field := fields[i]
		switch {
		case wish == field:
		case wish == "":
			score -= 20
		case field == "":
			score -= 120
		case isNumeric(wish) != isNumeric(field):
			score -= 15
		default:
			switch delta := length(field) - length(wish); {
			case delta >= 2:
				score -= 6
			case delta == 1:
				score -= 3
			case delta == -1:
				score -= 6
			case delta <= -2:
				score -= 8
			}
		}
	}
	return score
}

func isNumeric(s string) bool { return s == "numeric" || s == "2-digit" }

func length(s string) int {
	switch s {
	case "2-digit":
		return 0
	case "numeric":
		return 1
	case "narrow":
		return 2
	case "short":
		return 3
	case "long":
		return 4
	}
	return -1
}
