package caller

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell/shellname"
)

// A process is what the system shows of one.
type process struct {
	pid, parent int
	name        string   // as the kernel has it: at most 15 bytes on Linux, 16 on macOS
	argv        []string // as it was started, or as it calls itself
	paths       []string // of its program and its script
	env         []string // NAME=VALUE, as it was started
	terminals   []int    // the numbers of its pseudo-terminals
	console     bool     // its terminal is no pseudo-terminal
	service     bool     // a service manager started it, as a unit of its own
	hidden      string   // what of it could not be read
}

// newProcess is a process with its program's path, which may be "".
func newProcess(pid, parent int, name, program string, argv []string) *process {
	p := &process{pid: pid, parent: parent, name: name, argv: argv}
	if program != "" {
		p.paths = append(p.paths, strings.TrimSuffix(program, " (deleted)"))
	}
	if len(argv) > 0 {
		p.paths = append(p.paths, strings.TrimPrefix(argv[0], "-"))
	}
	if slices.ContainsFunc(interpreters(), p.called) || shellname.Is(p.name) {
		if s := script(argv); s != "" {
			p.paths = append(p.paths, s)
		}
	}
	return p
}

// argv0 is what a process was called when it was started.
func (p *process) argv0() string {
	if len(p.argv) == 0 {
		return ""
	}
	return p.argv[0]
}

// called reports whether a name is one of a process: of itself, its program, its
// script.
func (p *process) called(name string) bool {
	if is := strings.ToLower(p.name); is == name || len(is) == 15 && strings.HasPrefix(name, is) {
		return true
	}
	return slices.ContainsFunc(p.paths, func(at string) bool { return plain(path.Base(at)) == name })
}

// plain takes from a program's name what installers add: gemini.js, python3.12.
func plain(name string) string {
	name = strings.ToLower(name)
	for _, end := range []string{".js", ".mjs", ".cjs", ".py", ".sh"} {
		name = strings.TrimSuffix(name, end)
	}
	if rest := strings.TrimRight(name, "0123456789."); rest == "python" || rest == "perl" || rest == "ruby" || rest == "lua" || rest == "php" || rest == "tclsh" {
		return rest
	}
	return name
}

// script is the script that an interpreter was started with; "" if there is none,
// or its text is an argument.
func script(argv []string) string {
	for i := 1; i < len(argv); i++ {
		arg := argv[i]
		switch {
		case arg == "-m" && i+1 < len(argv): // a module of Python
			return argv[i+1]
		case arg == "--eval", arg == "--print", !strings.HasPrefix(arg, "--") && strings.HasPrefix(arg, "-") && strings.ContainsAny(arg[len(arg)-1:], "cep"):
			return "" // the text is an argument: -c, -lc, -e, -ne, -p
		case arg == "-r", arg == "--require", arg == "--import", arg == "--loader", arg == "-W", arg == "-X":
			i++ // the next word is its value
		case arg == "run" && i == 1: // bun run, deno run
		case !strings.HasPrefix(arg, "-"):
			return arg
		}
	}
	return ""
}

// getenv looks a variable up in an environment.
func getenv(env []string) func(string) string {
	return func(name string) string {
		for _, e := range env {
			if value, ok := strings.CutPrefix(e, name+"="); ok {
				return value
			}
		}
		return ""
	}
}
