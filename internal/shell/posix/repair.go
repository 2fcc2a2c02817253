package posix

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"mvdan.cc/sh/v3/syntax"
)

// Source is a text that was parsed.
type Source struct {
	File *syntax.File
	// Grammar is the dialect that the text was parsed in.
	Grammar string
	// Text is what File is the tree of, but for the case-toggling expansions
	// that untoggle replaces: where the parser does not know what the shell
	// does, it is a rewritten one.
	Text string
	// Placeholders are the words like <name> that stand for something to be
	// filled in, by the variable that replaces each of them in Text. A shell
	// refuses them.
	Placeholders map[string]string
	// WithoutParams says that Text is right only where no positional
	// parameter is set.
	WithoutParams bool
	// HandedOver says that the tree ends at an exit or exec, behind which the text is
	// not read: right only where these words mean what they do by themselves.
	HandedOver bool
}

// fits reports whether a text means in st what its tree says.
func (s *Source) fits(st *shell.State) error {
	if s.WithoutParams && len(st.Params)+len(st.Parts) > 0 {
		return errors.New("parsing: an arithmetic expression that is made of positional parameters")
	}
	if s.HandedOver && slices.ContainsFunc([]string{"exit", "exec"}, func(name string) bool { return redefined(st, name) }) {
		return errors.New("parsing: what stands behind an exit or exec that has another meaning here")
	}
	return nil
}

// maxRepairs bounds how often a text is parsed again, and maxRepaired the
// length of what is.
const (
	maxRepairs  = 60
	maxRepaired = 64 << 10
)

// repair parses text again and again, each time with the place rewritten that
// the parser could not read: what bash reads otherwise than the parser, and
// placeholders, which no shell reads.
func repair(parse func(string) (*syntax.File, error), text, dialect string, err error) (*Source, error) {
	src := &Source{Text: text, Grammar: dialect}
	if len(text) > maxRepaired {
		return nil, err
	}
	for range maxRepairs {
		var problem syntax.ParseError
		if !errors.As(err, &problem) || !src.repairAt(int(problem.Pos.Offset()), problem.Text, dialect) {
			return nil, err
		}
		if src.File, err = parse(untoggle(src.Text)); err == nil {
			return src, nil
		}
	}
	return nil, err
}

// repairAt rewrites Text around the offset of a problem, and reports whether
// that changed anything.
func (s *Source) repairAt(at int, problem, dialect string) bool {
	switch {
	case at > len(s.Text):
		return false
	case strings.HasSuffix(problem, "must be followed by a word") && s.placeholder(at):
		return true
	case strings.HasPrefix(problem, unclosedDocument) && dialect != "mksh": // which refuses it
		return s.closeDocument(strings.TrimPrefix(problem, unclosedDocument))
	case strings.HasPrefix(problem, "not a valid parameter expansion operator") && untoggle(s.Text) != s.Text:
		return s.once()
	}
	return s.arithmetic(at)
}

// unclosedDocument begins what the parser says of a here-document whose
// delimiter is missing.
const unclosedDocument = "unclosed here-document "

// closeDocument adds the delimiter of a here-document that ends with the text,
// as the shells end it there (bash warns of it).
func (s *Source) closeDocument(quoted string) bool {
	delimiter, err := strconv.Unquote(quoted)
	if err != nil {
		return false
	}
	if !strings.HasSuffix(s.Text, "\n") {
		s.Text += "\n"
	}
	s.Text += delimiter + "\n"
	return true
}

// once allows one more attempt with nothing but untoggle done.
func (s *Source) once() bool {
	first := s.Placeholders == nil
	if first {
		s.Placeholders = map[string]string{}
	}
	return first
}

// placeholder replaces <name>, which ends at an offset, by a variable of the
// same length. Behind it no redirection can have its target, or the parser
// would not have stopped there: the shell would refuse the line as well.
func (s *Source) placeholder(at int) bool {
	if at >= len(s.Text) || s.Text[at] != '>' {
		return false
	}
	start := strings.LastIndexByte(s.Text[:at], '<')
	if start < 0 || at-start < 2 {
		return false
	}
	name := s.Text[start+1 : at]
	if strings.ContainsAny(name, "\n<>'\"`$;&(){}\\") || name[0] == ' ' {
		return false
	}
	variable := fmt.Sprintf("_%d", len(s.Placeholders))
	if pad := len(name) - len(variable); pad > 0 {
		variable += strings.Repeat("_", pad)
	}
	if s.Placeholders == nil {
		s.Placeholders = map[string]string{}
	}
	s.Placeholders[variable] = name
	s.Text = s.Text[:start] + "$" + variable + padding(len(name)+1-len(variable)) + s.Text[at+1:]
	return true
}

func padding(n int) string { return strings.Repeat(" ", max(n, 0)) }

// arithmetic rewrites the innermost arithmetic expression around an offset in
// which there is something to rewrite. Bash expands an expression as if it were
// in double quotes and reads what comes out; the parser wants expansions to
// stand where operands do.
func (s *Source) arithmetic(at int) bool {
	for from := min(at+len("for (("), len(s.Text)); ; {
		open := max(strings.LastIndex(s.Text[:from], "(("), strings.LastIndex(s.Text[:from], "$["))
		if open < 0 || at-open > maxArithmetic {
			return false
		}
		start, end := open+2, closing(s.Text, open)
		if end >= at && s.rewrite(start, end) {
			return true
		}
		from = open + 1 // "(((" holds two of them
	}
}

// rewrite rewrites one arithmetic expression.
func (s *Source) rewrite(start, end int) bool {
	inner := s.Text[start:end]
	fixed := spaceMinus(inner)
	if fixed == inner {
		fixed = blankParams(inner)
		s.WithoutParams = s.WithoutParams || fixed != inner
	}
	s.Text = s.Text[:start] + fixed + s.Text[end:]
	return fixed != inner
}

// closing returns the offset of what closes the (( or $[ at an offset, or -1.
func closing(text string, open int) int {
	round, square := 0, 0
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '$':
			if n := expansionEnd(text, i); n > 0 {
				i = n - 1
			}
		case '(':
			round++
		case '[':
			square++
		case ')':
			if round--; round == 1 && square == 0 && text[open] == '(' && strings.HasPrefix(text[i:], "))") {
				return i
			}
		case ']':
			if square--; square == 0 && text[open] == '$' {
				return i
			}
		case '\n':
			if i-open > maxArithmetic {
				return -1
			}
		}
	}
	return -1
}

// maxArithmetic is how long an expression may be that is searched for its end.
const maxArithmetic = 4 << 10

// expansionEnd returns the offset behind the ${…} at an offset, or 0.
func expansionEnd(text string, at int) int {
	if !strings.HasPrefix(text[at:], "${") {
		return 0
	}
	depth := 0
	for i := at; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '{':
			if i > 0 && text[i-1] == '$' {
				depth++
			}
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// blankParams replaces the expansions of all positional parameters by spaces,
// and so the quotes around nothing else. Commands in the expression stay.
func blankParams(text string) string {
	b := []byte(text)
	quote := -1 // where double quotes were opened, if all since is blank
	open := false
	for i := 0; i < len(b); i++ {
		if b[i] == '"' {
			if open && quote >= 0 {
				b[quote], b[i] = ' ', ' '
			}
			open, quote = !open, i
			continue
		}
		end := 0
		switch {
		case b[i] != '$' || i+1 == len(b):
		case b[i+1] == '@' || b[i+1] == '*':
			end = i + 2
		case isAllParams(text[i:]):
			end = expansionEnd(text, i)
		case b[i+1] == '{':
			i = max(i, expansionEnd(text, i)-1)
		case b[i+1] == '(' && i+2 < len(b) && b[i+2] != '(':
			i = max(i, commandEnd(text, i+1)-1)
		}
		for j := i; j < end; j++ {
			b[j] = ' '
		}
		if b[i] != ' ' {
			quote = -1
		}
	}
	return string(b)
}

// commandEnd returns the offset behind the parenthesis that closes the one at
// an offset, or 0.
func commandEnd(text string, at int) int {
	depth := 0
	single, double := false, false
	for i := at; i < len(text); i++ {
		switch c := text[i]; {
		case single:
			single = c != '\''
		case c == '\\':
			i++
		case c == '\'' && !double:
			single = true
		case c == '"':
			double = !double
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// isAllParams reports whether text begins with an expansion of $@ or $*: not
// their number, ${#@}, nor anything with a default value.
func isAllParams(text string) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(text, "${"), "!")
	if !strings.HasPrefix(text, "${") || name == "" || name[0] != '@' && name[0] != '*' || len(name) < 2 {
		return false
	}
	return !strings.ContainsRune(":-=?+", rune(name[1]))
}
