package recipe

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// shellLang is the language that a shell reads, by the name that it is called by or
// the first of its spec; "other" where that is not known.
func shellLang(called, program string) string {
	for _, name := range []string{called, program} {
		if language, ok := shellname.Of(name); ok {
			return language
		}
	}
	return "other"
}

// shell says what a shell runs: the text after -c with $0 and the positional
// parameters, a script with its parameters, standard input, or nobody's
// commands yet (POSIX.1-2024 sh, "SYNOPSIS").
func shell(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	lang := shellLang(s.Name, m.Program.Names[0])
	words := m.Values("word")
	if len(words) > 0 && site.SameWord(words[0], "-") { // ends the options, like --
		words = words[1:]
	}
	if m.Has("noexec") || site.SomeWord(m.Values("option"), "noexec") {
		if !m.Has("command") && len(words) > 0 {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: words[0]})
		}
		r.Runs = nil
		return
	}
	interactive := shellMain(m, s, r, lang, words)
	if m.Has("privileged") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PrivGain, Kind: risk.KindKeepsSetIdRights})
	}
	shellStartup(m, s, r, lang, interactive)
}

// shellMain adds what the shell was asked to run and reports whether that is
// an interactive session.
func shellMain(m *catalog.Match, s *catalog.Site, r *catalog.Result, lang string, words []value.Value) (interactive bool) {
	interactive = m.Has("interactive")
	switch {
	case m.Has("code"): // an option of its own holds the text (fish -c)
		for i := range r.Runs {
			if r.Runs[i].Kind == catalog.RunShell && r.Runs[i].Arg == "code" {
				r.Runs[i].Args = words
			}
		}
	case m.Has("command"):
		if len(words) > 0 {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: words[0], Lang: lang, Args: words[1:]})
		}
	case len(words) > 0 && !m.Has("stdin-script"):
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Text: words[0], Lang: lang, Args: words[1:]})
	case s.HasStdin:
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: lang, Args: words, Stdin: true})
		r.ReadsStdin = true
	default:
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, Lang: lang})
		interactive = true
	}
	return interactive
}

// shellStartup adds the files and texts that run beside what was asked for:
// BASH_ENV, ENV and ZDOTDIR name files, PS4 and the prompts are expanded
// ("Bash Startup Files"; POSIX.1-2024 sh, "ENVIRONMENT VARIABLES").
func shellStartup(m *catalog.Match, s *catalog.Site, r *catalog.Result, lang string, interactive bool) {
	v, ok := m.Value("rcfile")
	told := slices.ContainsFunc(r.Runs, func(run catalog.Run) bool { // by the spec itself
		return run.Kind == catalog.RunScript && run.Text.String() == v.String()
	})
	if ok && interactive && !told && !site.SameWord(v, "/dev/null") {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Text: v, Lang: lang})
	}
	if interactive && obeysEnv(m, s, lang) {
		startupVariable(s, r, lang, "ENV")
	}
	switch {
	case lang == "bash" && !interactive:
		startupVariable(s, r, lang, "BASH_ENV")
	case lang == "zsh":
		if v, ok := site.OwnEnv(s, "ZDOTDIR"); ok {
			text := value.Concat(v, value.Lit("/.zshenv"))
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Text: text, Lang: lang})
		}
	}
	if v, ok := site.OwnEnv(s, "HISTFILE"); ok && interactive && (lang == "bash" || lang == "mksh") && !site.SameWord(v, "/dev/null") { // both shorten it when they start: bash(1), HISTFILESIZE; ksh93(1)
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: v})
	}
	traced := m.Has("xtrace") || site.SomeWord(m.Values("option"), "xtrace")
	if v, ok := site.OwnEnv(s, "SHELLOPTS"); ok && lang == "bash" { // options taken from the environment
		traced = traced || strings.Contains(v.String(), "xtrace")
	}
	if traced {
		expanded(s, r, lang, "PS4")
		if lang == "zsh" {
			expanded(s, r, lang, "PROMPT4")
		}
		for i := range r.Runs {
			r.Runs[i].Mode = catalog.RunTraced
		}
	}
	if traced || m.Has("verbose") {
		printed(r)
	}
	if interactive {
		for _, name := range promptVariables(lang) {
			expanded(s, r, lang, name)
		}
		if v, ok := site.OwnEnv(s, "PROMPT_COMMAND"); ok && lang == "bash" {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v, Lang: lang})
		}
	}
}

// obeysEnv reports whether a shell reads the file that ENV names when somebody types
// at it: those of the standard do, and the others where they are to be one of them
// ("Bash POSIX Mode", 1; zshmisc(1), "COMPATIBILITY").
func obeysEnv(m *catalog.Match, s *catalog.Site, lang string) bool {
	switch lang {
	case "sh", "mksh":
		return true
	case "bash":
		_, asked := site.OwnEnv(s, "POSIXLY_CORRECT")
		options, _ := site.OwnEnv(s, "SHELLOPTS")
		return asked || m.Has("posix") || site.SomeWord(m.Values("option"), "posix") || strings.Contains(options.String(), "posix")
	case "zsh":
		v, asked := m.Value("emulate")
		return asked && !site.SameWord(v, "zsh") && !site.SameWord(v, "csh")
	}
	return false
}

// printed says that a shell prints the lines of its script, as -v and -x do.
func printed(r *catalog.Result) {
	for i := range r.Runs {
		switch run := &r.Runs[i]; {
		case run.Kind != catalog.RunScript:
		case run.Stdin:
			r.ShowsStdin = true
		default:
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: run.Text, Shown: true})
		}
	}
}

// startupVariable sources the file that a variable names. Its value is
// expanded first, so that it can run commands by itself.
func startupVariable(s *catalog.Site, r *catalog.Result, lang, name string) {
	v, ok := site.OwnEnv(s, name)
	switch {
	case !ok, site.SameWord(v, "/dev/null"):
	case v.IsKnown() && site.MayExpand(v):
		text := value.Concat(value.Lit(`. "`), v, value.Lit(`"`))
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: text, Lang: lang})
	default:
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Text: v, Lang: lang})
	}
}

// promptVariables are what a shell shows where somebody types, by all their names
// (zshparam(1), PS1).
func promptVariables(lang string) []string {
	if lang == "zsh" {
		return []string{"PS1", "PS2", "PROMPT", "PROMPT2", "prompt", "RPS1", "RPS2", "RPROMPT", "RPROMPT2"}
	}
	return []string{"PS0", "PS1", "PS2"}
}

// expanded adds the commands that a variable's value runs when it is expanded.
func expanded(s *catalog.Site, r *catalog.Result, lang, name string) {
	if v, ok := site.OwnEnv(s, name); ok && site.MayExpand(v) {
		text := value.Concat(value.Lit(`echo "`), v, value.Lit(`" >&2`))
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: text, Lang: lang})
	}
}
