package recipe

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// pythonLibrary says what a module of the standard library does when it is run
// (Python 3.13, "Modules command-line interface"). It reports false for a
// module that it does not know.
func pythonLibrary(s *catalog.Site, r *catalog.Result, name string, args []value.Value) bool {
	switch name {
	case "sysconfig":
		if site.OptionGiven(args, "--generate-posix-vars", "--generate-posix-vars") {
			site.NotUnderstood(r, site.JoinedWords(args))
		}
	case "this", "calendar", "platform", "site", "uuid", "random", "mimetypes", "locale", "encodings.aliases", "keyword", "colorsys", "difflib", "getpass", "test.pystone", "textwrap":
	case "ast", "tokenize", "dis", "pyclbr", "symtable", "tabnanny", "pickletools", "quopri", "base64", "textutil", "fileinput", "csv":
		libraryShows(s, r, site.OperandsAfter(args, ""))
		if out, ok := site.OptionValue(args, "-o", "--output"); ok && name == "pickletools" {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: out})
		}
	case "json.tool", "json":
		libraryFilter(s, r, site.OperandsAfter(args, "--indent"))
	case "gzip":
		unpack := site.OptionGiven(args, "-d", "--decompress")
		for _, f := range site.OperandsAfter(args, "") {
			to := catalog.Effect{Verb: risk.FSWrite, Target: value.Concat(f, value.Lit(".gz")), Carries: []catalog.Source{{Path: f}}}
			if name, known := f.Known(); unpack && known {
				to.Target = value.Lit(strings.TrimSuffix(name, ".gz"))
			}
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Needed: true}, to)
		}
	case "py_compile", "compileall":
		for _, f := range site.OperandsAfter(args, "-d -s -p -x -i -j -o -r -e") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Recursive: name == "compileall", Needed: name == "py_compile"})
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: value.Lit("__pycache__"), Kind: risk.KindByteCode})
	case "http.server", "SimpleHTTPServer", "CGIHTTPServer", "wsgiref.simple_server", "smtpd", "xmlrpc.server", "aiosmtpd":
		if name == "http.server" && site.OptionGiven(args, "-h", "--help") { // argparse prints it and ends
			return true
		}
		libraryServer(r, args)
	case "venv":
		libraryVenv(r, args)
	case "zipfile", "tarfile":
		libraryArchive(r, args)
	case "ensurepip":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PkgInstall, Target: value.Lit("pip")})
	case "antigravity": // Lib/antigravity.py: it is imported for what it does
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: value.Lit("https://xkcd.com/353/"), Kind: risk.KindInABrowser})
	case "webbrowser":
		for _, u := range site.OperandsAfter(args, "") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: u, Kind: risk.KindInABrowser})
		}
	case "code", "asyncio", "idlelib", "idlelib.idle", "_pyrepl":
		r.Runs = append(r.Runs, site.StdinCode(s, "python"))
		r.ReadsStdin = true
	case "timeit":
		libraryTimeit(r, args)
	case "pdb", "cProfile", "profile", "trace", "runpy":
		libraryRuns(s, r, args)
	case "pydoc":
		libraryPydoc(r, args)
	default:
		return libraryMore(r, name, args)
	}
	return true
}

// libraryMore holds the modules that are rarely run.
func libraryMore(r *catalog.Result, name string, args []value.Value) bool {
	switch name {
	case "unittest", "doctest", "test":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Kind: risk.KindTests})
	case "pickle", "shelve":
		for _, f := range site.OperandsAfter(args, "") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: f})
		}
	case "telnetlib", "ftplib", "poplib", "imaplib", "nntplib", "smtplib":
		e := catalog.Effect{Verb: risk.NetConnect}
		if hosts := site.OperandsAfter(args, ""); len(hosts) > 0 {
			e.Target = hosts[0]
		}
		r.Effects = append(r.Effects, e)
	case "zipapp":
		files := site.OperandsAfter(args, "-p --python -m --main")
		out, named := site.OptionValue(args, "-o", "--output")
		for _, f := range files {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Recursive: true})
			if !named {
				out = value.Concat(f, value.Lit(".pyz")) // zipapp.create_archive: beside its source
			}
		}
		if !site.OptionGiven(args, "--info", "-h") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: out})
		}
	case "lib2to3":
		writes := site.OptionGiven(args, "-w", "--write")
		for _, f := range site.OperandsAfter(args, "-f -x -j -o --fix --nofix --processes --output-dir --add-suffix") {
			verb := risk.FSRead
			if writes {
				verb = risk.FSWrite
			}
			r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: f, Recursive: true})
		}
	default:
		return false
	}
	return true
}

func libraryShows(s *catalog.Site, r *catalog.Result, files []value.Value) {
	if len(files) == 0 || site.SameWord(files[0], "-") {
		r.ShowsStdin, r.ReadsStdin = s.HasStdin, true
		return
	}
	for _, f := range files {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Shown: true, Needed: true})
	}
}

// libraryFilter reads the first operand or standard input, and writes the
// second or standard output.
func libraryFilter(s *catalog.Site, r *catalog.Result, files []value.Value) {
	if len(files) < 2 {
		libraryShows(s, r, files)
		for i := range r.Effects {
			r.Effects[i].Needed = r.Effects[i].Verb == risk.FSRead
		}
		return
	}
	from := catalog.Source{Path: files[0]}
	if site.SameWord(files[0], "-") {
		from = catalog.Source{Stdin: true}
		r.ReadsStdin = true
	} else {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: files[0], Needed: true})
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: files[1], Carries: []catalog.Source{from}})
}

func libraryServer(r *catalog.Result, args []value.Value) {
	e := catalog.Effect{Verb: risk.NetListen}
	if port := site.OperandsAfter(args, "-d --directory -b --bind -p --protocol -l --listen -c --class"); len(port) > 0 {
		e.Target = port[0]
	}
	if dir, ok := site.OptionValue(args, "-d", "--directory"); ok {
		e.Carries = []catalog.Source{{Path: dir}}
	}
	r.Effects = append(r.Effects, e)
}

func libraryVenv(r *catalog.Result, args []value.Value) {
	for _, dir := range site.OperandsAfter(args, "--prompt") {
		if site.OptionGiven(args, "--clear", "--clear") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: dir, Recursive: true, Kind: risk.KindClear})
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: dir, Recursive: true})
	}
}

// archiveAct is what is done to the archive that zipfile or tarfile is called with, as
// the sentence has it, and which.
func archiveAct(args []value.Value) (act string, archive []value.Value) {
	files := site.OperandsAfter(args, "--metadata-encoding --filter")
	if len(args) == 0 || len(files) == 0 {
		return "", nil
	}
	switch op := strings.TrimLeft(args[0].Prefix(), "-"); {
	case strings.HasPrefix(op, "l"):
		return "listed", files[:1]
	case strings.HasPrefix(op, "t"):
		return "tested", files[:1]
	}
	return "", nil
}

// libraryArchive reads the arguments of zipfile and tarfile, whose first
// letter after the dash says which operation it is.
func libraryArchive(r *catalog.Result, args []value.Value) {
	files := site.OperandsAfter(args, "--metadata-encoding --filter")
	if len(args) == 0 || len(files) == 0 {
		return
	}
	archive := files[0]
	switch op := strings.TrimLeft(args[0].Prefix(), "-"); {
	case strings.HasPrefix(op, "e"):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: archive, Needed: true})
		dir := value.Lit(".")
		if len(files) > 1 {
			dir = files[1]
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: dir, Recursive: true, Kind: risk.KindExtract})
	case strings.HasPrefix(op, "c"):
		e := catalog.Effect{Verb: risk.FSWrite, Target: archive}
		for _, f := range files[1:] {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Arg: "member", Needed: true})
			e.Carries = append(e.Carries, catalog.Source{Path: f})
		}
		r.Effects = append(r.Effects, e)
	default:
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: archive, Needed: true})
	}
}

func libraryTimeit(r *catalog.Result, args []value.Value) {
	texts := site.OperandsAfter(args, "-n --number -r --repeat -s --setup -u --unit")
	if setup, ok := site.OptionValue(args, "-s", "--setup"); ok {
		texts = append(texts, setup)
	}
	for _, t := range texts {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "python", Text: t, Mode: catalog.RunInLoop})
	}
}

// libraryRuns reads the arguments of modules that run a script or a module
// under their eyes: pdb, cProfile, profile, trace.
func libraryRuns(s *catalog.Site, r *catalog.Result, args []value.Value) {
	if out, ok := site.OptionValue(args, "-o", "--outfile"); ok {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: out})
	}
	for i, a := range args {
		if site.SameWord(a, "-m") && i+1 < len(args) {
			pythonModule(s, r, args[i+1], args[i+2:])
			return
		}
	}
	if commands, ok := site.OptionValue(args, "-c", "--command"); ok {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "pdb", Text: commands})
	}
	if rest := site.OperandsAfter(args, "-o --outfile -s --sort -c --command -f --file -C --coverdir --ignore-module --ignore-dir"); len(rest) > 0 {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "python", Text: rest[0], Args: rest[1:]})
	}
}

// libraryPydoc imports the modules that it documents; a path names a file.
func libraryPydoc(r *catalog.Result, args []value.Value) {
	if site.OptionGiven(args, "-b", "-p") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetListen})
	}
	for _, name := range site.OperandsAfter(args, "-k -n -p") {
		if site.OptionGiven(args, "-w", "-w") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: value.Concat(name, value.Lit(".html"))})
		}
		if strings.Contains(name.Prefix(), "/") || !name.IsKnown() {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: name})
		}
	}
}
