package system

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// maxSplits bounds how often env -S may hold another env -S.
const maxSplits = 4

// env sets variables, and reads the words of -S in place of that option (GNU
// coreutils manual, "env invocation").
func env(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	dir, moved := m.Value("dir")
	bare := m.Has("bare")
	for range maxSplits {
		split := m.Values("split")
		if len(split) == 0 {
			break
		}
		// What stands behind is read on as if it had followed there, options too.
		m = m.Program.Match(append(splitString(split[0]), split[1:]...))
		if again, ok := m.Value("dir"); ok {
			dir, moved = again, true
		}
		bare = bare || m.Has("bare")
	}
	words := m.Values("command")
	if len(words) > 0 && site.IsLiteral(words[0], "-") {
		words = words[1:]
	}
	run := catalog.Run{Kind: catalog.RunArgv, Argv: words}
	for len(run.Argv) > 0 {
		i := strings.IndexByte(run.Argv[0].Prefix(), '=')
		if i <= 0 {
			break
		}
		run.Setup = append(run.Setup, catalog.Assignment{Name: run.Argv[0].Prefix()[:i], Value: run.Argv[0].Cut(i + 1)})
		run.Argv = run.Argv[1:]
	}
	if moved {
		run.Dir = &dir
	}
	r.Runs = nil
	if len(run.Argv) > 0 {
		r.Runs = append(r.Runs, run)
	} else if !bare {
		r.Prints, r.Traits = catalog.PrintsPrivate, r.Traits|catalog.Environment
	}
}

// splitString splits the text of env -S as env does: quotes, backslashes, and
// no substitution that is known here.
func splitString(v value.Value) []value.Value {
	text, known := v.Known()
	if !known || strings.Contains(text, "${") {
		words, _ := inputFields(v)
		return words
	}
	var out []value.Value
	var b strings.Builder
	in, quote := false, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == quote && quote != 0:
			quote = 0
		case c == '\\' && i+1 < len(text) && (quote != '\'' || text[i+1] == '\'' || text[i+1] == '\\'):
			i++
			in = true
			if text[i] == '_' && quote == 0 {
				out, in = append(out, value.Lit(b.String())), false
				b.Reset()
				continue
			}
			b.WriteByte(escapedByte(text[i]))
		case quote == 0 && (c == '\'' || c == '"'):
			quote, in = c, true
		case quote == 0 && strings.IndexByte(" \t\n\r\v\f", c) >= 0:
			if in {
				out, in = append(out, value.Lit(b.String())), false
				b.Reset()
			}
		default:
			in = true
			b.WriteByte(c)
		}
	}
	if in {
		out = append(out, value.Lit(b.String()))
	}
	return out
}

func escapedByte(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case '_':
		return ' '
	}
	return c
}

// setarch takes the architecture as a first operand that may be left out, and
// starts a shell without a command.
func setarch(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	r.Runs = nil
	if len(words) > 0 && s.Name == "setarch" {
		if text, known := words[0].Known(); known && isArchitecture(text) {
			words = words[1:]
		}
		for len(words) > 0 && strings.HasPrefix(words[0].Prefix(), "-") {
			words = words[1:]
		}
	}
	if m.Has("list") {
		return
	}
	if len(words) == 0 {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive})
		return
	}
	r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunArgv, Argv: words})
}

// isArchitecture recognises the names that setarch --list shows.
func isArchitecture(text string) bool {
	for _, p := range []string{"x86_64", "i386", "i486", "i586", "i686", "athlon", "linux32", "linux64", "uname26", "ppc", "s390", "sparc", "mips", "arm", "aarch64", "alpha", "parisc", "ia64", "riscv", "loong"} {
		if strings.HasPrefix(text, p) && !strings.Contains(text, "/") {
			return true
		}
	}
	return false
}

// joinedText runs the words of "text", joined by spaces, in a shell.
func joinedText(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if words := m.Values("text"); len(words) > 0 {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: site.JoinedWords(words), Wrap: m.Wrapped()})
	}
}

// namedProgram runs the program that an option names with the words of "args".
func namedProgram(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if name, ok := m.Value("program"); ok {
		r.Runs = append(r.Runs, catalog.Run{Argv: append([]value.Value{name}, m.Values("args")...), Wrap: m.Wrapped()})
	}
}

// flock creates its lock file, and takes -c behind it as well.
func flock(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if v, ok := m.Value("file"); ok {
		if text, known := v.Known(); !known || strings.Trim(text, "0123456789") != "" {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: v, Arg: "file", Kind: risk.KindLock})
		}
	}
	words := m.Values("command")
	if len(words) > 1 && (site.IsLiteral(words[0], "-c") || site.IsLiteral(words[0], "--command")) {
		r.Runs = []catalog.Run{{Kind: catalog.RunShell, Text: words[1]}}
	}
}

// script starts a shell unless it is given a command.
func script(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if len(r.Runs) == 0 && !m.Has("play") {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive})
	}
}

// chpst's relatives take a user or a directory before the command.
func chpst(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if s.Name == "chpst" {
		return
	}
	for i := range r.Runs {
		if r.Runs[i].Kind == catalog.RunArgv {
			r.Runs[i].Argv = r.Runs[i].Argv[1:]
		}
	}
}

// startStop starts the program of -x or -a with the words behind the options
// (start-stop-daemon(8)).
func startStop(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if program, ok := m.Value("program"); ok && m.Has("start") && !m.Has("dry") {
		dir := value.Lit("/") // start-stop-daemon(8), --chdir
		if to, given := m.Value("chdir"); given {
			dir = to
		}
		argv := append([]value.Value{program}, m.Values("argument")...)
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunArgv, Argv: argv, Dir: &dir})
	}
}

// pee runs every operand in a shell.
func pee(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if s.Name != "pee" {
		return
	}
	r.Runs = nil
	for _, v := range m.Values("command") {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v})
	}
}
