package wrap

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/wrap/shellargs"
)

// source writes what a job executes as a command of bash, with everything that
// runs besides: exported functions, start-up files and variables that name or
// hold code. With input, data that is not known is on standard input.
func source(job *approval.Job, input bool, w *world.World, env map[string]string) (string, error) {
	pipe := ""
	if input {
		pipe = "cat | "
	}
	if job.Shell == "" {
		return pipe + shellargs.Join(append([]string{job.Program}, job.Argv[1:]...)), nil
	}
	line, err := shellargs.Parse(job.Shell, job.Argv[1:])
	if err != nil {
		return "", err
	}
	line.Login = line.Login || strings.HasPrefix(job.Argv[0], "-")
	var script *string
	if job.HasScript {
		script = &job.Script
	}
	interactive := line.Interactive || line.Mode == shellargs.Stdin && script == nil
	functions, err := exported(line.Shell, env)
	if err != nil {
		return "", err
	}
	text := functions + startupFiles(line, interactive, w, env) + pipe
	if words := assigned(line.Shell, interactive, env); len(words) > 0 {
		text += shellargs.Join(append([]string{"env"}, words...)) + " "
	}
	return text + line.Source(job.Program, script), nil
}

// assigned are the variables of the session whose values a shell executes when
// it starts, as assignments. heed takes the session's own for harmless, but a
// caller of the wrapper chose these. Sources: bash 5.2 "Bash Startup Files",
// "Bash Variables"; POSIX.1-2024 sh; zsh 5.9 "Startup/Shutdown Files".
func assigned(shell string, interactive bool, env map[string]string) []string {
	var names []string
	switch shell {
	case "bash":
		names = []string{"BASH_ENV", "SHELLOPTS", "PS4"}
	case "zsh":
		names = []string{"ZDOTDIR", "PS4"}
	default:
		names = []string{"PS4"}
		if interactive {
			names = append(names, "ENV")
		}
	}
	if interactive {
		names = append(names, "PROMPT_COMMAND", "PS0", "PS1", "PS2")
	}
	var out []string
	for _, name := range names {
		if text, set := env[name]; set && text != "" {
			out = append(out, name+"="+text)
		}
	}
	return out
}

// exported writes the functions that bash takes from its environment: a
// variable BASH_FUNC_name%% whose value is "() { …". What bash would not take
// is refused, so that nothing but a definition is ever written.
func exported(shell string, env map[string]string) (string, error) {
	if shell != "bash" && shell != "sh" { // sh may be bash
		return "", nil
	}
	var names []string
	for key := range env {
		if rest, ok := strings.CutPrefix(key, "BASH_FUNC_"); ok {
			if name, ok := strings.CutSuffix(rest, "%%"); ok {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	var b strings.Builder
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	for _, name := range names {
		text := name + " " + env["BASH_FUNC_"+name+"%%"]
		file, err := parser.Parse(strings.NewReader(text), "")
		if err != nil || len(file.Stmts) != 1 || !defines(file.Stmts[0], name) {
			return "", fmt.Errorf("the exported function %.40q cannot be read", name)
		}
		fmt.Fprintf(&b, "%s\nexport -f %s\n", text, shellargs.Quote(name))
	}
	return b.String(), nil
}

// defines reports whether a statement is the definition of a function and
// nothing else.
func defines(st *syntax.Stmt, name string) bool {
	f, ok := st.Cmd.(*syntax.FuncDecl)
	return ok && f.Name != nil && f.Name.Value == name && len(st.Redirs) == 0 && !st.Negated && !st.Background && !st.Coprocess
}

// startupFiles writes the commands that read the start-up files of a home that
// is not the account's own. Those of the account's own home are its owner's
// words, as PATH is: they are only looked at, so that an approval notices when
// they change.
func startupFiles(line *shellargs.Line, interactive bool, w *world.World, env map[string]string) string {
	var b strings.Builder
	for _, choice := range startupNames(line, interactive) {
		for _, name := range choice {
			file := path.Join("/", env["HOME"], name)
			i, err := w.FS.Lstat(file)
			if err == nil && i.Kind == world.Missing {
				continue
			}
			if !ownHome(w, env) {
				b.WriteString(". " + shellargs.Quote(file) + "\n")
			}
			break
		}
	}
	return b.String()
}

// startupNames lists the start-up files of a shell in a home, each with what is
// read if it is not there.
func startupNames(line *shellargs.Line, interactive bool) [][]string {
	var out [][]string
	switch line.Shell {
	case "zsh":
		if !line.NoRC {
			out = append(out, []string{".zshenv"})
			if line.Login {
				out = append(out, []string{".zprofile"}, []string{".zlogin"})
			}
			if interactive {
				out = append(out, []string{".zshrc"})
			}
		}
	case "bash":
		if line.Login && !line.NoProfile {
			out = append(out, []string{".bash_profile", ".bash_login", ".profile"})
		} else if interactive && !line.NoRC && line.RCFile == "" {
			out = append(out, []string{".bashrc"})
		}
	default:
		if line.Login && !line.NoProfile {
			out = append(out, []string{".profile"})
		}
		if line.Shell == "mksh" && interactive {
			out = append(out, []string{".mkshrc"})
		}
	}
	return out
}

// ownHome reports whether HOME is the home directory of this account. macOS
// keeps accounts where heed does not ask; homes are in /Users there.
func ownHome(w *world.World, env map[string]string) bool {
	home := path.Clean(env["HOME"])
	account := service.AccountHome()
	if account == "" && w.OS == "darwin" {
		return path.Dir(home) == "/Users"
	}
	return account != "" && home == path.Clean(account)
}
