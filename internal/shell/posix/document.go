package posix

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"mvdan.cc/sh/v3/syntax"
)

// document evaluates a here-document's body: expansions, and backslashes only
// before $, ` and \, as inside double quotes.
func (e *evaluator) document(st *shell.State, w *syntax.Word, tabs bool) value.Value {
	f := splitter{e: e, st: st, one: true}
	for _, p := range w.Parts {
		l, ok := p.(*syntax.Lit)
		if !ok {
			if c, is := p.(*syntax.CmdSubst); is && c.Backquotes && st.Shell == "sh" && strings.Contains(e.source(c), `\"`) {
				e.unmodelled(st, e.span(c), "a backslash before a quote in backquotes") // dash takes it away, bash does not
			}
			f.part(p, true)
			continue
		}
		text := l.Value
		if tabs {
			text = stripTabs(text)
		}
		f.add(value.Lit(unescape(text, "$`\\\n")), true)
	}
	return f.whole()
}

// verbatimDocument is the body of a here-document whose delimiter is quoted.
// The parser overlooks quotes in the midst of a delimiter.
func (e *evaluator) verbatimDocument(st *shell.State, r *syntax.Redirect) value.Value {
	text := r.Hdoc.Lit()
	if from, to := int(r.Hdoc.Pos().Offset()), int(r.Hdoc.End().Offset()); text == "" && from < to && to <= len(e.text) {
		text, _ = strings.CutSuffix(e.text[from:to], unquoted(r.Word.Parts))
	}
	if r.Op == syntax.DashHdoc {
		text = stripTabs(text)
	}
	return e.spliced(st, value.Lit(text))
}

// hasQuotes reports whether any part of a word is quoted.
func hasQuotes(w *syntax.Word) bool {
	return slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		l, ok := p.(*syntax.Lit)
		return !ok || strings.Contains(l.Value, `\`)
	})
}

// unquoted is a delimiter without its quotes.
func unquoted(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(unquoteGlob(p.Value))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(unquoted(p.Parts))
		}
	}
	return b.String()
}

func stripTabs(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimLeft(l, "\t")
	}
	return strings.Join(lines, "")
}

// unescape removes a backslash before any byte of special; an escaped newline
// goes altogether.
func unescape(text, special string) string {
	if !strings.Contains(text, "\\") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte(special, text[i+1]) >= 0 {
			i++
			if text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// verbatim is the text between single quotes as the command has it: the parser
// may have been given a rewritten one.
func (e *evaluator) verbatim(q *syntax.SglQuoted) string {
	from, to := int(q.Left.Offset())+1, int(q.Right.Offset())
	if q.Dollar {
		from++
	}
	if strings.Contains(q.Value, "^}") && from <= to && to <= len(e.text) && len(e.text[from:to]) == len(q.Value) {
		return e.text[from:to]
	}
	return q.Value
}
