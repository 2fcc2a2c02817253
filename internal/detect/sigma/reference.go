package sigma

import (
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Reference evaluates one rule on one event, whatever its log source, straight
// from the parsed rule and slowly. It is written from the specification by
// itself, with other methods than the compiler, and exists for tests: what
// [Set.Match] says must be what it says.
func Reference(r *Rule, opts Options, ev Event) (bool, error) {
	if r.detection == nil {
		return false, fmt.Errorf("rule %s is a correlation", r.Label())
	}
	w := refWalk{d: r.detection, placeholders: opts.Placeholders, ev: ev}
	any := false
	for _, c := range r.detection.conditions {
		any = w.cond(c) || any
	}
	return any, w.err
}

// refWalk walks the tree of one rule for one event.
type refWalk struct {
	d            *detection
	placeholders map[string][]string
	ev           Event
	err          error
}

func (w *refWalk) cond(c *cond) bool {
	switch c.kind {
	case condName:
		for _, s := range w.d.searches {
			if s.name == c.name {
				return w.expr(s.expr)
			}
		}
		return false
	case condNot:
		return !w.cond(c.kids[0])
	case condAnd:
		return w.tally(len(c.kids), func(i int) bool { return w.cond(c.kids[i]) }) == len(c.kids)
	case condOr:
		return w.tally(len(c.kids), func(i int) bool { return w.cond(c.kids[i]) }) > 0
	}
	total, held := 0, 0
	for _, s := range w.d.searches {
		if c.pattern == "them" && s.name[:min(1, len(s.name))] == "_" {
			continue
		}
		if c.pattern != "them" && (!refName(c.pattern, s.name) || s.name[:min(1, len(s.name))] == "_" && c.pattern[0] != '_') {
			continue
		}
		total++
		if w.expr(s.expr) {
			held++
		}
	}
	if c.atLeast == 0 {
		return held == total
	}
	return held >= c.atLeast
}

// tally counts how many of n things hold.
func (w *refWalk) tally(n int, holds func(int) bool) int {
	held := 0
	for i := range n {
		if holds(i) {
			held++
		}
	}
	return held
}

// refName matches a name with a pattern, character by character.
func refName(pattern, name string) bool {
	if pattern == "" {
		return name == ""
	}
	if pattern[0] == '*' {
		return refName(pattern[1:], name) || name != "" && refName(pattern, name[1:])
	}
	return name != "" && pattern[0] == name[0] && refName(pattern[1:], name[1:])
}

func (w *refWalk) expr(x *expr) bool {
	switch x.kind {
	case exprAll:
		return w.tally(len(x.kids), func(i int) bool { return w.expr(x.kids[i]) }) == len(x.kids)
	case exprAny:
		return w.tally(len(x.kids), func(i int) bool { return w.expr(x.kids[i]) }) > 0
	}
	held := w.tally(len(x.values), func(i int) bool { return w.value(x, x.values[i]) })
	_, there := w.ev.Get(x.field)
	switch {
	case x.has("neq"):
		return there && held == 0
	case x.has("all"):
		return held == len(x.values)
	}
	return held > 0
}

// value compares the field, or for keywords every field, with one value.
func (w *refWalk) value(x *expr, v scalar) bool {
	texts := []string{v.text}
	if x.has("expand") {
		texts = w.expand(v.text)
	}
	for _, text := range texts {
		if x.field != "" {
			got, there := w.ev.Get(x.field)
			if w.compare(x, scalar{text, v.kind}, refString(got), there) {
				return true
			}
			continue
		}
		for _, f := range w.ev {
			if w.compare(x, scalar{text, v.kind}, refString(f.Value), true) {
				return true
			}
		}
	}
	return false
}

// refString reads a value as runes, bad bytes as U+FFFD.
func refString(s string) string { return string([]rune(s)) }

// compare compares one value of the event with one value of the rule.
func (w *refWalk) compare(x *expr, v scalar, got string, there bool) bool {
	if v.kind == scalarNull {
		return !there
	}
	if x.has("exists") {
		want := strings.ToLower(v.text)
		return there == (want == "true" || want == "yes" || want == "on")
	}
	if !there {
		return false
	}
	switch {
	case x.has("re"):
		return w.regexp(x, v.text, got)
	case x.has("cidr"):
		return w.cidr(v.text, got)
	case x.has("fieldref"):
		other, ok := w.ev.Get(v.text)
		return ok && refPlaced(x, refLiteral(refString(other)), []rune(got))
	}
	for _, m := range x.modifiers {
		switch m {
		case "lt", "lte", "gt", "gte", "minute", "hour", "day", "week", "month", "year":
			return w.number(x, v.text, got)
		}
	}
	return w.text(x, v.text, got)
}

func (w *refWalk) regexp(x *expr, text, got string) bool {
	for _, flag := range []string{"s", "m", "i"} {
		if x.has(flag) {
			text = "(?" + flag + ")" + text
		}
	}
	re, err := regexp.Compile(text)
	if err != nil {
		w.err = err
		return false
	}
	return re.MatchString(got)
}

// cidr compares the leading bits of two addresses.
func (w *refWalk) cidr(text, got string) bool {
	head, size, slash := strings.Cut(text, "/")
	network, err := netip.ParseAddr(head)
	if err != nil {
		w.err = err
		return false
	}
	bits := network.BitLen()
	if slash {
		if bits, err = strconv.Atoi(size); err != nil {
			w.err = err
			return false
		}
	}
	address, err := netip.ParseAddr(got)
	if err != nil {
		return false
	}
	a, b := network.AsSlice(), address.Unmap().AsSlice()
	if len(a) != len(b) {
		return false
	}
	for i := range bits {
		if (a[i/8]^b[i/8])>>(7-i%8)&1 != 0 {
			return false
		}
	}
	return true
}

// number compares numbers, or a part of a timestamp with a number.
func (w *refWalk) number(x *expr, text, got string) bool {
	want, err := strconv.ParseFloat(text, 64)
	if err != nil {
		w.err = err
		return false
	}
	have, ok := refNumber(x, got)
	switch {
	case !ok:
		return false
	case x.has("lt"):
		return have < want
	case x.has("lte"):
		return have <= want
	case x.has("gt"):
		return have > want
	case x.has("gte"):
		return have >= want
	}
	return have == want
}

func refNumber(x *expr, got string) (float64, bool) {
	form := regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d))?`)
	parts := form.FindStringSubmatch(got)
	n := func(i int) int { v, _ := strconv.Atoi(parts[i]); return v }
	for _, m := range x.modifiers {
		switch m {
		case "minute", "hour", "day", "week", "month", "year":
			if parts == nil || !refDate(n(1), n(2), n(3)) {
				return 0, false
			}
		}
		switch m {
		case "year":
			return float64(n(1)), true
		case "month":
			return float64(n(2)), true
		case "day":
			return float64(n(3)), true
		case "week":
			return float64(refWeek(n(1), n(2), n(3))), true
		case "hour":
			return float64(n(4)), parts[4] != "" && n(4) < 24 && n(5) < 60
		case "minute":
			return float64(n(5)), parts[5] != "" && n(4) < 24 && n(5) < 60
		}
	}
	v, err := strconv.ParseFloat(got, 64)
	return v, err == nil
}

// refDate reports whether there is such a day: counted there and back again.
func refDate(y, m, d int) bool {
	if m < 1 || m > 12 || d < 1 || d > 31 {
		return false
	}
	next := refDays(y, m+1, 1)
	if m == 12 {
		next = refDays(y+1, 1, 1)
	}
	return refDays(y, m, d) < next
}

// refDays counts days from 0000-03-01 (Howard Hinnant's days_from_civil).
func refDays(y, m, d int) int {
	if m <= 2 {
		y--
		m += 12
	}
	floor := func(a, b int) int {
		if a < 0 {
			return -((-a + b - 1) / b)
		}
		return a / b
	}
	return 365*y + floor(y, 4) - floor(y, 100) + floor(y, 400) + (153*(m-3)+2)/5 + d - 1
}

// refWeek counts the Thursdays of the year up to the one of this week.
func refWeek(y, m, d int) int {
	day := refDays(y, m, d)
	monday := day - ((day+2)%7+7)%7 // 0000-03-01 was a Wednesday
	thursday := monday + 3
	year := y
	if thursday < refDays(y, 1, 1) {
		year = y - 1
	} else if thursday >= refDays(y+1, 1, 1) {
		year = y + 1
	}
	return (thursday-refDays(year, 1, 1))/7 + 1
}

// expand replaces placeholders one after another.
func (w *refWalk) expand(text string) []string {
	form := regexp.MustCompile(`\\%|%[\w-]+%`)
	done := []string{""}
	for {
		at := form.FindStringIndex(text)
		if at == nil {
			break
		}
		with := []string{"%"}
		if text[at[0]] == '%' {
			name := text[at[0]+1 : at[1]-1]
			if with = w.placeholders[name]; len(with) == 0 {
				w.err = fmt.Errorf("the placeholder %s has no value", name)
			}
		}
		var next []string
		for _, a := range done {
			for _, b := range with {
				next = append(next, a+text[:at[0]]+b)
			}
		}
		done, text = next, text[at[1]:]
	}
	for i := range done {
		done[i] += text
	}
	return done
}

// refPlaced matches a value with symbols where the modifiers want them.
func refPlaced(x *expr, want []refSymbol, got []rune) bool {
	star := refSymbol{any: true, many: true}
	if x.has("contains") || x.has("endswith") {
		want = append([]refSymbol{star}, want...)
	}
	if x.has("contains") || x.has("startswith") {
		want = append(want, star)
	}
	return refMatch(want, got, x.has("cased"))
}

// refSame compares two characters.
func refSame(a, b rune, cased bool) bool {
	return a == b || !cased && unicode.ToLower(a) == unicode.ToLower(b)
}
