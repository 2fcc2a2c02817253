package recipe

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// java says what a Java launcher runs: a jar, a module, a class, or a source
// file, and the agents loaded into it (java(1), JDK 21).
func java(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, a := range s.Args {
		if !strings.HasPrefix(a.Prefix(), "-") {
			break
		}
		javaOption(r, a)
	}
	for _, name := range []string{"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"} {
		if v, ok := site.OwnEnv(s, name); ok {
			for _, w := range v.Split(" ") {
				javaOption(r, w)
			}
		}
	}
	for _, v := range m.Values("patched") { // classes in the place of Java's own
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: v})
	}
	for _, v := range m.Values("path") {
		for _, dir := range v.Split(":") {
			if text := dir.Prefix(); strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~") || strings.Contains(text, "..") {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: dir})
			}
		}
	}
	jar, module, words := m.Values("jar"), m.Values("module"), m.Values("word")
	switch {
	case len(jar) > 0:
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "java", Text: jar[0], Args: jar[1:]})
		if name, known := jar[0].Known(); known && s.AsFound {
			if kind, seen := site.KindAt(s, name); seen && kind == world.Missing {
				if !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "/") {
					name = "./" + name
				}
				r.Lacks = name + " is not there"
			}
		}
		jarDestroys(r, jar)
	case len(module) > 0:
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: module[0], Kind: risk.KindModule})
	case len(words) == 0 || m.Has("done"):
	case strings.HasPrefix(words[0].Prefix(), "@"):
		r.Effects = append(r.Effects,
			catalog.Effect{Verb: risk.FSRead, Target: words[0].Cut(1)},
			catalog.Effect{Verb: risk.ExecProject, Kind: risk.KindArgumentsFromAFile})
	case strings.HasSuffix(words[0].Suffix(), ".java") || strings.Contains(words[0].Prefix(), "/"):
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "java", Text: words[0], Args: words[1:]})
	default:
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: words[0], Kind: risk.KindClass})
	}
}

// jarDestroys notices a command word among the arguments of a jar that says it
// destroys: command-line clients are often jars.
func jarDestroys(r *catalog.Result, words []value.Value) {
	for _, w := range words[1:] {
		if text, known := w.Known(); known && !strings.HasPrefix(text, "-") && catalog.Destructive(text) && !strings.ContainsAny(text, "/.") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteDestroy, Target: w, Kind: risk.KindUnlistedSubcommand})
			return
		}
	}
}

// javaOption reads one option that loads native code or runs a command.
func javaOption(r *catalog.Result, w value.Value) {
	text := w.Prefix()
	for _, name := range []string{"-javaagent:", "-agentpath:"} {
		if strings.HasPrefix(text, name) {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: beforeEquals(w.Cut(len(name)))})
		}
	}
	for _, name := range []string{"-XX:OnOutOfMemoryError=", "-XX:OnError="} {
		if strings.HasPrefix(text, name) {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: w.Cut(len(name))})
		}
	}
	if out, ok := javaLog(w); ok {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: out, Kind: risk.KindLog})
	}
	switch {
	case strings.HasPrefix(text, "-agentlib:jdwp=") && strings.Contains(text, "server=y") && strings.Contains(text, "address="):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetListen, Kind: risk.KindDebugger})
	case strings.HasPrefix(text, "-agentlib:") && !strings.HasPrefix(text, "-agentlib:jdwp") && !strings.HasPrefix(text, "-agentlib:hprof"):
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: beforeEquals(w.Cut(len("-agentlib:")))})
	case strings.HasPrefix(text, "-Xbootclasspath/a:"), strings.HasPrefix(text, "-Xbootclasspath/p:"):
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: w.Cut(len("-Xbootclasspath/a:"))})
	}
}

// javaLog is the file that an option has the machine write: the output of unified
// logging ("java -Xlog:help"), and those of -XX options with a path (JDK 21).
func javaLog(w value.Value) (file value.Value, ok bool) {
	text := w.Prefix()
	if strings.HasPrefix(text, "-Xlog:") || strings.HasPrefix(text, "-Xloggc:") {
		fields := w.Split(":")
		if strings.HasPrefix(text, "-Xloggc:") {
			return fields[1], true
		}
		for _, f := range fields[1:] {
			switch out := f.Prefix(); {
			case strings.HasPrefix(out, "file="):
				return f.Cut(len("file=")), true
			case strings.Contains(out, "/"): // a bare name of a file
				return f, true
			}
		}
	}
	for _, name := range []string{"-XX:LogFile=", "-XX:HeapDumpPath=", "-XX:ErrorFile=", "-XX:FlightRecorderOptions=", "-XX:StartFlightRecording", "-XX:ArchiveClassesAtExit=", "-XX:SharedArchiveFile="} {
		if strings.HasPrefix(text, name) {
			if name == "-XX:StartFlightRecording" || strings.HasPrefix(name, "-XX:Flight") {
				if _, after, found := strings.Cut(text, "filename="); found {
					file, _, _ := strings.Cut(after, ",")
					return value.Lit(file), true
				}
				return value.Value{}, false
			}
			return w.Cut(len(name)), true
		}
	}
	return value.Value{}, false
}

// beforeEquals returns v up to its first equals sign, if that is known.
func beforeEquals(v value.Value) value.Value { return v.Split("=")[0] }

// atFiles makes operands of the form @FILE what they are: files of arguments.
func atFiles(_ *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Effects {
		if strings.HasPrefix(r.Effects[i].Target.Prefix(), "@") {
			r.Effects[i].Target = r.Effects[i].Target.Cut(1)
		}
	}
}

// interpreterTop is interpreter for programs whose subcommands do something
// else.
func interpreterTop(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(m.Chain) == 1 {
		interpreter(m, s, r)
	}
}
