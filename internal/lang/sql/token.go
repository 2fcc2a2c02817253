package sql

import "strings"

// A TokenKind says what a token is.
type TokenKind uint8

// The kinds of tokens.
const (
	Word   TokenKind = iota + 1 // a keyword, or a name without quotes
	Name                        // a quoted name
	String                      // a quoted text
	Number                      // a number
	Param                       // a placeholder or variable: ?, $1, :id, @x
	Sign                        // one other byte
)

// A Token is a piece of a statement. Text is what stands inside its quotes.
type Token struct {
	Kind       TokenKind
	Text       string
	Start, End int
	// Hole is set when a part of the token is not known.
	Hole bool
}

// Is reports whether the token is one of these keywords, in upper case.
func (t Token) Is(words ...string) bool {
	if t.Kind != Word {
		return false
	}
	for _, w := range words {
		if strings.EqualFold(t.Text, w) {
			return true
		}
	}
	return false
}

// sign reports whether the token is this byte.
func (t Token) sign(c byte) bool { return t.Kind == Sign && t.Text[0] == c }

// named reports whether the token is a name that is known.
func (t Token) named() bool { return (t.Kind == Word || t.Kind == Name) && !t.Hole }

// find returns the first token outside parentheses that is one of words, or -1.
func find(t []Token, words ...string) int {
	depth := 0
	for i := range t {
		switch {
		case t[i].sign('('):
			depth++
		case t[i].sign(')'):
			depth--
		case depth <= 0 && t[i].Is(words...):
			return i
		}
	}
	return -1
}

// closing returns the offset of the parenthesis that closes the one at i, or
// the number of tokens.
func closing(t []Token, i int) int {
	depth := 0
	for ; i < len(t); i++ {
		switch {
		case t[i].sign('('):
			depth++
		case t[i].sign(')'):
			if depth--; depth <= 0 {
				return i
			}
		}
	}
	return len(t)
}

// texts returns the first n strings among tokens.
func texts(t []Token, n int) []Token {
	var all []Token
	for i := range t {
		if t[i].Kind == String && len(all) < n {
			all = append(all, t[i])
		}
	}
	return all
}

// textsOrNames is texts, or where there are none the quoted names, which SQLite takes
// for texts where nothing has that name (sqlite.org/quirks.html, 8).
func textsOrNames(t []Token, n int) []Token {
	all := texts(t, n)
	if len(all) > 0 {
		return all
	}
	for _, one := range t {
		if one.Kind == Name && len(all) < n {
			one.Kind = String
			all = append(all, one)
		}
	}
	return all
}

// at returns the token at i, or none.
func at(t []Token, i int) Token {
	if i < 0 || i >= len(t) {
		return Token{}
	}
	return t[i]
}
