package loops

import (
	"strconv"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/lang/awk"
	"github.com/heedsh/heed/risk"
)

// UnboundedInAwk says of a program of awk what [UnboundedIn] says of others, from its tree.
func UnboundedInAwk(p *awk.Program) catalog.Unbounded {
	l := awkLoops{once: p.Once(), functions: map[string]*awk.Node{}, leaving: map[string]bool{}, left: 8 * maxLoopTokens, broken: p.Err != nil}
	for _, n := range p.Items {
		if n.Kind == awk.Function {
			l.functions[n.Text] = n
		}
	}
	p.Walk(func(n *awk.Node) bool {
		switch n.Kind {
		case awk.While:
			l.loop(n.Kids[0], n.Kids[1])
		case awk.Do:
			l.loop(n.Kids[1], n.Kids[0])
		case awk.For:
			l.loop(n.Kids[1], n.Kids[3])
		}
		return true
	})
	return l.found
}

type awkLoops struct {
	once      map[string]*awk.Node
	functions map[string]*awk.Node
	leaving   map[string]bool // functions that were looked at: do they leave the loop?
	left      int             // nodes that may still be looked at
	broken    bool            // what a body does is not certain
	found     catalog.Unbounded
}

// loop looks at a loop with a condition, nil if it has none.
func (l *awkLoops) loop(condition, body *awk.Node) {
	if condition != nil && !l.always(condition, true, 0) {
		return
	}
	if l.broken {
		l.found = catalog.Unbounded{Kind: risk.KindMemoryWithoutEnd, Prints: true}
	}
	if l.leaves(body, true) {
		return
	}
	awk.Walk(body, func(n *awk.Node) bool {
		if l.found.Kind == risk.NoKind {
			l.found.Kind = more(n)
		}
		stdout, _ := prints(n)
		l.found.Prints = l.found.Prints || stdout
		l.left--
		return l.left > 0
	})
}

// maxAlways bounds how far a constant is followed.
const maxAlways = 16

// always reports whether an expression is a constant that counts as want (gawk
// 5.3 manual, section 6.3.3), or a variable that is only ever set to one.
func (l *awkLoops) always(n *awk.Node, want bool, depth int) bool {
	if n == nil || depth > maxAlways {
		return false
	}
	switch n = n.Inner(); n.Kind {
	case awk.Number:
		v, err := strconv.ParseFloat(n.Text, 64)
		return err == nil && (v != 0) == want
	case awk.String:
		return (n.Text != "") == want
	case awk.Unary:
		return l.always(n.Kids[0], want != (n.Op == "!"), depth+1)
	case awk.Var:
		return l.always(l.once[n.Text], want, depth+1)
	}
	return false
}

// leaves reports whether a part of a loop's body leaves the loop or waits for
// input. A break of a loop or switch within it does not.
func (l *awkLoops) leaves(n *awk.Node, breaks bool) bool {
	if n == nil {
		return false
	}
	if l.left--; l.left <= 0 {
		return true
	}
	switch n.Kind {
	case awk.Break:
		return breaks
	case awk.Return, awk.Exit, awk.Next, awk.Nextfile, awk.Getline:
		return true
	case awk.While, awk.Do, awk.For, awk.ForIn, awk.Switch:
		breaks = false
	case awk.Call:
		if l.function(n.Text) {
			return true
		}
	}
	for _, k := range n.Kids {
		if l.leaves(k, breaks) {
			return true
		}
	}
	return false
}

// function reports whether a function of the program ends it, or waits.
func (l *awkLoops) function(name string) bool {
	f := l.functions[name]
	if f == nil {
		return false
	}
	if known, seen := l.leaving[name]; seen {
		return known
	}
	l.leaving[name] = false // while it is looked at
	ends := false
	awk.Walk(f, func(n *awk.Node) bool {
		switch n.Kind {
		case awk.Exit, awk.Next, awk.Nextfile, awk.Getline:
			ends = true
		case awk.Call:
			ends = ends || l.function(n.Text)
		}
		l.left--
		return !ends && l.left > 0
	})
	l.leaving[name] = ends
	return ends
}

// more says what there is more of after a node.
func more(n *awk.Node) risk.Kind {
	switch n.Kind {
	case awk.Assign:
		if n.Kids[0].Kind == awk.Element && grows(n.Kids[0]) || n.Op == "=" && longer(n.Kids[0], n.Kids[1]) {
			return risk.KindMemoryWithoutEnd
		}
	case awk.Print, awk.Printf:
		if _, file := prints(n); file {
			return risk.KindOutputWithoutEnd
		}
	}
	return risk.NoKind
}

// grows reports whether an index of an element is counted up: a[i++].
func grows(element *awk.Node) bool {
	counted := false
	awk.Walk(element, func(n *awk.Node) bool {
		counted = counted || (n.Kind == awk.Pre || n.Kind == awk.Post) && n.Op == "++"
		return !counted
	})
	return counted
}

// longer reports whether a variable gets its own text and more: x = x "…".
func longer(target, v *awk.Node) bool {
	if target.Kind != awk.Var || v.Kind != awk.Concat {
		return false
	}
	own, more := 0, false
	for ; v.Kind == awk.Concat; v = v.Kids[0] {
		if part := v.Kids[1]; part.Kind == awk.Var && part.Text == target.Text {
			own++
		} else if part.Kind == awk.String && part.Text != "" || part.Kind == awk.Number {
			more = true
		}
	}
	if v.Kind == awk.Var && v.Text == target.Text {
		own++
	} else if v.Kind == awk.String && v.Text != "" || v.Kind == awk.Number {
		more = true
	}
	return own > 1 || own > 0 && more
}

// prints says where a print statement prints to: standard output, or a file that
// takes room (gawk 5.3 manual, sections 5.6 and 5.8).
func prints(n *awk.Node) (stdout, file bool) {
	switch {
	case n.Kind != awk.Print && n.Kind != awk.Printf, n.Op == "|", n.Op == "|&":
		return false, false
	case n.Op == "":
		return true, false
	}
	if dest := n.Dest().Inner(); dest.Kind == awk.String {
		switch dest.Text {
		case "-", "/dev/stdout":
			return true, false
		case "/dev/stderr", "/dev/tty", "/dev/null":
			return false, false
		}
	}
	return false, true
}
