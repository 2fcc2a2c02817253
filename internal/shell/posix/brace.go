package posix

import (
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// braces performs brace expansion.
func (e *evaluator) braces(st *shell.State, w *syntax.Word) []*syntax.Word {
	if st.Shell == "sh" || !hasBrace(w) {
		return []*syntax.Word{w}
	}
	if braces(w) > maxBraces {
		e.m.Unknown(st, e.span(w), risk.RoleBudget, "too many braces")
		return []*syntax.Word{w}
	}
	split := *w
	split.Parts = quotesApart(w.Parts)
	if !syntax.SplitBraces(&split) {
		return []*syntax.Word{w}
	}
	if st.Shell == "mksh" {
		split.Parts = withoutRanges(split.Parts)
	}
	n := braceCount(&split)
	if n > maxFanOut || !e.m.Spend(n) {
		e.m.Unknown(st, e.span(w), risk.RoleBudget, "a brace expansion becomes too many words")
		return []*syntax.Word{w}
	}
	var out []*syntax.Word
	for one, err := range expand.BracesSeq(&expand.Config{}, &split) {
		if err != nil || len(out) > maxFanOut {
			e.m.Unknown(st, e.span(w), risk.RoleBudget, "a brace expansion becomes too many words")
			return []*syntax.Word{w}
		}
		out = append(out, one)
	}
	return out
}

// quotesApart makes parts of their own of the quoted texts that the parser leaves
// in qualifiers of zsh, so that no brace in them counts.
func quotesApart(parts []syntax.WordPart) (out []syntax.WordPart) {
	for i, p := range parts {
		l, ok := p.(*syntax.Lit)
		if !ok || !strings.ContainsAny(l.Value, `'"`) {
			if out != nil {
				out = append(out, p)
			}
			continue
		}
		if out == nil {
			out = append(out, parts[:i]...)
		}
		from := 0
		for at := 0; at < len(l.Value); at++ {
			switch l.Value[at] {
			case '\\':
				at++
			case '\'', '"':
				text, rest, closed := quotedText(l.Value[at:])
				if !closed {
					return parts
				}
				out = append(out, &syntax.Lit{ValuePos: l.ValuePos, ValueEnd: l.ValueEnd, Value: l.Value[from:at]}, &syntax.SglQuoted{Value: text})
				from = len(l.Value) - len(rest)
				at = from - 1
			}
		}
		out = append(out, &syntax.Lit{ValuePos: l.ValuePos, ValueEnd: l.ValueEnd, Value: l.Value[from:]})
	}
	if out == nil {
		return parts
	}
	return out
}

// withoutRanges writes ranges like {1..3} as they are: mksh has none.
func withoutRanges(parts []syntax.WordPart) []syntax.WordPart {
	out := make([]syntax.WordPart, len(parts))
	for i, p := range parts {
		out[i] = p
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		if b.Sequence {
			out[i] = &syntax.Lit{ValuePos: b.Pos(), ValueEnd: b.End(), Value: braceText(b)}
			continue
		}
		list := *b
		list.Elems = nil
		for _, el := range b.Elems {
			list.Elems = append(list.Elems, &syntax.Word{Parts: withoutRanges(el.Parts)})
		}
		out[i] = &list
	}
	return out
}

func hasBrace(w *syntax.Word) bool { return braces(w) > 0 }

// braces counts the unquoted opening braces of a word. Splitting costs their
// square where they are not closed.
func braces(w *syntax.Word) int {
	n := 0
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			n += strings.Count(l.Value, "{")
		}
	}
	return n
}

// maxEnd bounds the ends of a range of numbers and its step: beyond it the
// range could pass the largest integer and never end; maxDigits bounds how far
// its numbers are padded.
const (
	maxBraces = 1000
	maxEnd    = 1 << 40
	maxDigits = 64
)

// rangeCount returns about how many words {from..to..step} becomes, or a
// number over maxFanOut if it is not a sane range.
func rangeCount(elems []*syntax.Word) int {
	for _, el := range elems {
		if lit := el.Lit(); len(lit) > maxDigits {
			return maxFanOut + 1
		}
	}
	if len(elems) > 2 {
		if step, ok := number(elems[2].Lit()); ok && (step > maxEnd || step < -maxEnd) {
			return maxFanOut + 1
		}
	}
	from, ok := number(elems[0].Lit())
	to, ok2 := number(elems[1].Lit())
	switch {
	case ok && ok2 && min(from, to) >= -maxEnd && max(from, to) <= maxEnd:
		return int(min(max(from-to, to-from)+1, maxFanOut+1))
	case len(elems[0].Lit()) == 1 && !ok:
		return 256
	}
	return maxFanOut + 1
}

// braceCount returns how many words a split word becomes, or any number over
// maxFanOut if there are more.
func braceCount(w *syntax.Word) int {
	n := 1
	for _, p := range w.Parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		sum := 0
		if b.Sequence {
			sum = rangeCount(b.Elems)
		} else {
			for _, el := range b.Elems {
				sum = min(sum+braceCount(el), maxFanOut+1)
			}
		}
		if n *= sum; n > maxFanOut {
			return maxFanOut + 1
		}
	}
	return n
}

// braceText is the source of a brace expression that was not expanded.
func braceText(b *syntax.BraceExp) string {
	var parts []string
	for _, el := range b.Elems {
		parts = append(parts, el.Lit())
	}
	if b.Sequence {
		return "{" + strings.Join(parts, "..") + "}"
	}
	return "{" + strings.Join(parts, ",") + "}"
}
