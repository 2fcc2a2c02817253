package posix

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"github.com/heedsh/heed/internal/shell"
	"mvdan.cc/sh/v3/syntax"
)

// maxFrames bounds the parser's recursion, in stack frames. Ordinary commands
// stay below 100; one level of $( costs about 12.
const maxFrames = 2500

// The parsers of the dialects: those that pass over comments, and those that
// keep them.
var (
	bashParsers  = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}
	bashComments = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true)) }}
	shParsers    = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangPOSIX)) }}
	shComments   = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangPOSIX), syntax.KeepComments(true)) }}
	mkshParsers  = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangMirBSDKorn)) }}
	mkshComments = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangMirBSDKorn), syntax.KeepComments(true)) }}
	zshParsers   = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangZsh)) }}
	zshComments  = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangZsh), syntax.KeepComments(true)) }}
)

// parsers returns the parsers of a dialect, nil for one that is none.
func parsers(dialect string) (plain, comments *sync.Pool) {
	switch dialect {
	case "bash":
		return &bashParsers, &bashComments
	case "sh":
		return &shParsers, &shComments
	case "mksh":
		return &mkshParsers, &mkshComments
	case "zsh":
		return &zshParsers, &zshComments
	}
	return nil, nil
}

// Parse reads text in a dialect. Text that is valid only in another dialect is
// an error: it is never silently read as something else.
func Parse(text, dialect string) (*Source, error) {
	pool, comments := parsers(dialect)
	if pool == nil {
		return nil, fmt.Errorf("%w %q: want one of %s", shell.ErrDialect, dialect, strings.Join(dialects(), ", "))
	}
	if tooMany(text) {
		return nil, shell.ErrTooComplex
	}
	text, err := endedComments(joinDollars(endedLines(text)), func(text string) (*syntax.File, error) {
		return parse(comments, text)
	})
	if err != nil {
		return nil, err
	}
	file, err := parse(pool, text)
	if err == nil {
		return &Source{File: file, Grammar: dialect, Text: text}, nil
	}
	if errors.Is(err, shell.ErrTooComplex) {
		return nil, err
	}
	if dialect == "sh" {
		// What /bin/sh accepts differs from system to system; dash and bash
		// in POSIX mode both know `local`, and many scripts use more.
		if src, err := Parse(text, "bash"); err == nil {
			return src, nil
		}
	}
	if file := handedOver(pool, text); file != nil {
		return &Source{File: file, Grammar: dialect, Text: text, HandedOver: true}, nil
	}
	src, err := repair(func(text string) (*syntax.File, error) { return parse(pool, text) }, text, dialect, err)
	if err != nil {
		return nil, located(fmt.Errorf("parsing as %s: %w", dialect, err))
	}
	return src, nil
}

// located adds where in the text an error is, if the parser said so.
func located(err error) error {
	var problem syntax.ParseError
	if !errors.As(err, &problem) {
		return err
	}
	return &shell.SyntaxError{Offset: int(problem.Pos.Offset()), Err: err, Unfinished: problem.Incomplete}
}

// maxOperators bounds the commands that operators join: past so many the
// evaluator's budget would end, and a syntax tree of them is not worth its
// memory.
const maxOperators = 1 << 16

// tooMany reports whether text joins more commands than can be evaluated.
// What is quoted is data, and so may be what stands behind <<.
func tooMany(text string) bool {
	if len(text) <= maxOperators || strings.Contains(text, "<<") {
		return false
	}
	n := 0
	quote := byte(0)
	for i := 0; i < len(text) && n <= maxOperators; i++ {
		switch c := text[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '|' || c == '&' || c == ';':
			n++
		}
	}
	return n > maxOperators
}

// joinDollars removes a backslash and newline between $ and what it expands:
// the shells do so before they read tokens (POSIX.1-2024 Shell 2.2.1), and the
// parser does not. Between single quotes nothing is removed, and neither is it
// behind a quoted $ or in text with a here-document, whose quoting is not
// known here.
func joinDollars(text string) string {
	if !strings.Contains(text, "$\\\n") || strings.Contains(text, "<<") {
		return text
	}
	var b strings.Builder
	single, double := false, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case single:
			single = c != '\''
		case c == '\\' && i+1 < len(text):
			b.WriteByte(c)
			i++
			c = text[i]
		case c == '\'' && !double:
			single = true
		case c == '"':
			double = !double
		case c == '$':
			for strings.HasPrefix(text[i+1:], "\\\n") {
				i += 2
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// spaceMinus separates the two signs of a--b where a is a number or a closing
// parenthesis: bash takes that for a minus and a sign, the parser for a
// decrement of what cannot be decremented.
func spaceMinus(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if i > 1 && text[i] == '-' && text[i-1] == '-' && (text[i-2] == ')' || text[i-2] >= '0' && text[i-2] <= '9' || text[i-2]|0x20 >= 'a' && text[i-2]|0x20 <= 'z' && afterBase(text[:i-1])) {
			b.WriteByte(' ')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// afterBase reports whether text ends in a number with a base: 36#z.
func afterBase(text string) bool {
	end := len(text)
	for end > 0 && (text[end-1] >= '0' && text[end-1] <= '9' || text[end-1]|0x20 >= 'a' && text[end-1]|0x20 <= 'z') {
		end--
	}
	return end > 1 && text[end-1] == '#' && text[end-2] >= '0' && text[end-2] <= '9'
}

func parse(p *sync.Pool, text string) (*syntax.File, error) {
	parser := p.Get().(*syntax.Parser)
	defer p.Put(parser)
	in := &guardedReader{text: text}
	file, err := parser.Parse(in, "")
	if in.tooDeep {
		return nil, shell.ErrTooComplex
	}
	if err == nil && !closed(file, text) {
		return nil, errNotClosed
	}
	return file, err
}

// errNotClosed says that a text cannot be read.
var errNotClosed = errors.New("an arithmetic expression is not closed")

// closed reports whether all arithmetic of a tree ends where the text closes it. The parser
// takes whatever stands behind a period in zsh for the end, and what is a subshell for shell
// and holds commands for arithmetic.
func closed(file *syntax.File, text string) bool {
	if !strings.Contains(text, "((") && !strings.Contains(text, "$[") {
		return true
	}
	ok := true
	at := func(p syntax.Pos, end string) {
		i := int(p.Offset())
		ok = ok && p.IsValid() && i <= len(text) && strings.HasPrefix(text[i:], end)
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.ArithmExp:
			if n.Bracket {
				at(n.Right, "]")
			} else {
				at(n.Right, "))")
			}
		case *syntax.ArithmCmd:
			at(n.Right, "))")
		case *syntax.ParenArithm:
			at(n.Rparen, ")")
		}
		return ok
	})
	return ok
}

// untoggle rewrites bash's undocumented case-toggling expansions ${x~} and
// ${x~~}, which the parser does not know, to ${x^} and ${x^^}. Every byte keeps
// its place, so that evaluation can look at the original text and see which it
// was (toggled, and verbatim for quoted text).
func untoggle(text string) string {
	b := []byte(text)
	for i := 0; i+1 < len(b); i++ {
		if b[i] != '~' || b[i+1] != '}' {
			continue
		}
		start := i
		for start > 0 && b[start-1] == '~' && i-start < 1 {
			start--
		}
		name := start
		for name > 0 && isParameterByte(b[name-1]) {
			name--
		}
		if name < start && name >= 2 && b[name-1] == '{' && b[name-2] == '$' {
			for j := start; j <= i; j++ {
				b[j] = '^'
			}
		}
	}
	return string(b)
}

func isParameterByte(c byte) bool {
	return c == '_' || c == '@' || c == '*' || c == '#' || c == '!' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// guardedReader hands out text in small pieces and looks, each time the parser
// asks for more, how deep the parser's stack has become: a megabyte of $(
// would overflow it, and a stack overflow cannot be recovered from.
type guardedReader struct {
	text    string
	begun   bool // something was handed out
	tooDeep bool
}

// piece is how much is handed out at once: the stack can grow by at most one
// nested construct a byte between two looks.
const piece = 512

func (r *guardedReader) Read(b []byte) (int, error) {
	if r.text == "" {
		return 0, io.EOF
	}
	if r.begun {
		var frames [1]uintptr
		if runtime.Callers(maxFrames, frames[:]) > 0 {
			r.tooDeep = true
			return 0, shell.ErrTooComplex
		}
	}
	r.begun = true
	n := copy(b[:min(len(b), piece)], r.text)
	r.text = r.text[n:]
	return n, nil
}
