package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// A Cond is a condition over the flags and values of a match. The zero Cond
// holds always.
//
//	cond  = and { "or" and }
//	and   = unary { "and" unary }
//	unary = "not" unary | "(" cond ")" | name | name "=" word | name "~" glob
//
// A name with dashes is an option by its spellings, "--state" or "-s|--state".
//
// A bare name holds if that flag is set or that argument is present, one with
// dashes if that option was given. Whether a word that is not known is another
// one is not known either: an effect then has its condition hold, behind "not" as
// well, and what reassures (hides, says, needs) has not. In what is asked of a
// result (hides, says), a verb holds if there is such an effect: fs.write, or
// vcs.local:branch-delete for one of that kind.
type Cond struct {
	Op   CondOp
	Name string
	Word string
	Kids []Cond
}

// CondOp is the operator of a condition.
type CondOp uint8

// The operators.
const (
	Always CondOp = iota
	Is            // flag set or argument present
	Equals
	Like
	Not
	And
	Or
)

// condSubcommand is the condition that a subcommand was named where there are
// some: effects of a group hold without one.
const condSubcommand = "subcommand"

// condPrinted is that what the program prints is for who reads it, and goes to no other
// program, file or variable.
const condPrinted = "onscreen"

// condCalled is how the program was called, of those that share a spec.
const condCalled = "called"

// ParseCond reads a condition as specs write it.
func ParseCond(text string) (Cond, error) {
	p := condParser{words: condWords(text)}
	if len(p.words) == 0 {
		return Cond{}, nil
	}
	c, err := p.or(0)
	if err == nil && len(p.words) > 0 {
		err = fmt.Errorf("unexpected %q", p.words[0])
	}
	if err != nil {
		return Cond{}, fmt.Errorf("condition %q: %w", text, err)
	}
	return c, nil
}

// condWords splits a condition; a parenthesis behind = is the word that is compared.
func condWords(text string) []string {
	text = strings.NewReplacer("=(", "=(", "(", " ( ", ")", " ) ").Replace(text)
	return strings.Fields(text)
}

type condParser struct{ words []string }

func (p *condParser) accept(w string) bool {
	if len(p.words) > 0 && p.words[0] == w {
		p.words = p.words[1:]
		return true
	}
	return false
}

const maxCondDepth = 20

func (p *condParser) or(depth int) (Cond, error) { return p.chain(Or, "or", depth, p.and) }

func (p *condParser) and(depth int) (Cond, error) { return p.chain(And, "and", depth, p.unary) }

func (p *condParser) chain(op CondOp, word string, depth int, next func(int) (Cond, error)) (Cond, error) {
	c, err := next(depth)
	if err != nil {
		return c, err
	}
	kids := []Cond{c}
	for p.accept(word) {
		if c, err = next(depth); err != nil {
			return c, err
		}
		kids = append(kids, c)
	}
	if len(kids) == 1 {
		return kids[0], nil
	}
	return Cond{Op: op, Kids: kids}, nil
}

func (p *condParser) unary(depth int) (Cond, error) {
	if depth > maxCondDepth {
		return Cond{}, fmt.Errorf("nested too deep")
	}
	if p.accept("not") {
		c, err := p.unary(depth + 1)
		return Cond{Op: Not, Kids: []Cond{c}}, err
	}
	if p.accept("(") {
		c, err := p.or(depth + 1)
		if err == nil && !p.accept(")") {
			err = fmt.Errorf("missing )")
		}
		return c, err
	}
	if len(p.words) == 0 || p.words[0] == ")" || p.words[0] == "and" || p.words[0] == "or" {
		return Cond{}, fmt.Errorf("a name is missing")
	}
	w := p.words[0]
	p.words = p.words[1:]
	if i := strings.IndexAny(w, "=~"); i > 0 {
		op := Equals
		if w[i] == '~' {
			op = Like
		}
		return Cond{Op: op, Name: w[:i], Word: w[i+1:]}, nil
	}
	return Cond{Op: Is, Name: w}, nil
}

// Names appends every name that c mentions.
func (c Cond) Names(to []string) []string {
	if c.Name != "" {
		to = append(to, c.Name)
	}
	for _, k := range c.Kids {
		to = k.Names(to)
	}
	return to
}

// Holds evaluates c over a match; where that is not known, it holds.
func (c *Cond) Holds(m *Match) bool { return c.holds(m, nil, true) }

// surely evaluates c over a match and, for its verbs, over what came of it; where
// that is not known, it does not hold.
func (c *Cond) surely(m *Match, r *Result) bool { return c.holds(m, r, false) }

// holds evaluates c; may is what it comes to where that is not known.
func (c *Cond) holds(m *Match, r *Result, may bool) bool {
	switch c.Op {
	case Always:
		return true
	case Is:
		switch {
		case c.Name[0] == '-':
			return m.Given(c.Name) || r != nil && len(m.accepted) > 0 && slices.Contains(m.accepted, c.Name)
		case isVerb(c.Name):
			return r != nil && r.does(c.Name)
		case c.Name == condPrinted:
			return r != nil && !r.Elsewhere
		}
		if arg, n := Ordinal(c.Name); n > 0 {
			return len(m.Values(arg)) >= n
		}
		return m.Has(c.Name) || c.Name == condSubcommand && len(m.Node().Sub) == 0
	case Equals, Like:
		return c.compare(m, may)
	case Not:
		return !c.Kids[0].holds(m, r, !may)
	case And:
		for i := range c.Kids {
			if k := &c.Kids[i]; !k.holds(m, r, may) {
				return false
			}
		}
		return true
	case Or:
		for i := range c.Kids {
			if k := &c.Kids[i]; k.holds(m, r, may) {
				return true
			}
		}
	}
	return false
}

// isVerb reports whether a name in a condition or a phrase is a verb's: no
// flag and no argument has a dot in its name.
func isVerb(name string) bool { return strings.IndexByte(name, '.') > 0 }

// ParseEffect reads the name of a kind of effect: a verb, or a verb and a kind
// with dashes for its blanks, "vcs.local:branch-delete".
func ParseEffect(name string) (risk.Verb, risk.Kind, error) {
	verb, word, ok := strings.Cut(name, ":")
	if !slices.Contains(risk.Verbs(), risk.Verb(verb)) {
		return "", risk.NoKind, fmt.Errorf("%q is no verb", verb)
	}
	if !ok {
		return risk.Verb(verb), risk.NoKind, nil
	}
	kind, ok := risk.KindOf(word)
	if !ok {
		kind, ok = risk.KindOf(strings.ReplaceAll(word, "-", " "))
	}
	if !ok || kind == risk.NoKind || !kind.With(risk.Verb(verb)) {
		return "", risk.NoKind, fmt.Errorf("%q is not said of %s", word, verb)
	}
	return risk.Verb(verb), kind, nil
}

func (c Cond) compare(m *Match, may bool) bool {
	if c.Name == condSubcommand { // as it was written
		return c.Op == Equals && m.verb == c.Word || c.Op == Like && Glob(c.Word, m.verb)
	}
	if c.Name == condCalled {
		return c.Op == Equals && m.as == c.Word || c.Op == Like && Glob(c.Word, m.as)
	}
	arg, n := Ordinal(c.Name)
	words := m.Values
	if strings.HasPrefix(c.Name, "-") { // an option by its spellings
		words = m.spelled
	}
	for _, v := range nth(words(arg), n) {
		s, known := v.Known()
		if !known {
			is, sure := begins(c, v.Prefix())
			if sure && is || !sure && may {
				return true
			}
			continue
		}
		switch {
		case c.Op == Equals && s == c.Word:
			return true
		case c.Op == Like && Glob(c.Word, s):
			return true
		}
	}
	return false
}

// begins decides a comparison by what a word begins with, where that is all that is
// known of it.
func begins(c Cond, prefix string) (is, sure bool) {
	alternatives := []string{c.Word}
	if c.Op == Like {
		alternatives = strings.Split(c.Word, "|")
	}
	sure = true
	for _, a := range alternatives {
		first, rest, star := strings.Cut(a, "*")
		if star = star && c.Op == Like; !star {
			first = a
		}
		switch {
		case star && rest == "" && strings.HasPrefix(prefix, first):
			return true, true
		case strings.HasPrefix(first, prefix) || star && strings.HasPrefix(prefix, first):
			sure = false
		}
	}
	return false, sure
}

// Glob reports whether s matches a pattern in which * stands for any run of
// bytes and | separates alternatives. It is linear in the length of s for
// each star.
func Glob(pattern, s string) bool {
	for alternative := range strings.SplitSeq(pattern, "|") {
		if globOne(alternative, s) {
			return true
		}
	}
	return false
}

func globOne(pattern, s string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == s
	}
	if !strings.HasPrefix(s, first) {
		return false
	}
	s = s[len(first):]
	for {
		piece, more, again := strings.Cut(rest, "*")
		if !again {
			return strings.HasSuffix(s, rest)
		}
		i := strings.Index(s, piece)
		if i < 0 {
			return false
		}
		s, rest = s[i+len(piece):], more
	}
}

// String writes c as a spec would; "" if it holds always.
func (c Cond) String() string {
	switch c.Op {
	case Is:
		return c.Name
	case Equals:
		return c.Name + "=" + c.Word
	case Like:
		return c.Name + "~" + c.Word
	case Not:
		return "not " + c.Kids[0].inner()
	case And, Or:
		words := make([]string, len(c.Kids))
		for i, k := range c.Kids {
			words[i] = k.inner()
		}
		return strings.Join(words, map[CondOp]string{And: " and ", Or: " or "}[c.Op])
	}
	return ""
}

// inner is String for a part of a condition.
func (c Cond) inner() string {
	if c.Op == And || c.Op == Or {
		return "(" + c.String() + ")"
	}
	return c.String()
}
