package sigma

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// Bounds of the literals taken out of one regular expression.
const (
	maxRegLiterals = 300 // alternatives
	maxRegClass    = 64  // runes of a class that is written out
	maxRegDepth    = 200
)

// regLiterals is what is known of the texts that a part of an expression
// matches, in lower case.
type regLiterals struct {
	exact []string // all of them, if not nil
	need  []string // each contains one of these, if not nil
}

// requiredLiterals returns texts of which every match of an expression contains
// one, in lower case, or nil if none of useful length are found.
func requiredLiterals(expr string) []string {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	r := literalsOf(re.Simplify(), 0)
	return useful(minimal(better(r.exact, r.need)))
}

// minimal drops texts that contain another one of the set, which says as much.
func minimal(set []string) []string {
	var out []string
	for _, s := range set {
		if !slices.ContainsFunc(set, func(t string) bool { return len(t) < len(s) && strings.Contains(s, t) }) {
			out = append(out, s)
		}
	}
	return out
}

// useful drops a set with a text that is too short to be indexed.
func useful(set []string) []string {
	if shortest(set) < shortGram {
		return nil
	}
	return set
}

func shortest(set []string) int {
	if len(set) == 0 {
		return -1
	}
	n := len(set[0])
	for _, s := range set {
		n = min(n, len(s))
	}
	return n
}

// better prefers the set whose shortest text is longer, up to 8 bytes, and then
// the smaller one.
func better(a, b []string) []string {
	x, y := min(shortest(a), 8), min(shortest(b), 8)
	if x > y || x == y && len(a) <= len(b) {
		return a
	}
	return b
}

func literalsOf(re *syntax.Regexp, depth int) regLiterals {
	if depth > maxRegDepth {
		return regLiterals{}
	}
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return regLiterals{exact: []string{""}}
	case syntax.OpLiteral:
		parts := make([]regLiterals, len(re.Rune))
		for i, r := range re.Rune {
			parts[i] = regLiterals{exact: lowerings(r, re.Flags&syntax.FoldCase != 0)}
		}
		return concat(parts)
	case syntax.OpCharClass:
		return regLiterals{exact: classTexts(re.Rune)}
	case syntax.OpCapture:
		return literalsOf(re.Sub[0], depth+1)
	case syntax.OpPlus:
		r := literalsOf(re.Sub[0], depth+1)
		return regLiterals{need: better(r.exact, r.need)}
	case syntax.OpRepeat:
		if re.Min == 0 {
			return regLiterals{}
		}
		r := literalsOf(re.Sub[0], depth+1)
		return regLiterals{need: better(r.exact, r.need)}
	case syntax.OpQuest:
		if r := literalsOf(re.Sub[0], depth+1); r.exact != nil && len(r.exact) < maxRegLiterals {
			return regLiterals{exact: sorted(append(slices.Clone(r.exact), ""))}
		}
	case syntax.OpConcat:
		parts := make([]regLiterals, len(re.Sub))
		for i, s := range re.Sub {
			parts[i] = literalsOf(s, depth+1)
		}
		return concat(parts)
	case syntax.OpAlternate:
		return alternate(re.Sub, depth)
	}
	return regLiterals{}
}

// lowerings returns the lower case of a rune; where case does not matter, of all
// its forms: (?i)s also matches the long s, whose lower case is itself.
func lowerings(r rune, fold bool) []string {
	out := []string{string(unicode.ToLower(r))}
	if fold {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			out = append(out, string(unicode.ToLower(f)))
		}
	}
	return sorted(out)
}

// classTexts writes a class out, or returns nil if it is large. Ranges come in
// pairs.
func classTexts(ranges []rune) []string {
	var out []string
	for i := 0; i+1 < len(ranges); i += 2 {
		if int(ranges[i+1]-ranges[i])+len(out) >= maxRegClass {
			return nil
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			out = append(out, string(unicode.ToLower(r)))
		}
	}
	return sorted(out)
}

func sorted(set []string) []string {
	slices.Sort(set)
	return slices.Compact(set)
}

// concat joins neighbours whose texts are known, as far as the product stays
// small, and keeps the best set met on the way.
func concat(parts []regLiterals) regLiterals {
	cur := []string{""}
	var best []string
	whole := true
	for _, p := range parts {
		best = better(best, p.need)
		if p.exact == nil {
			best = better(best, cur)
			cur, whole = []string{""}, false
			continue
		}
		if len(cur)*len(p.exact) > maxRegLiterals {
			best = better(best, cur)
			cur, whole = p.exact, false
			continue
		}
		cur = product(cur, p.exact)
	}
	if whole {
		return regLiterals{exact: cur}
	}
	return regLiterals{need: better(best, cur)}
}

func product(a, b []string) []string {
	if len(b) == 1 && b[0] == "" {
		return a
	}
	out := make([]string, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return sorted(out)
}

// alternate unites the sets of the branches.
func alternate(subs []*syntax.Regexp, depth int) regLiterals {
	exact, need := []string{}, []string{}
	for _, s := range subs {
		r := literalsOf(s, depth+1)
		if exact != nil && r.exact != nil {
			exact = append(exact, r.exact...)
		} else {
			exact = nil
		}
		if n := better(r.exact, r.need); n != nil && need != nil {
			need = append(need, n...)
		} else {
			need = nil
		}
	}
	if len(exact) > maxRegLiterals {
		exact = nil
	}
	if len(need) > maxRegLiterals {
		need = nil
	}
	r := regLiterals{need: sorted(need)}
	if exact != nil {
		r.exact = sorted(exact)
	}
	return r
}

// clean makes a text valid UTF-8, each bad byte a U+FFFD.
func clean(s string) string {
	if strings.ToValidUTF8(s, "") == s {
		return s
	}
	return string([]rune(s))
}
