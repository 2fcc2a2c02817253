package lexical

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/inline/syntax"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// puppet reports the commands of exec resources (Puppet reference, "exec"):
// the values of the attributes that hold one, or the title.
func (x *lexical) puppet() {
	for i, k := range x.m {
		if k.k == syntax.TokIdent && k.s == "file" && x.op(i+1, "{") && x.at(i+2).k == syntax.TokStr && x.at(i+2).parts == nil {
			x.used[i+2] = true
			x.res.Effects = append(x.res.Effects, x.puppetFile(i+2))
		}
		if k.k != syntax.TokIdent || k.s != "exec" || !x.op(i+1, "{") {
			continue
		}
		title, own, depth := value.Value{}, false, 0
		for j := i + 1; j < len(x.m) && j < i+maxLexArgs; j++ {
			switch n := x.m[j]; {
			case x.op(j, "{"):
				depth++
			case x.op(j, "}"):
				depth--
			case n.k == syntax.TokStr && j == i+2:
				title, x.used[j] = x.value(n), true
			case n.k == syntax.TokStr && x.op(j-1, ">") && x.op(j-2, "="):
				switch x.at(j - 3).s {
				case "command", "onlyif", "unless", "refresh":
					own = own || x.at(j-3).s == "command"
					x.shell(x.value(n))
					x.used[j] = true
				}
			}
			if depth == 0 {
				break
			}
		}
		if !own {
			x.shell(title)
		}
	}
}

// puppetFile is a file resource whose title is at mark i.
func (x *lexical) puppetFile(i int) catalog.Effect {
	e := catalog.Effect{Verb: risk.FSWrite, Target: value.Lit(x.m[i].s)}
	for j := i; j < len(x.m) && j < i+maxLexArgs && !x.op(j, "}"); j++ {
		if s := x.m[j].s; s == "absent" {
			e.Verb = risk.FSDelete
		} else if s == "recurse" || s == "force" {
			e.Recursive = true
		}
	}
	e.Recursive = e.Recursive && e.Verb == risk.FSDelete
	return e
}
