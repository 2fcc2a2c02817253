package pure

import (
	"math/big"
	"strings"
)

// An expression evaluates the words of expr.
type expression struct {
	j     *job
	words []string
	depth int
}

// runExpr is expr(1) of coreutils: | & comparisons, + - * / %, :, match,
// substr, index, length, + TOKEN and parentheses. Errors are left unknown.
func runExpr(j *job, args []string) error {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 || len(args) > 256 || len(args) == 1 && strings.HasPrefix(args[0], "--") {
		return errUnknown
	}
	e := &expression{j: j, words: args}
	v, err := e.binary(0)
	if err != nil {
		return err
	}
	if len(e.words) > 0 {
		return errUnknown
	}
	j.writeString(v + "\n")
	if isNull(v) {
		j.status = 1
	}
	return nil
}

// isNull reports whether expr takes a value for false.
func isNull(v string) bool {
	t := strings.TrimPrefix(v, "-")
	return v == "" || t != "" && strings.Trim(t, "0") == ""
}

// exprLevels holds the binary operators, weakest first.
func exprLevels(level int) []string {
	switch level {
	case 0:
		return []string{"|"}
	case 1:
		return []string{"&"}
	case 2:
		return []string{"<", "<=", "=", "==", "!=", ">=", ">"}
	case 3:
		return []string{"+", "-"}
	case 4:
		return []string{"*", "/", "%"}
	case 5:
		return []string{":"}
	}
	return nil
}

func (e *expression) binary(level int) (string, error) {
	if level > 5 {
		return e.unary()
	}
	left, err := e.binary(level + 1)
	if err != nil {
		return "", err
	}
	for {
		op, ok := e.accept(exprLevels(level)...)
		if !ok {
			return left, nil
		}
		right, err := e.binary(level + 1)
		if err != nil {
			return "", err
		}
		if left, err = e.apply(op, left, right); err != nil {
			return "", err
		}
	}
}

// accept takes the next word if it is one of the operators.
func (e *expression) accept(ops ...string) (string, bool) {
	if len(e.words) == 0 {
		return "", false
	}
	for _, op := range ops {
		if e.words[0] == op {
			e.words = e.words[1:]
			return op, true
		}
	}
	return "", false
}

func (e *expression) next() (string, error) {
	if len(e.words) == 0 {
		return "", errUnknown
	}
	w := e.words[0]
	e.words = e.words[1:]
	return w, nil
}

func (e *expression) unary() (string, error) {
	if e.depth++; e.depth > 100 {
		return "", errUnknown
	}
	defer func() { e.depth-- }()
	w, err := e.next()
	if err != nil {
		return "", err
	}
	switch w {
	case "+":
		return e.next()
	case "(":
		v, err := e.binary(0)
		if _, ok := e.accept(")"); err != nil || !ok {
			return "", errUnknown
		}
		return v, nil
	case "match", "index", "length", "substr":
		return e.function(w)
	case ")", "|", "&", "<", "<=", "=", "==", "!=", ">=", ">", "-", "*", "/", "%", ":":
		return "", errUnknown
	}
	return w, nil
}

func (e *expression) function(name string) (string, error) {
	n := map[string]int{"match": 2, "index": 2, "length": 1, "substr": 3}[name]
	a := make([]string, n)
	for i := range a {
		var err error
		if a[i], err = e.unary(); err != nil {
			return "", err
		}
		if !isASCII(a[i]) {
			return "", errUnknown
		}
	}
	switch name {
	case "match":
		return e.match(a[0], a[1])
	case "length":
		return big.NewInt(int64(len(a[0]))).String(), nil
	case "index":
		return big.NewInt(int64(strings.IndexAny(a[0], a[1]) + 1)).String(), nil
	}
	at, ok1 := exprNumber(a[1])
	n2, ok2 := exprNumber(a[2])
	if !ok1 || !ok2 || at.Sign() <= 0 || n2.Sign() <= 0 || !at.IsInt64() || at.Int64() > int64(len(a[0])) {
		return "", nil
	}
	rest := a[0][at.Int64()-1:]
	if n2.IsInt64() {
		rest = rest[:min(n2.Int64(), int64(len(rest)))]
	}
	return rest, nil
}

func exprNumber(s string) (*big.Int, bool) {
	t := strings.TrimPrefix(s, "-")
	if t == "" || len(t) > 200 || strings.Trim(t, "0123456789") != "" {
		return nil, false
	}
	return new(big.Int).SetString(s, 10)
}

func (e *expression) apply(op, a, b string) (string, error) {
	switch op {
	case "|":
		if !isNull(a) {
			return a, nil
		}
		if !isNull(b) {
			return b, nil
		}
		return "0", nil
	case "&":
		if isNull(a) || isNull(b) {
			return "0", nil
		}
		return a, nil
	case ":":
		return e.match(a, b)
	}
	x, ok1 := exprNumber(a)
	y, ok2 := exprNumber(b)
	if op[0] == '<' || op[0] == '=' || op[0] == '!' || op[0] == '>' {
		c := 0
		switch {
		case ok1 && ok2:
			c = x.Cmp(y)
		case op != "=" && op != "==" && op != "!=" && e.j.locale("LC_COLLATE") == charsetUnknown:
			return "", errUnknown
		default:
			c = strings.Compare(a, b)
		}
		if compareBy(op, c) {
			return "1", nil
		}
		return "0", nil
	}
	if !ok1 || !ok2 {
		return "", errUnknown
	}
	z, ok := arithmetic(op[0], x, y)
	if !ok {
		return "", errUnknown
	}
	return z.String(), nil
}

// match is STRING : BRE, anchored at the start: the group if there is one,
// else the length.
func (e *expression) match(s, pattern string) (string, error) {
	p, err := e.j.compileRE("^"+strings.TrimPrefix(pattern, "^"), reDialect{})
	if err != nil || strings.HasPrefix(pattern, "*") || strings.Contains(pattern, `\|`) || p.groups > 0 && !p.exact {
		return "", errUnknown
	}
	if !isASCII(s) {
		return "", errUnknown
	}
	m, err := p.find(e.j, []byte(s), 1)
	if err != nil {
		return "", err
	}
	switch {
	case p.groups > 0 && (len(m) == 0 || m[0][2] < 0):
		return "", nil
	case p.groups > 0:
		return s[m[0][2]:m[0][3]], nil
	case len(m) == 0:
		return "0", nil
	}
	return big.NewInt(int64(m[0][1])).String(), nil
}
