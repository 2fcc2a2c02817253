package intent

// letters counts what single bytes and their neighbours tell.
func (s *Shape) letters(text string) {
	var counts [256]int32
	upper, run, depth := 0, float32(0), 0
	for i := range len(text) {
		c := text[i]
		counts[c]++
		if c >= 'A' && c <= 'Z' {
			upper++
		}
		if isBase64(c) {
			run++
			s[shapeEncoded] = max(s[shapeEncoded], run)
		} else {
			run = 0
		}
		var before, after byte
		if i > 0 {
			before = text[i-1]
		}
		if i+1 < len(text) {
			after = text[i+1]
		}
		switch c {
		case '(', '{', '[':
			depth++
			s[shapeNesting] = max(s[shapeNesting], float32(min(depth, 15)))
		case ')', '}', ']':
			depth = max(depth-1, 0)
		default:
			s.operator(before, c, after)
		}
		if c == '(' && (before == '$' || before == '<' || before == '>') {
			s[shapeSubst]++
		}
	}
	if len(text) > 0 {
		s[shapeUpper] = float32(8*upper) / float32(len(text))
	}
	s[shapeEntropy] = max(s[shapeEntropy], entropy(&counts, len(text)))
}

func (s *Shape) operator(before, c, after byte) {
	switch c {
	case '|':
		switch {
		case before == '|':
			s[shapeLists]++
		case after != '|':
			s[shapePipes]++
		}
	case '&':
		if before != '&' && before != '>' && after != '>' {
			s[shapeLists]++
		}
	case ';':
		s[shapeLists]++
	case '`':
		s[shapeSubst] += 0.5
	case '>':
		switch {
		case before == '>':
			s[shapeAppend]++
		case after != '>' && after != '&':
			s[shapeOut]++
		}
	case '<':
		switch {
		case before == '<':
			s[shapeHeredoc]++
		case after != '<' && after != '(':
			s[shapeIn]++
		}
	case '\\':
		if after == 'x' || after == 'u' || after == '0' {
			s[shapeEscapes]++
		}
	case '"', '\'':
		s[shapeQuoted] += 0.5
	case '$':
		s[shapeVars]++
	case '*':
		s[shapeGlob]++
	case '\n':
		s[shapeLines]++
	case Mask:
		s[shapeMasked]++
	}
}

func isBase64(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '='
}

// entropy is Shannon's, in bits a byte.
func entropy(counts *[256]int32, n int) float32 {
	if n == 0 {
		return 0
	}
	sum := 0.0
	for _, c := range counts {
		if c > 0 {
			p := float64(c) / float64(n)
			sum -= float64(p * log2(p))
		}
	}
	return float32(sum)
}
