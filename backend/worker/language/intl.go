package language

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	_ "embed"
	_ "time/tzdata" // the system's own is out of a worker's reach

	"benchtop/backend/worker/sandbox"
)

// intlZip is FormatJS: js/ has modules of the prelude, data/ what they ask for
// (build/intl.mjs).
//
//go:embed intl.zip
var intlZip []byte

// intl reads the archive. A worker has one.
type intl struct {
	archive *zip.Reader
	zones   func() (map[string]string, error) // by name in capitals
	located sync.Map                          // of *time.Location, by name
	tables  sync.Map                          // of func() (map[string]json.RawMessage, error), by name
	formats sync.Map                          // of func() ([]dateFormat, error), by language
	collators
}

func newIntl() (*intl, error) {
	archive, err := zip.NewReader(bytes.NewReader(intlZip), int64(len(intlZip)))
	if err != nil {
		return nil, fmt.Errorf("language: intl.zip: %w", err)
	}
	in := &intl{archive: archive}
	in.zones = sync.OnceValues(func() (map[string]string, error) {
		text, err := in.read("data/zones.json")
		if err != nil {
			return nil, err
		}
		var names []string
		if err := json.Unmarshal(text, &names); err != nil {
			return nil, err
		}
		byName := make(map[string]string, len(names))
		for _, name := range names {
			byName[strings.ToUpper(name)] = name
		}
		return byName, nil
	})
	return in, nil
}

// scripts are the archive's modules, which are unpacked when they are needed.
func (in *intl) scripts() []sandbox.Script {
	var out []sandbox.Script
	for _, f := range in.archive.File {
		if name, ok := strings.CutPrefix(f.Name, "js/"); ok {
			out = append(out, sandbox.Script{Name: "intl/" + strings.TrimSuffix(name, ".js"), Load: func() (string, error) {
				text, err := in.read(f.Name)
				return string(text), err
			}})
		}
	}
	return out
}

func (in *intl) read(name string) ([]byte, error) {
	f, err := in.archive.Open(name)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(f)
	return b, errors.Join(err, f.Close())
}

func (in *intl) ops() []sandbox.Op {
	return []sandbox.Op{
		// intlData(name) is one file of data.
		{Name: "intlData", Do: func(c *sandbox.Call) (any, error) {
			text, err := in.read("data/" + c.String(0) + ".json")
			return sandbox.JSON(text), err
		}},
		// intlLookup(table, key) is one row of a table, or nothing.
		{Name: "intlLookup", Do: func(c *sandbox.Call) (any, error) {
			name := c.String(0)
			if !strings.HasPrefix(name, "zones/") {
				name = "tables/" + name
			}
			load, _ := in.tables.LoadOrStore(name, sync.OnceValues(func() (rows map[string]json.RawMessage, err error) {
				text, err := in.read(name + ".json")
				if err != nil {
					return nil, err
				}
				return rows, json.Unmarshal(text, &rows)
			}))
			rows, err := load.(func() (map[string]json.RawMessage, error))()
			if row, ok := rows[c.String(1)]; ok {
				return sandbox.JSON(row), nil
			}
			return nil, err
		}},
		// bestFormat(language, wishes) is the format of dates that fits best:
		// [skeleton, pattern, ranges, ranges with 12 hours].
		{Name: "bestFormat", Do: func(c *sandbox.Call) (any, error) {
			language := c.String(0)
			load, _ := in.formats.LoadOrStore(language, sync.OnceValues(func() (all []dateFormat, err error) {
				text, err := in.read("formats/" + language + ".json")
				if err != nil {
					return nil, err
				}
				return all, json.Unmarshal(text, &all)
			}))
			all, err := load.(func() ([]dateFormat, error))()
			if err != nil {
				return nil, err
			}
			return sandbox.JSON(bestFormat(all, c.Strings(1))), nil
		}},
		// zoneName(name) writes a time zone's name as it is registered.
		{Name: "zoneName", Do: func(c *sandbox.Call) (any, error) {
			zones, err := in.zones()
			if err != nil {
				return nil, err
			}
			if name, ok := zones[strings.ToUpper(c.String(0))]; ok {
				return name, nil
			}
			return nil, nil
		}},
		// zoneOffset(name, ms) is [ms to add to UTC, whether it is summer time].
		{Name: "zoneOffset", Do: func(c *sandbox.Call) (any, error) {
			zone, err := in.zone(c.String(0))
			if err != nil {
				return nil, err
			}
			at := time.UnixMilli(c.Int(1)).In(zone)
			_, seconds := at.Zone()
			return sandbox.JSON(fmt.Sprintf("[%d,%t]", seconds*1000, at.IsDST())), nil
		}},
		{Name: "collate", Do: func(c *sandbox.Call) (any, error) {
			return in.compare(order{locale: c.String(0), sensitivity: c.String(1), numeric: c.Bool(2), ignorePunctuation: c.Bool(3)},
				c.String(4) == "upper", c.String(5), c.String(6)), nil
		}},
		// caseOf(text, locale, upper) follows the locale's own rules.
		{Name: "caseOf", Do: func(c *sandbox.Call) (any, error) { return caseOf(c.String(0), c.String(1), c.Bool(2)), nil }},
	}
}

func (in *intl) zone(name string) (*time.Location, error) {
	if l, ok := in.located.Load(name); ok {
		return l.(*time.Location), nil
	}
	zones, err := in.zones()
	if err != nil {
		return nil, err
	}
	if zones[strings.ToUpper(name)] != name || name == "Local" || name == "" {
		return nil, errors.New("there is no time zone " + name)
	}
	l, err := time.LoadLocation(name)
	if err != nil {
		return nil, err
	}
	in.located.Store(name, l)
	return l, nil
}
