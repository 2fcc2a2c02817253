package posix

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// ErrTooComplex says that text is nested deeper than anybody writes by hand.
var ErrTooComplex = errors.New("too complex to inspect")

// ErrDialect says that the shell dialect is not one that heed evaluates.
var ErrDialect = errors.New("unknown shell dialect")

// maxFrames bounds the parser's recursion, in stack frames. Ordinary commands
// stay below 100; one level of $( costs about 12.
const maxFrames = 2500

// Dialects lists the shells that can be evaluated.
func Dialects() []string { return []string{"bash", "sh", "mksh", "zsh"} }

// Dialect returns the dialect in which a shell of this name reads its input.
func Dialect(shell string) (string, bool) {
	switch shell {
	case "", "bash", "rbash":
		return "bash", true
	case "sh", "dash", "ash", "posh", "yash", "busybox":
		return "sh", true
	case "ksh", "mksh", "lksh", "ksh93", "oksh", "pdksh":
		return "mksh", true
	case "zsh", "rzsh":
		return "zsh", true
	}
	return "", false
}

var variants = map[string]syntax.LangVariant{
	"bash": syntax.LangBash, "sh": syntax.LangPOSIX, "mksh": syntax.LangMirBSDKorn, "zsh": syntax.LangZsh,
}

var parsers = map[string]*sync.Pool{
	"bash": pool(syntax.LangBash), "sh": pool(syntax.LangPOSIX), "mksh": pool(syntax.LangMirBSDKorn), "zsh": pool(syntax.LangZsh),
}

func pool(v syntax.LangVariant) *sync.Pool {
	return &sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(v)) }}
}

// Parse reads text in a dialect. Text that is valid only in another dialect is
// an error: it is never silently read as something else.
func Parse(text, dialect string) (*syntax.File, error) {
	p, ok := parsers[dialect]
	if !ok {
		return nil, fmt.Errorf("%w %q: want one of %s", ErrDialect, dialect, strings.Join(Dialects(), ", "))
	}
	file, err := parse(p, text)
	if err != nil && dialect == "bash" && strings.Contains(text, "~}") {
		if again, err2 := parse(p, untoggle(text)); err2 == nil {
			return again, nil
		}
	}
	if err != nil && dialect == "sh" && !errors.Is(err, ErrTooComplex) {
		// What /bin/sh accepts differs from system to system; dash and bash
		// in POSIX mode both know `local`, and many scripts use more.
		if alt, err2 := Parse(text, "bash"); err2 == nil {
			return alt, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("parsing as %s: %w", dialect, err)
	}
	return file, nil
}

func parse(p *sync.Pool, text string) (*syntax.File, error) {
	parser := p.Get().(*syntax.Parser)
	defer p.Put(parser)
	in := &guardedReader{text: text}
	file, err := parser.Parse(in, "")
	if in.tooDeep {
		return nil, ErrTooComplex
	}
	return file, err
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
	tooDeep bool
}

// piece is how much is handed out at once: the stack can grow by at most one
// nested construct a byte between two looks.
const piece = 512

func (r *guardedReader) Read(b []byte) (int, error) {
	if r.text == "" {
		return 0, io.EOF
	}
	var frames [1]uintptr
	if runtime.Callers(maxFrames, frames[:]) > 0 {
		r.tooDeep = true
		return 0, ErrTooComplex
	}
	n := copy(b[:min(len(b), piece)], r.text)
	r.text = r.text[n:]
	return n, nil
}
