package system

import (
	"strings"

	"github.com/heedsh/heed/internal/lang/awk"
)

// awkPattern returns the expressions and words that a program asks its lines
// for before it first prints, where it does not ask for what is not there.
func awkPattern(text string) string {
	if !strings.ContainsAny(text, `/"`) { // neither an expression nor a word
		return ""
	}
	var a awkAsked
	for _, n := range awk.Parse(text).Items {
		a.walk(n)
	}
	return strings.Join(a.found, "|")
}

type awkAsked struct {
	found   []string
	printed bool
}

func (a *awkAsked) walk(n *awk.Node) {
	if n == nil || a.printed {
		return
	}
	switch n.Kind {
	case awk.Print, awk.Printf:
		a.printed = true
		return
	case awk.Regex:
		a.found = append(a.found, n.Text)
	case awk.Match, awk.Compare:
		a.compared(n)
		return
	case awk.Unary:
		if n.Op == "!" && n.Kids[0].Kind == awk.Regex {
			return
		}
	}
	for i, k := range n.Kids {
		// The end of a range, and the arguments behind the first, are not asked for.
		if k != nil && k.Kind == awk.Regex && i > 0 && (n.Kind == awk.Rule || n.Kind == awk.Call) {
			continue
		}
		a.walk(k)
	}
}

// compared reads what a comparison compares with.
func (a *awkAsked) compared(n *awk.Node) {
	a.walk(n.Kids[0])
	switch right := n.Kids[1]; {
	case a.printed, right.Kind == awk.Regex && n.Op == "!~":
	case right.Kind == awk.String:
		if word, _ := awk.Unquote(right.Text); word != "" && (n.Op == "==" || n.Op == "~") {
			a.found = append(a.found, word)
		}
	default:
		a.walk(right)
	}
}
