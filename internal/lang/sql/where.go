package sql

import "strings"

// rows says which rows a statement with a condition is for.
func rows(t []Token) Rows {
	i := find(t, "WHERE")
	if i < 0 {
		return NoWhere
	}
	t = t[i+1:]
	if end := conditionEnd(t); end < len(t) {
		t = t[:end]
	}
	if len(t) == 0 || always(t, 0) {
		return EveryRow
	}
	return SomeRows
}

// conditionEnd returns where a condition ends.
func conditionEnd(t []Token) int {
	depth := 0
	for i := range t {
		switch {
		case t[i].sign('('):
			depth++
		case t[i].sign(')'):
			if depth--; depth < 0 {
				return i
			}
		case t[i].sign(';'), depth == 0 && t[i].Is("RETURNING", "LIMIT", "ORDER", "OPTION"):
			return i
		}
	}
	return len(t)
}

// maxCondition bounds parentheses in conditions.
const maxCondition = 16

// always reports whether a condition surely holds for every row: one of the
// parts that OR joins is made of nothing else than truths.
func always(t []Token, depth int) bool {
	for depth < maxCondition && len(t) > 2 && t[0].sign('(') && closing(t, 0) == len(t)-1 {
		t = t[1 : len(t)-1]
		depth++
	}
	from, truths := 0, true
	nested := 0
	for i := 0; i <= len(t); i++ {
		end := i == len(t)
		switch {
		case end:
		case t[i].sign('('):
			nested++
			continue
		case t[i].sign(')'):
			nested--
			continue
		case nested > 0 || !t[i].Is("OR", "AND"):
			continue
		}
		truths = truths && truth(t[from:i], depth)
		from = i + 1
		if end || t[i].Is("OR") {
			if truths {
				return true
			}
			truths = true
		}
	}
	return false
}

// truth reports whether a condition without OR and AND surely holds.
func truth(t []Token, depth int) bool {
	switch {
	case len(t) == 1 && t[0].Kind == Number:
		return strings.Trim(t[0].Text, "0.") != ""
	case len(t) == 1:
		return t[0].Is("TRUE")
	case len(t) == 3 && t[1].sign('='):
		return t[0].Kind == t[2].Kind && t[0].Text == t[2].Text && t[0].Kind != Param && !t[0].Hole
	case len(t) == 2 && t[0].Is("NOT"):
		return t[1].Is("FALSE") || t[1].Kind == Number && strings.Trim(t[1].Text, "0.") == ""
	case len(t) > 2 && t[0].sign('(') && depth < maxCondition && closing(t, 0) == len(t)-1:
		return always(t, depth)
	}
	return false
}
