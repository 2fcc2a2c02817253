package posix

import (
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

func (e *evaluator) ifClause(st *shell.State, c *syntax.IfClause, io ioctx) {
	if e.spent() {
		return
	}
	if !c.ThenPos.IsValid() { // else
		e.stmts(st, c.Then, io)
		return
	}
	e.condition++
	e.stmts(st, c.Cond, io)
	e.condition--
	if st.Gone {
		return
	}
	unsure(st)
	then, otherwise := part(st.Alts)
	switch st.Status {
	case shell.OK:
		other := st.Clone()
		st.Alts = then
		e.stmts(st, c.Then, io)
		st.Alts = dedupe(append(st.Alts, e.elseOnAlts(other, otherwise, c.Else, io)...))
	case shell.Failed:
		other := st.Clone()
		st.Status, st.Alts = shell.OK, otherwise
		if c.Else != nil {
			e.ifClause(st, c.Else, io)
		}
		st.Alts = dedupe(append(st.Alts, e.onAlts(other, then, io, shell.OK, c.Then...)...))
	default:
		note := ""
		if len(c.Cond) > 0 {
			note = strings.TrimRight(e.source(c.Cond[len(c.Cond)-1]), "; ") // the parser takes what ends a command for a part of it
		}
		unmet, met := st.Doomed, st.Met
		st.Doomed, st.Met = nil, nil
		other := st.Clone()
		st.Alts, other.Alts = then, otherwise
		st.Under(risk.Condition{Kind: risk.IfTrue, Of: note})
		if unmet != nil && unmet.Asked && st.Unreached == nil {
			st.Unreached = unmet
		}
		e.stmts(st, c.Then, io)
		st.Unreached = other.Unreached
		if other.Unreached == nil {
			other.Unreached = met
		}
		other.Under(risk.Condition{Kind: risk.IfNotTrue, Of: note})
		if c.Else != nil {
			e.ifClause(other, c.Else, io)
		}
		other.Unreached = st.Unreached
		e.rejoin(st, other)
	}
}

// elseOnAlts evaluates the rest of a clause on each alternative alone on which its
// condition failed, and returns those that are left.
func (e *evaluator) elseOnAlts(st *shell.State, alts []shell.Alt, c *syntax.IfClause, io ioctx) []shell.Alt {
	var out []shell.Alt
	for _, a := range alts {
		alt := st.Clone()
		alt.Alts, alt.Dir, alt.Status, alt.Unreached = nil, a.Dir, shell.OK, nil
		alt.Astray, alt.Instead = false, alt.Instead || a.Sure
		alt.Under(a.If)
		if c != nil {
			e.ifClause(alt, c, io)
		}
		if !alt.Gone {
			out = append(out, shell.Alt{Dir: alt.Dir, If: a.If, Status: alt.Status, Sure: a.Sure})
		}
	}
	return out
}

// rejoin makes st hold what either branch left, reached as before the branch.
func (e *evaluator) rejoin(st, other *shell.State) {
	reached, maybe := other.Reached, st.Maybe || other.Maybe
	if len(st.Reached) < len(reached) {
		reached = st.Reached
	}
	if len(reached) > 0 {
		reached = reached[:len(reached)-1]
	}
	alts := dedupe(append(st.Alts, other.Alts...))
	oneLeft := st.Gone != other.Gone
	st.Join(other)
	st.Alts = alts
	if !oneLeft {
		st.Reached = reached
		st.Maybe = maybe && len(reached) > 0
	}
}

func (e *evaluator) caseClause(st *shell.State, c *syntax.CaseClause, io ioctx) {
	subject := present(st, e.join(st, c.Word))
	var results []*shell.State
	base := st
	var through *shell.State // the branch that ;& carries on with the next item
	for _, item := range c.Items {
		if through != nil {
			e.stmts(through, item.Stmts, io)
			if item.Op != syntax.Fallthrough {
				through = nil
			}
			if base == nil {
				if through == nil {
					break
				}
				continue
			}
		}
		match := shell.Failed
		for _, p := range item.Patterns {
			switch matchValue(e.patternOf(st, p), subject, st) {
			case shell.OK:
				match = shell.OK
			case shell.Perhaps:
				if match == shell.Failed {
					match = shell.Perhaps
				}
			}
		}
		if match == shell.Failed {
			continue
		}
		branch := base.Clone()
		if len(item.Stmts) == 0 {
			branch.Status = shell.OK
		}
		if match == shell.Perhaps {
			branch.Under(risk.Condition{})
		}
		e.stmts(branch, item.Stmts, io)
		results = append(results, branch)
		if item.Op == syntax.Fallthrough {
			through = branch
		}
		if match == shell.OK && (item.Op == syntax.Break || through != nil) {
			base = nil
			if through == nil {
				break
			}
		}
	}
	if base != nil {
		none := base.Clone()
		none.Status = shell.OK
		results = append(results, none)
	}
	reached, maybe := st.Reached, st.Maybe
	*st = *results[0]
	for _, r := range results[1:] {
		st.Join(r)
	}
	st.Reached, st.Maybe = reached, maybe
}
