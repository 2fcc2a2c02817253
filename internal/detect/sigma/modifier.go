package sigma

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// modifierKind groups the modifiers by what they do (specification 2.1,
// modifiers appendix).
type modifierKind uint8

const (
	modFlag     modifierKind = iota // all, cased, neq, expand
	modRegexp                       // i, m, s: only after re
	modPlace                        // contains, startswith, endswith
	modEncode                       // what rewrites the value
	modType                         // what the value is: re, cidr, exists, fieldref
	modCompare                      // lt, lte, gt, gte
	modTimePart                     // minute … year
)

// modifierKindOf tells what a modifier is, and whether there is one of that name.
func modifierKindOf(name string) (modifierKind, bool) {
	switch name {
	case "all", "cased", "neq", "expand":
		return modFlag, true
	case "i", "m", "s":
		return modRegexp, true
	case "contains", "startswith", "endswith":
		return modPlace, true
	case "base64", "base64offset", "utf16", "utf16le", "utf16be", "wide", "windash":
		return modEncode, true
	case "re", "cidr", "exists", "fieldref":
		return modType, true
	case "lt", "lte", "gt", "gte":
		return modCompare, true
	case "minute", "hour", "day", "week", "month", "year":
		return modTimePart, true
	}
	return 0, false
}

// checkModifiers refuses what an item's modifiers and values cannot mean.
func checkModifiers(x *expr) error {
	count := map[modifierKind]int{}
	for i, m := range x.modifiers {
		kind, ok := modifierKindOf(m)
		if !ok {
			return fmt.Errorf("unknown modifier %q", shorten(m))
		}
		if slices.Contains(x.modifiers[:i], m) {
			return fmt.Errorf("the modifier %s is written twice", m)
		}
		if kind == modRegexp && !slices.Contains(x.modifiers[:i], "re") {
			return fmt.Errorf("the modifier %s belongs after re", m)
		}
		count[kind]++
	}
	switch {
	case count[modPlace] > 1:
		return fmt.Errorf("more than one of contains, startswith and endswith")
	case count[modType] > 1 || count[modCompare] > 1 || count[modTimePart] > 1:
		return fmt.Errorf("two modifiers that say what the value is: %s", strings.Join(x.modifiers, "|"))
	case count[modType] > 0 && count[modCompare]+count[modTimePart] > 0:
		return fmt.Errorf("two modifiers that say what the value is: %s", strings.Join(x.modifiers, "|"))
	case count[modType]+count[modCompare]+count[modTimePart] > 0 && count[modEncode] > 0:
		return fmt.Errorf("modifiers that exclude each other: %s", strings.Join(x.modifiers, "|"))
	case count[modPlace] > 0 && (count[modType]+count[modCompare]+count[modTimePart] > 0) && !x.has("fieldref"):
		return fmt.Errorf("modifiers that exclude each other: %s", strings.Join(x.modifiers, "|"))
	case x.has("base64") && x.has("base64offset"):
		return fmt.Errorf("both base64 and base64offset")
	}
	if x.field == "" && (count[modCompare]+count[modTimePart] > 0 || x.has("cidr") || x.has("exists") || x.has("fieldref") || x.has("neq")) {
		return fmt.Errorf("%s needs a field", strings.Join(x.modifiers, "|"))
	}
	if err := checkValues(x, count); err != nil || x.has("expand") {
		return err // the values of placeholders are seen by Compile only
	}
	_, err := compileItem(x, nil)
	return err
}

// checkValues refuses values of a type that the modifiers exclude.
func checkValues(x *expr, count map[modifierKind]int) error {
	typed := count[modPlace] + count[modEncode] + count[modType] + count[modCompare] + count[modTimePart]
	for _, v := range x.values {
		switch {
		case len(v.text) > maxPattern:
			return fmt.Errorf("a value has more than %d bytes", maxPattern)
		case v.kind == scalarNull && (typed > 0 || x.field == ""):
			return fmt.Errorf("null where a value belongs")
		case x.has("exists") && (v.kind != scalarBool || len(x.values) > 1 || x.has("all") || x.has("neq")):
			return fmt.Errorf("exists takes true or false, and nothing else")
		case count[modCompare]+count[modTimePart] > 0 && !x.has("expand"):
			if _, err := strconv.ParseFloat(v.text, 64); err != nil {
				return fmt.Errorf("%q is not a number", shorten(v.text))
			}
		case x.has("fieldref") && v.text == "":
			return fmt.Errorf("fieldref without the name of a field")
		}
	}
	return nil
}

// expandPlaceholders replaces %name% by each of the name's values. \% is a plain
// percent sign. A placeholder without a value makes the rule be refused, as the
// specification demands ("Placeholders").
func expandPlaceholders(text string, values map[string][]string) ([]string, error) {
	done := []string{""}
	add := func(s string) {
		for i := range done {
			done[i] += s
		}
	}
	for text != "" {
		i := strings.IndexByte(text, '%')
		if i < 0 {
			add(text)
			break
		}
		if i > 0 && text[i-1] == '\\' {
			add(text[:i-1] + "%")
			text = text[i+1:]
			continue
		}
		add(text[:i])
		end := strings.IndexFunc(text[i+1:], func(r rune) bool { return !wordRune(r) && r != '-' })
		if end <= 0 || text[i+1+end] != '%' {
			add("%")
			text = text[i+1:]
			continue
		}
		name := text[i+1 : i+1+end]
		with := values[name]
		if len(with) == 0 {
			return nil, fmt.Errorf("the placeholder %%%s%% has no value", shorten(name))
		}
		if len(done)*len(with) > maxExpanded {
			return nil, fmt.Errorf("placeholders stand for more than %d values", maxExpanded)
		}
		next := make([]string, 0, len(done)*len(with))
		for _, d := range done {
			for _, w := range with {
				next = append(next, d+w)
			}
		}
		done, text = next, text[i+2+end:]
	}
	return done, nil
}

// wordRune is a letter, digit or underscore of ASCII: \w.
func wordRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
