package system

import (
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// A findTerm is one word of find's expression: an operator, or a primary with
// its first argument. A primary that runs a command, prints names or deletes has
// its number in runs, which counts from one.
type findTerm struct {
	name string
	arg  value.Value
	runs int
	at   int // its index among the terms
}

// A truth is what a part of an expression can come out as.
type truth struct{ yes, no bool }

// reach says whether a part of an expression may be evaluated, and whether it
// surely is.
type reach struct{ may, must bool }

// then is the reach of what is evaluated where t came out true.
func (r reach) then(t truth) reach { return reach{r.may && t.yes, r.must && !t.no} }

// otherwise is the reach of what is evaluated where t came out false.
func (r reach) otherwise(t truth) reach { return reach{r.may && t.no, r.must && !t.yes} }

// exprWalk evaluates find's expression for one path.
type exprWalk struct {
	terms []findTerm
	holds func(t *findTerm, at reach) truth
}

// evaluate evaluates a whole expression.
func evaluate(terms []findTerm, holds func(t *findTerm, at reach) truth) truth {
	w := exprWalk{terms, holds}
	whole := truth{yes: true}
	for len(w.terms) > 0 {
		whole = w.list(reach{true, true}, 0)
		if len(w.terms) > 0 { // a parenthesis that was never opened
			w.terms = w.terms[1:]
		}
	}
	return whole
}

// startReaches says which commands of an expression may get the start path
// itself, a directory, and with zero whether the expression as a whole may hold
// for it: find(1) tests it as it tests what is below, unless -mindepth leaves it
// out.
func startReaches(terms []findTerm, start value.Value) map[int]bool {
	ran := map[int]bool{}
	whole := evaluate(terms, func(t *findTerm, at reach) truth {
		if t.runs > 0 && at.may {
			ran[t.runs] = true
		}
		return t.holds(start)
	})
	ran[0] = whole.yes
	return ran
}

// maxFindDepth bounds how deep parentheses and negations are followed; below it
// everything may hold.
const maxFindDepth = 64

// peek is the name of the next term, "" at the end.
func (w *exprWalk) peek() string {
	if len(w.terms) == 0 {
		return ""
	}
	return w.terms[0].name
}

// list reads alternatives behind commas: each is evaluated, the last counts.
func (w *exprWalk) list(at reach, depth int) truth {
	t := w.either(at, depth)
	for w.peek() == "," {
		w.terms = w.terms[1:]
		t = w.either(at, depth)
	}
	return t
}

// either reads what -o joins: the right side is for what the left one is not.
func (w *exprWalk) either(at reach, depth int) truth {
	t := w.both(at, depth)
	for w.peek() == "-o" || w.peek() == "-or" {
		w.terms = w.terms[1:]
		right := w.both(at.otherwise(t), depth)
		t = truth{yes: t.yes || right.yes, no: t.no && right.no}
	}
	return t
}

// both reads what stands side by side or is joined by -a.
func (w *exprWalk) both(at reach, depth int) truth {
	t := truth{yes: true}
	for {
		switch w.peek() {
		case "", ")", ",", "-o", "-or":
			return t
		case "-a", "-and":
			w.terms = w.terms[1:]
			continue
		}
		right := w.one(at.then(t), depth)
		t = truth{yes: t.yes && right.yes, no: t.no || right.no}
	}
}

// one reads a primary, a negation or a group.
func (w *exprWalk) one(at reach, depth int) truth {
	term := &w.terms[0]
	w.terms = w.terms[1:]
	switch term.name {
	case "!", "-not":
		if depth >= maxFindDepth || len(w.terms) == 0 {
			return truth{yes: true, no: true}
		}
		t := w.one(at, depth+1)
		return truth{yes: t.no, no: t.yes}
	case "(":
		if depth >= maxFindDepth {
			return truth{yes: true, no: true}
		}
		t := w.list(at, depth+1)
		if w.peek() == ")" {
			w.terms = w.terms[1:]
		}
		return t
	}
	return w.holds(term, at)
}

// holds says what a primary can be for a start path that is a directory and not
// empty (find(1), TESTS). What depends on more than its name may be either.
func (t *findTerm) holds(start value.Value) truth {
	either := truth{yes: true, no: true}
	arg, known := t.arg.Known()
	switch t.name {
	case "-print", "-print0", "-printf", "-ls", "-fprint", "-fprint0", "-fprintf", "-fls", "-prune", "-delete", "-true", "-daystart", "-depth", "-d",
		"-follow", "-maxdepth", "-mindepth", "-mount", "-xdev", "-x", "-noleaf", "-warn", "-nowarn", "-regextype":
		return truth{yes: true}
	case "-false", "-empty":
		return truth{no: true}
	case "-type", "-xtype":
		if known {
			return certainly(strings.Contains(arg, "d"))
		}
	case "-name", "-iname":
		if text, ok := start.Known(); ok && known {
			return fileMatches(arg, lastName(text), t.name == "-iname")
		}
	case "-path", "-ipath", "-wholename", "-iwholename":
		if text, ok := start.Known(); ok && known {
			return fileMatches(arg, text, t.name[1] == 'i')
		}
	}
	return either
}

func certainly(b bool) truth { return truth{yes: b, no: !b} }

// lastName is what -name compares: the last element, without slashes behind it.
func lastName(start string) string {
	if trimmed := strings.TrimRight(start, "/"); trimmed != "" {
		return trimmed[strings.LastIndexByte(trimmed, '/')+1:]
	}
	return start
}

// fileMatches compares as fnmatch(3) does for find: a slash and a leading dot
// are characters like others.
func fileMatches(pattern, name string, fold bool) truth {
	return fileMatcher(pattern, fold)(name)
}
