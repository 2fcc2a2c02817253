package recipe

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// python says what the interpreter runs: -c and -m end its options and take
// all that follows (Python 3.13, "Command line and environment").
func python(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	pythonEnvironment(m, s, r)
	pythonImplementation(m, r)
	code, module, words := m.Values("code"), m.Values("module"), m.Values("word")
	switch {
	case len(code) > 0:
		if text, known := code[0].Known(); !m.Has("safe") && (!known || strings.Contains(text, "import")) {
			shadowed(s, r)
		}
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "python", Text: code[0], Args: code[1:]})
	case len(module) > 0:
		if name, known := module[0].Known(); known && !m.Has("safe") {
			names := []string{name}
			if name == "pydoc" { // it imports what it tells of
				for _, v := range site.OperandsAfter(module[1:], "-k -n -p") {
					names = append(names, v.String())
				}
			}
			shadowed(s, r, names...)
		}
		pythonModule(s, r, module[0], module[1:])
		nameModule(m, module[0], module[1:])
	case m.Has("done"):
	case len(words) == 0 || site.SameWord(words[0], "-"):
		run := site.StdinCode(s, "python")
		if len(words) > 0 {
			run.Kind, run.Stdin, run.Args = catalog.RunCode, true, words[1:]
		} else if run.Kind == catalog.RunShellInteractive {
			startupScript(s, r, "PYTHONSTARTUP", "python")
		}
		r.Runs = append(r.Runs, run)
		r.ReadsStdin = true
	default:
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "python", Text: words[0], Args: words[1:]})
	}
}

// pythonImplementation reads -X NAME: most names say how the interpreter looks after
// itself (Python 3.14, "Command line and environment", -X).
func pythonImplementation(m *catalog.Match, r *catalog.Result) {
	for _, v := range m.Values("implementation") {
		switch name, _, _ := strings.Cut(v.Prefix(), "="); name {
		case "dev", "utf8", "importtime", "faulthandler", "tracemalloc", "showrefcount", "frozen_modules", "no_debug_ranges", "int_max_str_digits",
			"warn_default_encoding", "gil", "cpu_count", "context_aware_warnings", "thread_inherit_context", "disable_remote_debug", "track-resources":
		case "perf", "perf_jit": // Python 3.12, "Python support for the Linux perf profiler"
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: value.Lit("/tmp/perf-PID.map"), Own: true})
		case "pycache_prefix":
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: v.Cut(len(name) + 1), Recursive: true, Kind: risk.KindByteCode})
		default:
			site.NotUnderstood(r, v)
		}
	}
}

// startupScript adds the file that a variable makes the interpreter run first.
func startupScript(s *catalog.Site, r *catalog.Result, name, lang string) {
	if v, ok := site.OwnEnv(s, name); ok {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: lang, Text: v})
	}
}

// pythonEnvironment adds the variables that make Python run something else:
// a module path outside the project, another home, and the warning filter that
// imports a module that opens $BROWSER.
func pythonEnvironment(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("isolated") {
		return
	}
	if m.Has("inspect") {
		startupScript(s, r, "PYTHONSTARTUP", "python")
	}
	searchPath(s, r, "PYTHONPATH")
	if v, ok := site.OwnEnv(s, "PYTHONHOME"); ok {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: v})
	}
	if _, ok := site.OwnEnv(s, "PYTHONWARNINGS"); ok || m.Has("warning") {
		if v, ok := site.OwnEnv(s, "BROWSER"); ok {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v})
		}
	}
}

// searchPath adds the directories of a module search path that are not plainly
// below the current directory: those hold the project's own code, which runs
// in any case.
func searchPath(s *catalog.Site, r *catalog.Result, name string) {
	v, ok := site.OwnEnv(s, name)
	if !ok {
		return
	}
	for _, dir := range v.Split(":") {
		text, known := dir.Known()
		if known && (text == "" || text[0] != '/' && text[0] != '~' && !strings.Contains(text, "..")) {
			continue
		}
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: dir})
	}
}

// nameModule names, for the sentence, what some modules of the library are run on.
func nameModule(m *catalog.Match, module value.Value, args []value.Value) {
	name, _ := module.Known()
	var words []value.Value
	if len(args) == 1 && explained(name) && site.OptionGiven(args, "-h", "--help") {
		m.Bind("helped", module)
		return
	}
	switch name {
	case "json.tool", "json":
		name, words = "json", site.OperandsAfter(args, "--indent")
		if len(words) == 0 {
			m.Bind("indented", value.Lit("-"))
		}
		if len(words) != 1 {
			return
		}
	case "http.server":
		port := site.OperandsAfter(args, "-d --directory -b --bind -p --protocol")
		if len(port) == 0 {
			port = []value.Value{value.Lit("8000")}
		}
		m.Bind("served-port", port[0])
		if dir, ok := site.OptionValue(args, "-d", "--directory"); ok {
			m.Bind("served", dir)
		}
	case "timeit":
		words = site.OperandsAfter(args, "-n --number -r --repeat -s --setup -u --unit")
	case "py_compile":
		words = site.OperandsAfter(args, "")
	case "zipfile", "tarfile":
		name, words = archiveAct(args)
	}
	for _, w := range words {
		m.Bind(name, w)
	}
}

// explained reports whether a module of the library reads its arguments with argparse, which
// shows a help and ends (Python 3.13, argparse).
func explained(module string) bool {
	switch module {
	case "http.server", "json.tool", "json", "calendar", "ast", "dis", "tokenize", "uuid", "gzip", "zipfile", "tarfile", "venv", "compileall", "pickletools", "random":
		return true
	}
	return false
}

// pythonModule says what `python -m module args` does.
func pythonModule(s *catalog.Site, r *catalog.Result, module value.Value, args []value.Value) {
	name, known := module.Known()
	name = strings.TrimSuffix(name, ".__main__")
	if known && pythonLibrary(s, r, name, args) {
		return
	}
	if program, ok := pythonProgram(name); known && ok {
		r.Runs = append(r.Runs, catalog.Run{Argv: append([]value.Value{value.Lit(program)}, args...)})
		return
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: module, Kind: risk.KindModule})
}

// pythonProgram names the program that a module of a package stands for: a
// package that installs a command of the same name reads the same arguments.
func pythonProgram(module string) (string, bool) {
	const same = " pip pip3 pytest black ruff mypy flake8 isort pylint coverage tox nox build twine uv poetry pipenv virtualenv pipx " +
		"mkdocs jupyter ipython uvicorn gunicorn flask celery streamlit alembic bandit pyflakes pycodestyle pydocstyle " +
		"autopep8 yapf pyright cibuildwheel hatch flit httpie yt_dlp youtube_dl pre_commit pip_audit nbconvert awscli " +
		"django piptools pyftpdlib mitmproxy scapy impacket ansible sqlite3 cookiecutter bpython sphinx pygments docutils "
	if !strings.Contains(same, " "+module+" ") {
		return "", false
	}
	switch module {
	case "yt_dlp", "youtube_dl", "pre_commit", "pip_audit":
		return strings.ReplaceAll(module, "_", "-"), true
	case "django":
		return "django-admin", true
	case "awscli":
		return "aws", true
	case "httpie":
		return "http", true
	case "sphinx":
		return "sphinx-build", true
	case "pygments":
		return "pygmentize", true
	}
	return module, true
}
