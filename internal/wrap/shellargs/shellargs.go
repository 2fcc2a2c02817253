package shellargs

import (
	"fmt"
	"slices"
	"strings"
)

// A Mode says where a shell takes its commands from.
type Mode uint8

// The modes.
const (
	Text   Mode = iota // -c TEXT
	Script             // a file
	Stdin              // standard input, or a person at a terminal
	Info               // --help, --version: no commands at all
)

// String names the mode.
func (m Mode) String() string { return [...]string{"text", "script", "stdin", "info"}[m] }

// A Line is a shell's command line, read.
type Line struct {
	Shell  string // bash, sh, zsh or mksh
	Mode   Mode
	Text   string   // of Text
	Script string   // of Script
	Args   []string // what follows: $0 and the parameters (Text), the parameters (Script, Stdin)
	// Set are the words of a set command that does what the options do: -e, -o,
	// pipefail. Shopt are those of shopt commands: -s, extglob.
	Set, Shopt []string
	// RCFile is the file of --rcfile.
	RCFile string
	// Login and Interactive say that start-up files of such shells are read,
	// unless NoProfile or NoRC are set.
	Login, Interactive, NoProfile, NoRC bool
	// NoExec says that commands are read and not run, Trace that they are shown,
	// with PS4 expanded, Privileged that set-id rights are kept.
	NoExec, Trace, Privileged bool
}

// An Error says which part of a command line is not understood.
type Error struct {
	// Usage says that the shell itself would refuse it.
	Usage bool
	msg   string
}

func (e *Error) Error() string { return e.msg }

func refuse(format string, args ...any) error { return &Error{msg: fmt.Sprintf(format, args...)} }
func usage(format string, args ...any) error {
	return &Error{Usage: true, msg: fmt.Sprintf(format, args...)}
}

// Dialects lists the shells whose command lines are read.
func Dialects() []string { return []string{"bash", "sh", "zsh", "mksh"} }

// DialectOf names the dialect of a shell by the last part of its name, or "".
func DialectOf(name string) string {
	switch name[strings.LastIndexByte(name, '/')+1:] {
	case "bash":
		return "bash"
	case "sh", "dash", "ash":
		return "sh"
	case "zsh":
		return "zsh"
	case "mksh", "lksh", "oksh", "ksh":
		return "mksh"
	}
	return ""
}

// Parse reads the words after a shell's name.
func Parse(shell string, words []string) (*Line, error) {
	if !slices.Contains(Dialects(), shell) {
		return nil, refuse("heed does not read command lines of %q", shell)
	}
	p := &parser{line: &Line{Shell: shell}, words: words}
	if err := p.long(); err != nil {
		return nil, err
	}
	if err := p.short(); err != nil {
		return nil, err
	}
	return p.finish()
}

type parser struct {
	line          *Line
	words         []string
	command, read bool // -c, -s
	info          bool
}

// next takes the first word off the line.
func (p *parser) next() (string, bool) {
	if len(p.words) == 0 {
		return "", false
	}
	w := p.words[0]
	p.words = p.words[1:]
	return w, true
}

// long reads the options of more than one letter. Bash has them before all
// others, with one dash or two, in full (bash 5.2, shell.c, parse_long_options);
// the other shells have fewer, and with two dashes.
func (p *parser) long() error {
	for len(p.words) > 0 {
		name, two := strings.CutPrefix(p.words[0], "--")
		if !two {
			var one bool
			if name, one = strings.CutPrefix(p.words[0], "-"); !one {
				return nil
			}
		}
		if name == "" || !two && !longName(name) {
			return nil
		}
		if !two && p.line.Shell != "bash" {
			return refuse("the option -%s is one word to some shells and letters to others", name)
		}
		p.words = p.words[1:]
		if err := p.longOption(name); err != nil {
			return err
		}
	}
	return nil
}

func longName(name string) bool {
	return slices.Contains([]string{
		"debug", "debugger", "dump-po-strings", "dump-strings", "help", "init-file", "login", "noediting", "noprofile", "norc",
		"posix", "pretty-print", "protected", "rcfile", "restricted", "verbose", "version", "wordexp",
	}, name)
}

func (p *parser) longOption(name string) error {
	l := p.line
	bash := l.Shell == "bash"
	switch {
	case name == "login":
		l.Login = true
	case name == "help", name == "version":
		p.info = true
	case name == "noprofile" && bash || name == "noprofile" && l.Shell == "sh":
		l.NoProfile = true
	case name == "norc" && bash || name == "norc" && l.Shell == "sh":
		l.NoRC = true
	case name == "posix" && (bash || l.Shell == "sh"):
		l.Set = append(l.Set, "-o", "posix")
	case name == "noediting" && bash: // changes how a person types
	case name == "verbose" && bash:
		l.Set = append(l.Set, "-v")
	case bash && (name == "dump-strings" || name == "dump-po-strings" || name == "pretty-print"):
		l.NoExec = true
	case bash && (name == "rcfile" || name == "init-file"):
		file, ok := p.next()
		if !ok {
			return usage("--%s needs the name of a file", name)
		}
		l.RCFile = file
	default:
		return refuse("the option --%s is not understood", name)
	}
	return nil
}

// short reads clusters of letters up to the first operand, "-" or "--".
func (p *parser) short() error {
	for len(p.words) > 0 {
		w := p.words[0]
		if w == "" || w[0] != '-' && w[0] != '+' {
			return nil
		}
		if w == "-" || w == "--" {
			p.words = p.words[1:]
			return nil
		}
		if w == "+" {
			return refuse("a lone + is not understood")
		}
		p.words = p.words[1:]
		for i := 1; i < len(w); i++ {
			if err := p.letter(w[i], w[0] == '-'); err != nil {
				return err
			}
		}
	}
	return nil
}

// Letters that are options of set as well and change nothing that heed would
// have to know but by that. Sources: bash 5.2 "The Set Builtin", dash(1),
// zshoptions(1) "Single letter options", mksh(1).
func setLetters(shell string) string {
	switch shell {
	case "bash":
		return "abefhmuvBCEHPT"
	case "sh":
		return "abefhmuvC"
	case "mksh":
		return "abefhmuvC"
	}
	return "efuv" // zsh: -f is another option, see below
}

func (p *parser) letter(c byte, on bool) error {
	l := p.line
	switch {
	case !on && strings.IndexByte("cslipnr", c) >= 0:
		// Bash and dash take +c as -c; shells differ in the others.
		return refuse("the option +%c is not understood", c)
	case c == 'c':
		p.command = true
	case c == 's':
		p.read = true
	case c == 'l':
		l.Login = true
	case c == 'i':
		l.Interactive = true
	case c == 'n', c == 'D' && on && l.Shell == "bash":
		l.NoExec = true
	case c == 'p':
		l.Privileged = true
	case c == 'x':
		l.Trace = l.Trace || on
		p.set("x", on)
	case c == 'r' && l.Shell == "bash": // can do less
	case c == 'f' && l.Shell == "zsh":
		l.NoRC, l.NoProfile = on, on
	case c == 'o':
		return p.named(on)
	case c == 'O' && l.Shell == "bash":
		return p.shopt(on)
	case strings.IndexByte(setLetters(l.Shell), c) >= 0:
		p.set(string(c), on)
	default:
		return refuse("the option %s%s is not understood", sign(on), quoteByte(c))
	}
	return nil
}

func (p *parser) set(letters string, on bool) { p.line.Set = append(p.line.Set, sign(on)+letters) }

func sign(on bool) string {
	if on {
		return "-"
	}
	return "+"
}

func quoteByte(c byte) string {
	if c > ' ' && c < 0x7f {
		return string(c)
	}
	return fmt.Sprintf(`\x%02x`, c)
}

// named reads the name after -o.
func (p *parser) named(on bool) error {
	name, ok := p.next()
	if !ok {
		return refuse("-o without a name is not understood")
	}
	known := []string{"errexit", "nounset", "xtrace", "verbose", "noglob", "noexec", "pipefail", "allexport", "monitor", "notify", "noclobber", "ignoreeof", "vi", "emacs", "posix"}
	if p.line.Shell == "bash" {
		known = append(known, "braceexpand", "errtrace", "functrace", "hashall", "histexpand", "history", "interactive-comments", "nolog", "physical")
	}
	switch {
	case !slices.Contains(known, name), p.line.Shell == "zsh" && (name == "posix" || name == "allexport"):
		return refuse("the option -o %.40q is not understood", name)
	case name == "noexec":
		p.line.NoExec = p.line.NoExec || on
		return nil
	case name == "xtrace":
		p.line.Trace = p.line.Trace || on
	}
	p.line.Set = append(p.line.Set, sign(on)+"o", name)
	return nil
}

// shopt reads the name after -O. Of the options of shopt those are understood
// that heed's reading of shell text knows, or that change nothing for it.
func (p *parser) shopt(on bool) error {
	name, ok := p.next()
	if !ok {
		return refuse("-O without a name is not understood")
	}
	known := []string{"extglob", "nullglob", "dotglob", "globstar", "failglob", "nocaseglob", "lastpipe", "inherit_errexit", "expand_aliases", "checkwinsize", "cmdhist", "histappend", "huponexit", "globasciiranges"}
	if !slices.Contains(known, name) {
		return refuse("the option -O %.40q is not understood", name)
	}
	word := "-s"
	if !on {
		word = "-u"
	}
	p.line.Shopt = append(p.line.Shopt, word, name)
	return nil
}

// finish says what the remaining words are.
func (p *parser) finish() (*Line, error) {
	l := p.line
	if l.Interactive { // bash(1), -n: "ignored by interactive shells"
		l.NoExec = false
	}
	for _, w := range p.words {
		if strings.IndexByte(w, 0) >= 0 {
			return nil, refuse("a word holds a NUL byte")
		}
	}
	switch {
	case p.info:
		l.Mode = Info
	case p.command && p.read && l.Shell != "bash" && l.Shell != "sh":
		return nil, refuse("-c and -s together are not understood")
	case p.command:
		text, ok := p.next()
		if !ok {
			return nil, usage("-c: option requires an argument")
		}
		l.Mode, l.Text = Text, text
	case len(p.words) > 0 && !p.read:
		l.Mode, l.Script = Script, p.words[0]
		p.words = p.words[1:]
	default:
		l.Mode = Stdin
	}
	l.Args = p.words
	if l.Mode == Script && len(l.Shopt) > 0 {
		return nil, refuse("-O is not understood with a script")
	}
	return l, nil
}
