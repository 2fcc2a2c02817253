package sigma

import (
	"fmt"
	"strconv"
	"strings"
)

// condKind is an operator of a condition.
type condKind uint8

const (
	condName condKind = iota // a search identifier (or, in a correlation, a rule)
	condAnd
	condOr
	condNot
	condOf // a number of the searches that a pattern names
)

// cond is a condition as a tree.
type cond struct {
	kind    condKind
	kids    []*cond
	name    string // of condName
	pattern string // of condOf; "them" is lower-case
	atLeast int    // of condOf; 0 stands for all
}

// parseCondition reads the language of conditions: or, and, not, "N of" (1, any,
// all or a number) with a pattern or "them", and parentheses, from the least to
// the most binding (specification, "Condition").
func parseCondition(text string) (*cond, error) {
	toks, err := condTokens(text)
	if err != nil {
		return nil, err
	}
	p := condParser{toks: toks}
	c, err := p.or(0)
	if err != nil {
		return nil, err
	}
	if p.i < len(p.toks) {
		return nil, fmt.Errorf("%q is left over", p.toks[p.i])
	}
	return c, nil
}

// condTokens splits a condition into words and parentheses. A pipe begins an
// aggregation of Sigma 1.
func condTokens(text string) ([]string, error) {
	var toks []string
	start := -1
	flush := func(end int) {
		if start >= 0 {
			toks = append(toks, text[start:end])
			start = -1
		}
	}
	for i := range len(text) {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r':
			flush(i)
		case '(', ')':
			flush(i)
			toks = append(toks, text[i:i+1])
		case '|':
			return nil, fmt.Errorf("aggregations (| count() …, | near …) are obsolete; write a correlation rule")
		default:
			if start < 0 {
				start = i
			}
		}
		if len(toks) > maxTokens {
			return nil, fmt.Errorf("more than %d words", maxTokens)
		}
	}
	flush(len(text))
	return toks, nil
}

type condParser struct {
	toks []string
	i    int
}

// peek returns the next word, or the empty string at the end.
func (p *condParser) peek() string {
	if p.i < len(p.toks) {
		return p.toks[p.i]
	}
	return ""
}

// accept takes the next word if it is this keyword.
func (p *condParser) accept(keyword string) bool {
	if !strings.EqualFold(p.peek(), keyword) {
		return false
	}
	p.i++
	return true
}

func (p *condParser) or(depth int) (*cond, error) {
	return p.chain(depth, "or", condOr, p.and)
}

func (p *condParser) and(depth int) (*cond, error) {
	return p.chain(depth, "and", condAnd, p.not)
}

// chain reads operands joined by a keyword.
func (p *condParser) chain(depth int, keyword string, kind condKind, operand func(int) (*cond, error)) (*cond, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested too deep")
	}
	first, err := operand(depth)
	if err != nil {
		return nil, err
	}
	kids := []*cond{first}
	for p.accept(keyword) {
		c, err := operand(depth)
		if err != nil {
			return nil, err
		}
		kids = append(kids, c)
	}
	if len(kids) == 1 {
		return first, nil
	}
	return &cond{kind: kind, kids: kids}, nil
}

func (p *condParser) not(depth int) (*cond, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested too deep")
	}
	if p.accept("not") {
		c, err := p.not(depth + 1)
		if err != nil {
			return nil, err
		}
		return &cond{kind: condNot, kids: []*cond{c}}, nil
	}
	return p.primary(depth)
}

// primary reads a parenthesis, "N of pattern" or a name.
func (p *condParser) primary(depth int) (*cond, error) {
	tok := p.peek()
	switch tok {
	case "":
		return nil, fmt.Errorf("a search identifier is missing at the end")
	case ")":
		return nil, fmt.Errorf("a search identifier is missing before )")
	case "(":
		p.i++
		c, err := p.or(depth + 1)
		if err != nil {
			return nil, err
		}
		if p.peek() != ")" {
			return nil, fmt.Errorf("a closing parenthesis is missing")
		}
		p.i++
		return c, nil
	}
	p.i++
	if n, ok := quantity(tok); ok && p.accept("of") {
		pattern := p.peek()
		if pattern == "" || pattern == "(" || pattern == ")" {
			return nil, fmt.Errorf("%s of what?", tok)
		}
		p.i++
		if strings.EqualFold(pattern, "them") {
			pattern = "them"
		}
		return &cond{kind: condOf, pattern: pattern, atLeast: n}, nil
	}
	for _, keyword := range []string{"and", "or", "of", "near", "by"} {
		if strings.EqualFold(tok, keyword) {
			return nil, fmt.Errorf("%q where a search identifier belongs", tok)
		}
	}
	return &cond{kind: condName, name: tok}, nil
}

// quantity reads the N of "N of": 0 stands for all.
func quantity(tok string) (int, bool) {
	switch {
	case strings.EqualFold(tok, "all"):
		return 0, true
	case strings.EqualFold(tok, "any"):
		return 1, true
	}
	n, err := strconv.ParseUint(tok, 10, 16)
	return int(n), err == nil && n > 0
}

// resolve checks that all names of a condition exist and that every pattern
// names something.
func (d *detection) resolve(c *cond) error {
	switch c.kind {
	case condName:
		if d.find(c.name) == nil {
			return fmt.Errorf("there is no search identifier %s", shorten(c.name))
		}
	case condOf:
		n := len(d.named(c.pattern))
		if n == 0 {
			return fmt.Errorf("%s names no search identifier", shorten(c.pattern))
		}
		if c.atLeast > n {
			return fmt.Errorf("%d of %s can never hold: there are only %d", c.atLeast, shorten(c.pattern), n)
		}
	}
	for _, k := range c.kids {
		if err := d.resolve(k); err != nil {
			return err
		}
	}
	return nil
}

// named returns the searches that "them" or a pattern with * stands for.
// Those that begin with an underscore are left out, unless the pattern itself
// begins with one.
func (d *detection) named(pattern string) []*search {
	var out []*search
	for i := range d.searches {
		s := &d.searches[i]
		hidden := strings.HasPrefix(s.name, "_")
		if pattern == "them" {
			if !hidden {
				out = append(out, s)
			}
			continue
		}
		if (!hidden || strings.HasPrefix(pattern, "_")) && matchName(pattern, s.name) {
			out = append(out, s)
		}
	}
	return out
}

// matchName matches a name with a pattern in which * stands for any characters.
func matchName(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	name = name[len(parts[0]):]
	last := len(parts) - 1
	for _, p := range parts[1:last] {
		i := strings.Index(name, p)
		if i < 0 {
			return false
		}
		name = name[i+len(p):]
	}
	return strings.HasSuffix(name, parts[last])
}
