package text

import (
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/lang/awk"
	"github.com/heedsh/heed/internal/value"
)

// awkTold names, for the sentence, what a short program prints of its input and does nothing
// else: '{print $2}', '/x/ {print $1, $NF}', 'NR > 1', '!seen[$0]++', '{n += $1} END {print n}'.
func awkTold(m *catalog.Match, code value.Value) {
	text, known := code.Known()
	if known && text != "" && len(text) <= maxAwkQuoted && !strings.ContainsAny(text, "\n\t\r") && !strings.Contains(text, "; ") {
		m.Bind("program", code)
	}
	if !known || len(text) > maxAwkTold || m.Has("assignment") {
		return
	}
	text = strings.TrimSpace(text)
	if n := awkSum(text); n != "" {
		m.Bind("sum", value.Lit(n))
		return
	}
	pattern, action, does := strings.Cut(text, "{")
	if does {
		var closed bool
		if action, closed = strings.CutSuffix(action, "}"); !closed {
			return
		}
	}
	action = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(action), ";"))
	pattern = strings.TrimSpace(pattern)
	if pattern == "END" {
		if action == "print NR" {
			m.Set("counts")
		}
		return
	}
	fields, ok := awkFields(action)
	if !ok || pattern == "" && len(fields) == 0 {
		return
	}
	name, word, ok := awkLines(pattern)
	if !ok || len(fields) > 0 && name != "" && name != "on" {
		return
	}
	switch {
	case name == "unrepeated":
		m.Set(name)
	case name != "":
		m.BindPattern(name, value.Lit(word))
	}
	if len(fields) == 1 && awkOrdinal(fields[0]) != "" {
		m.Bind("nth", value.Lit(awkOrdinal(fields[0])))
		return
	}
	for _, f := range fields {
		m.Bind("field", value.Lit(f))
	}
}

// maxAwkTold is how long a program may be to be told in words, maxAwkQuoted as it stands,
// in bytes.
const (
	maxAwkTold   = 120
	maxAwkQuoted = 48
)

// awkFields reads "print $1, $NF" as the numbers of fields, "last" for the last; none for
// whole lines. ok is false where something else is done.
func awkFields(action string) (fields []string, ok bool) {
	rest, prints := strings.CutPrefix(action, "print")
	if action == "" || prints && (rest == "" || strings.TrimSpace(rest) == "$0") {
		return nil, true
	}
	if !prints || rest[0] != ' ' && rest[0] != '$' {
		return nil, false
	}
	for word := range strings.SplitSeq(rest, ",") {
		n, is := strings.CutPrefix(strings.TrimSpace(word), "$")
		switch {
		case !is || len(fields) == 4:
			return nil, false
		case n == "NF":
			fields = append(fields, "last")
		case n != "" && n[0] != '0' && len(n) < 3 && strings.Trim(n, "0123456789") == "":
			fields = append(fields, n)
		default:
			return nil, false
		}
	}
	return fields, true
}

// awkLines reads the pattern before an action: which lines it is for, by the name that the
// phrases have for it, and a word.
func awkLines(pattern string) (name, word string, ok bool) {
	switch {
	case pattern == "":
		return "", "", true
	case len(pattern) > 2 && pattern[0] == '/' && strings.IndexByte(pattern[1:], '/') == len(pattern)-2:
		return "on", pattern[1 : len(pattern)-1], true
	case len(pattern) > 3 && pattern[:2] == "!/" && strings.IndexByte(pattern[2:], '/') == len(pattern)-3:
		return "without", pattern[2 : len(pattern)-1], true
	}
	if seen, found := strings.CutSuffix(pattern, "[$0]++"); found && seen != "" && seen[0] == '!' && awk.IsName(seen[1:]) {
		return "unrepeated", "", true
	}
	plain := strings.ReplaceAll(pattern, " ", "")
	for _, form := range []struct{ operator, name string }{{"==", "line"}, {"<=", "head"}, {">=", "from"}, {">", "behind"}} {
		number, found := strings.CutPrefix(plain, "NR"+form.operator)
		if n, err := strconv.Atoi(number); found && err == nil && n > 0 {
			return form.name, number, true
		}
	}
	return "", "", false
}

// awkSum is which word of each line a program adds up, and prints at the end; "" for another
// program.
func awkSum(text string) string {
	plain := strings.NewReplacer(" ", "", ";", "").Replace(text)
	each, end, ok := strings.Cut(plain, "}END{print")
	name, field, adds := strings.Cut(strings.TrimPrefix(each, "{"), "+=$")
	if !ok || !adds || !strings.HasPrefix(each, "{") || !awk.IsName(name) || end != name+"}" {
		return ""
	}
	return awkOrdinal(field)
}

// awkOrdinal names the field of a number: first, 5th.
func awkOrdinal(field string) string {
	switch field {
	case "1":
		return "first"
	case "2":
		return "second"
	case "3":
		return "third"
	case "last", "NF":
		return "last"
	}
	if len(field) == 1 && field >= "4" && field <= "9" {
		return field + "th"
	}
	return ""
}
