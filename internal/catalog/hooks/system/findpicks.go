package system

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// What an expression of find picks is told as a person would: those things (files, empty
// directories), and a clause that says which (named *.py, but not below vendor).

// maxPicks is how long the clause may be, in characters; what has no room is "by further tests".
const maxPicks = 90

// picked tells what the act of an expression is done for: what it deletes, runs a command
// for, or prints. ok is false where that has no words.
func (f *findRun) picked() (those, that string, ok bool) {
	r := findReader{terms: f.terms}
	whole := r.either(0)
	if r.bad || f.unsure {
		return "", "", false
	}
	p := findPicker{run: f, daystart: r.daystart}
	switch {
	case f.deletes:
		p.acts = []string{"-delete"}
	case len(f.commands) > 0:
		p.acts = []string{"-exec", "-execdir", "-ok", "-okdir"}
	default:
		p.acts = []string{"-print", "-print0", "-printf", "-ls", "-fprint", "-fprint0", "-fprintf", "-fls"}
	}
	alternatives := whole.any
	if alternatives == nil {
		alternatives = []*findNode{whole}
	}
	return p.expression(alternatives)
}

// levels says where below its start paths a search looks, and what that leaves to tell.
func (f *findRun) levels() (where, deep string) {
	most, least := f.level("depth"), f.level("bound")
	switch {
	case most == "0":
		return " at", ""
	case most == "1":
		return " directly in", ""
	case most == "" && least == "":
		return " below", ""
	case most == least:
		return " below", "exactly " + most + " levels deep "
	case least == "" || least == "0":
		return " below", "at most " + most + " levels deep "
	case most == "":
		return " below", "at least " + least + " levels deep "
	}
	return " below", least + " to " + most + " levels deep "
}

// level is the number of an option, "" where it has none.
func (f *findRun) level(option string) string {
	v, _ := f.m.Value(option)
	text, _ := v.Known()
	if text == "1" && option == "bound" || strings.Trim(text, "0123456789") != "" {
		return ""
	}
	return text
}

// A findPicker tells of one expression.
type findPicker struct {
	run      *findRun
	acts     []string // the primaries whose condition is asked for
	daystart bool
}

// isAct reports whether a node is a primary that acts; ours is set for those that count.
func (p *findPicker) isAct(n *findNode) (act, ours bool) {
	if n.term == nil {
		return false, false
	}
	ours = slices.Contains(p.acts, n.term.name)
	_, name := findAction([]value.Value{value.Lit(n.term.name)})
	return name != "" && name != "-quit", ours
}

func (p *findPicker) expression(alternatives []*findNode) (those, that string, ok bool) {
	var outside []*findNode
	var before [][]*findNode
	at := -1
	for i, alt := range alternatives {
		for j, n := range alt.parts() {
			_, ours := p.isAct(n)
			if !ours {
				continue
			}
			if at >= 0 && at != i {
				return "", "", false // done for one thing and for another
			}
			if at < 0 {
				at, before = i, append(before, alt.parts()[:j])
			}
		}
	}
	if at < 0 { // it prints whatever the whole holds for, or the act stands deeper
		if p.run.acts && !p.run.quitsOnly() {
			return "", "", false
		}
		return p.printed(alternatives)
	}
	parts := before[0]
	for _, alt := range alternatives[:at] {
		rest, cut := pruned(alt.parts())
		switch {
		case cut:
			outside = append(outside, &findNode{all: rest})
		case len(rest) == 1:
			parts = append(slices.Clone(parts), &findNode{not: rest[0]})
		default:
			return "", "", false
		}
	}
	return p.clause(parts, outside)
}

// quitsOnly reports whether the one action is -quit.
func (f *findRun) quitsOnly() bool {
	return !f.deletes && !f.printsPaths && !f.printsText && !f.formats && len(f.commands) == 0
}

// printed tells of an expression without actions.
func (p *findPicker) printed(alternatives []*findNode) (those, that string, ok bool) {
	var tests []*findNode
	var shut []string
	for _, alt := range alternatives {
		rest, cut := pruned(alt.parts())
		if !cut {
			tests = append(tests, &findNode{all: alt.parts()})
			continue
		}
		if len(tests) > 0 || len(rest) == 0 {
			return "", "", false
		}
		names := p.places(&findNode{all: rest})
		if names == "" {
			return "", "", false
		}
		shut = append(shut, names)
	}
	switch {
	case len(tests) == 0 && len(alternatives) == 1:
		rest, _ := pruned(alternatives[0].parts())
		those, that, ok = p.clause(rest, nil)
		return those, strings.TrimPrefix(that+", but nothing in it", ", "), ok
	case len(tests) == 0:
		return "", "", false
	case len(tests) == 1:
		those, that, ok = p.clause(tests[0].all, nil)
	default:
		those, that, ok = p.clause([]*findNode{{any: tests}}, nil)
	}
	if len(shut) > 0 && ok {
		that = strings.TrimPrefix(that+", and "+joinedBy("and", shut)+" but nothing in it", ", ")
	}
	return those, that, ok
}

// clause tells of tests that hold together, and of what is not searched.
func (p *findPicker) clause(parts, outside []*findNode) (those, that string, ok bool) {
	those = "what is"
	empty, further, linked := "", false, false
	var is, not []string
	names := map[bool][]string{}
	for _, n := range parts {
		of, negated := n, false
		if n.not != nil {
			of, negated = n.not, true
		}
		t := of.term
		switch {
		case t == nil && negated && p.shuts(of):
			outside = append(outside, p.shut(of)...)
		case t == nil && len(of.any) > 0:
			kind, text := p.alternatives(of.any)
			switch {
			case text == "":
				return "", "", false
			case negated && kind != "what is":
				return "", "", false
			case negated:
				not = append(not, "not "+text)
			case those == "what is":
				those, is = kind, append(is, text)
			case kind != those && kind != "what is":
				return "", "", false
			default:
				is = append(is, text)
			}
		case t == nil:
			return "", "", false
		case p.kind(t) != "" && !negated && those == "what is":
			those = p.kind(t)
		case p.kind(t) != "" && negated:
			not = append(not, "other than "+p.kind(t))
		case t.name == "-empty" && !negated:
			empty = "empty "
		case t.name == "-name" || t.name == "-iname":
			if word := p.word(t); word != "*" || negated {
				names[negated] = append(names[negated], word)
			}
		case negated && p.place(t, true) != "":
			outside = append(outside, of)
		default:
			text, known := p.test(t, negated)
			linked = linked || strings.HasSuffix(t.name, "lname") && !negated
			switch {
			case !known:
				return "", "", false
			case text == furtherTests:
				further = true
			case text != "" && negated:
				not = append(not, text)
			case text != "":
				is = append(is, text)
			}
		}
	}
	if len(names[false]) > 0 {
		is = slices.Insert(is, 0, "named "+joinedBy("and", names[false]))
	}
	if len(names[true]) > 0 {
		not = slices.Insert(not, 0, "not named "+joinedBy("or", names[true]))
	}
	if len(outside) > 0 {
		var places []string
		for _, n := range outside {
			place := p.places(n)
			if place == "" {
				return "", "", false
			}
			places = append(places, place)
		}
		not = append(not, "outside "+joinedBy("and", places))
	}
	if empty != "" {
		if those == "what is" {
			those = "files and directories"
		}
		those = empty + those
	}
	if those == "what is" && linked {
		those = "links"
	}
	return those, room(is, not, further), true
}

// room joins clauses, as many as there is room for.
func room(is, not []string, further bool) string {
	for {
		text := joinedBy("and", is)
		switch {
		case text == "":
			text = joinedBy("and", not)
		case len(not) > 0:
			text += " but " + joinedBy("and", not)
		}
		if further {
			text = strings.TrimPrefix(text+", "+furtherTests, ", ")
		}
		switch {
		case len([]rune(text)) <= maxPicks || len(is)+len(not) == 0:
			return text
		case len(not) > 0:
			not = not[:len(not)-1]
		default:
			is = is[:len(is)-1]
		}
		further = true
	}
}

// alternatives tells of tests of which one holds.
func (p *findPicker) alternatives(any []*findNode) (those, text string) {
	var names, all []string
	for _, alt := range any {
		kind, text, ok := p.clause(alt.parts(), nil)
		switch {
		case !ok || text == "" && kind == "what is":
			return "", ""
		case those == "":
			those = kind
		case kind != those:
			text = strings.TrimSpace(kind + " " + text)
		}
		if text == "" {
			return "", ""
		}
		if name, ok := strings.CutPrefix(text, "named "); ok && !strings.Contains(name, " ") {
			names = append(names, name)
		}
		all = append(all, text)
	}
	if len(names) == len(all) {
		return those, "named " + joinedBy("or", names)
	}
	if strings.Contains(strings.Join(all, ""), " and ") {
		return those, strings.Join(all, ", or ")
	}
	return those, joinedBy("or", all)
}

// shuts reports whether all alternatives of a node end in -prune.
func (p *findPicker) shuts(n *findNode) bool {
	alts := n.any
	if alts == nil {
		alts = []*findNode{n}
	}
	return !slices.ContainsFunc(alts, func(a *findNode) bool {
		_, cut := pruned(a.parts())
		return !cut
	})
}

func (p *findPicker) shut(n *findNode) (out []*findNode) {
	alts := n.any
	if alts == nil {
		alts = []*findNode{n}
	}
	for _, a := range alts {
		rest, _ := pruned(a.parts())
		out = append(out, &findNode{all: rest})
	}
	return out
}

// place names the directory that a test of a name or a path is of, or, where inside is set, that
// of all that is below it: ./x, */x, ./x/*.
func (p *findPicker) place(t *findTerm, inside bool) string {
	arg, known := t.arg.Known()
	if !known {
		return ""
	}
	switch t.name {
	case "-name", "-iname":
		if inside {
			return ""
		}
	case "-path", "-ipath", "-wholename", "-iwholename":
		whole := arg
		switch dir, ok := strings.CutSuffix(arg, "/*"); {
		case strings.ReplaceAll(arg, `\`, "") == "*/.*":
			return "what is hidden"
		case inside && ok:
			arg = dir
		case inside && !(strings.HasPrefix(arg, "*/") && strings.HasSuffix(arg, "*") && strings.Count(arg, "/") == 1):
			return ""
		}
		arg = strings.TrimPrefix(strings.TrimPrefix(arg, "*/"), "./")
		if arg == "" || arg == "." {
			return quotedWord(whole)
		}
	default:
		return ""
	}
	return quotedWord(arg)
}

// places names what is not searched: "node_modules and .git".
func (p *findPicker) places(n *findNode) string {
	parts := n.parts()
	if len(parts) == 1 && parts[0].any != nil {
		var names []string
		for _, alt := range parts[0].any {
			name := p.places(alt)
			if name == "" {
				return ""
			}
			names = append(names, name)
		}
		return joinedBy("and", names)
	}
	if len(parts) == 1 && parts[0].term != nil {
		t := parts[0].term
		if place := p.place(t, true); place != "" {
			return place
		}
		if place := p.place(t, false); place != "" {
			return place
		}
	}
	if len(parts) == 0 {
		return ""
	}
	those, that, ok := p.clause(parts, nil)
	if place, named := strings.CutPrefix(that, "named "); named && those == "directories" && !strings.Contains(place, " ") {
		return place
	}
	if !ok || that == "" && those == "what is" {
		return ""
	}
	return strings.TrimSpace(those + " " + that)
}
