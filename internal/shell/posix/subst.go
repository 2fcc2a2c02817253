package posix

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// substitute evaluates $(…) or `…` and returns what it prints, trailing
// newlines removed.
func (e *evaluator) substitute(st *shell.State, c *syntax.CmdSubst) value.Value {
	e.visit(c)
	if st.Depth >= maxDepth {
		e.m.Unknown(st, e.span(c), risk.RoleBudget, "substitutions nested too deep")
		return value.Unknown(risk.CauseOther, "")
	}
	if r := readFile(c.Stmts); r != nil {
		st.Status, e.substituted = shell.OK, true
		out := e.cat(st, r)
		return bare(trimNewlines(e.held(st, e.span(c), out.Stdout)), out.Nothing)
	}
	sub := st
	if !c.ReplyVar && !c.TempFile {
		sub = st.Clone()
	}
	captured := sub.Captured
	sub.Captured = !c.ReplyVar
	defer func() { sub.Captured = captured }()
	sub.Depth++
	sub.Alts = nil
	sink := &shell.Sink{}
	if sub == st {
		e.stmts(st, c.Stmts, ioctx{out: sink})
	} else {
		e.subshell(sub, func() { e.stmts(sub, c.Stmts, ioctx{out: sink}) }, ioctx{out: sink})
		st.FS.Follow(sub.FS)
		st.Status, st.Shaky = sub.Status, sub.Shaky
	}
	sub.Depth--
	e.substituted = true
	if c.ReplyVar { // ${| …}: what it leaves in REPLY (mksh(1), "Substitution")
		if v := st.Vars.Get("REPLY"); v != nil {
			return v.Value
		}
	}
	return bare(trimNewlines(e.held(st, e.span(c), sink.Value())), nothingOf(c.Stmts, sub))
}

// nothingOf is why the statements of a substitution, one program or a pipeline whose errors
// stay out of it, print nothing as things are now; nil where they may print something.
func nothingOf(list []*syntax.Stmt, left *shell.State) *risk.Ending {
	if len(list) != 1 || list[0].Negated || list[0].Background || slices.ContainsFunc(list[0].Redirs, func(r *syntax.Redirect) bool { return r.Op == syntax.DplOut }) {
		return nil
	}
	switch x := list[0].Cmd.(type) {
	case *syntax.CallExpr:
		return left.Nothing
	case *syntax.BinaryCmd:
		if x.Op == syntax.Pipe && len(list[0].Redirs) == 0 {
			return nothingOf([]*syntax.Stmt{x.Y}, left)
		}
	}
	return nil
}

// bare is what a substitution prints, marked where that is nothing as things are now.
func bare(v value.Value, nothing *risk.Ending) value.Value {
	parts := v.Parts()
	if nothing == nil || nothing.How != risk.EndFails || len(parts) != 1 || parts[0].Hole == nil || len(parts[0].Hole.OneOf) > 0 || parts[0].Hole.Cause == risk.CauseFile && len(nothing.Missing) != 1 {
		return v
	}
	h := *parts[0].Hole
	h.Nothing = true
	return value.Of(h).With(v.Taint())
}

// held is content that the shell keeps in memory: it cannot keep what never
// ends.
func (e *evaluator) held(st *shell.State, at risk.Span, content value.Value) value.Value {
	if content.Taint().Has(value.Endless) {
		e.m.Effect(st, at, shell.Effect{Verb: risk.Exhaust, Kind: risk.KindEndlessInput, Target: value.Lit("the shell")})
	}
	return content.Without(value.Endless)
}

// readFile recognises the inside of $(<file), and of <(<file), which bash 5.2 reads
// in the same way.
func readFile(list []*syntax.Stmt) *syntax.Redirect {
	if len(list) == 1 && list[0].Cmd == nil && len(list[0].Redirs) == 1 && list[0].Redirs[0].Op == syntax.RdrIn {
		return list[0].Redirs[0]
	}
	return nil
}

// cat is what comes of a file that a substitution only reads.
func (e *evaluator) cat(st *shell.State, r *syntax.Redirect) shell.Outcome {
	return e.m.Run(st, &shell.Invocation{Argv: []shell.Word{{Value: value.Lit("cat")}, {Value: e.join(st, r.Word)}}, Span: e.span(r), Piped: true})
}

func trimNewlines(v value.Value) value.Value {
	if s, known := v.Known(); known {
		return value.Lit(strings.ReplaceAll(strings.TrimRight(s, "\n"), "\x00", "")).With(v.Taint())
	}
	parts := v.Parts()
	last := parts[len(parts)-1]
	if last.Hole != nil {
		return v
	}
	var b value.Builder
	b.Taint(v.Taint())
	for _, p := range parts[:len(parts)-1] {
		if p.Hole != nil {
			b.Add(value.Of(*p.Hole))
		} else {
			b.WriteString(p.Lit)
		}
	}
	b.WriteString(strings.TrimRight(last.Lit, "\n"))
	return b.Value()
}

// inside is what stands between the parentheses of a process substitution.
func inside(p *syntax.ProcSubst) syntax.Node {
	return &syntax.File{Stmts: p.Stmts, Last: p.Last}
}

// process evaluates <(…) and =(…), whose output can be read at the path it
// returns, and remembers >(…) until something is written to that path.
func (e *evaluator) process(st *shell.State, p *syntax.ProcSubst) value.Value {
	e.visit(p)
	e.subst++
	path := fmt.Sprintf("%s%d", shell.SubstPath, 63-e.subst%50)
	if p.Op == syntax.CmdOut {
		if e.outputs == nil {
			e.outputs = map[string]*code{}
		}
		e.outputs[path] = e.kept(inside(p), p.Stmts...)
		return value.Lit(path)
	}
	sub := st.Clone()
	sub.Depth++
	sub.Alts = nil
	sink := &shell.Sink{}
	if sub.Depth < maxDepth {
		e.subshell(sub, func() { e.stmts(sub, p.Stmts, ioctx{out: sink}) }, ioctx{out: sink})
	} else {
		e.m.Unknown(st, e.span(p), risk.RoleBudget, "substitutions nested too deep")
	}
	st.FS.Join(sub.FS)
	content := sink.Value()
	if r := readFile(p.Stmts); r != nil && st.Shell == "bash" {
		content = e.cat(sub, r).Stdout
	}
	st.FS.Create(path, content, true)
	return value.Lit(path).With(content.Taint())
}
