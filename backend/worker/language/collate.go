package language

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/collate"
	xlanguage "golang.org/x/text/language"
)

// order is how an Intl.Collator compares.
type order struct {
	locale, sensitivity        string
	numeric, ignorePunctuation bool
}

// collators keeps the tables that were asked for; making one takes a while. A
// collator is not for several goroutines.
type collators struct {
	mu     sync.Mutex
	byWish map[order]*collate.Collator
}

func (k *collators) compare(o order, upperFirst bool, a, b string) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	if o.ignorePunctuation {
		a, b = withoutPunctuation(a), withoutPunctuation(b)
	}
	if upperFirst && (o.sensitivity == "variant" || o.sensitivity == "case") {
		// The letters decide first, then their case.
		base := o
		base.sensitivity = "accent"
		if o.sensitivity == "case" {
			base.sensitivity = "base"
		}
		if n := k.of(base).CompareString(a, b); n != 0 {
			return n
		}
		return -k.of(o).CompareString(a, b)
	}
	return k.of(o).CompareString(a, b)
}

func (k *collators) of(o order) *collate.Collator {
	o.ignorePunctuation = false
	if c, ok := k.byWish[o]; ok {
		return c
	}
	var options []collate.Option
	switch o.sensitivity {
	case "base":
		options = append(options, collate.IgnoreCase, collate.IgnoreDiacritics, collate.IgnoreWidth)
	case "accent":
		options = append(options, collate.IgnoreCase, collate.IgnoreWidth)
	case "case":
		options = append(options, collate.IgnoreDiacritics)
	}
	if o.numeric {
		options = append(options, collate.Numeric)
	}
	tag, err := xlanguage.Parse(o.locale)
	if err != nil {
		tag = xlanguage.Und
	}
	c := collate.New(tag, options...)
	if k.byWish == nil {
		k.byWish = map[order]*collate.Collator{}
	}
	k.byWish[o] = c
	return c
}

func withoutPunctuation(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// caseOf is toLocaleUpperCase or toLocaleLowerCase.
func caseOf(text, locale string, upper bool) string {
	tag, err := xlanguage.Parse(locale)
	if err != nil {
		tag = xlanguage.Und
	}
	if upper {
		return cases.Upper(tag).String(text)
	}
	return cases.Lower(tag).String(text)
}
