package recipe

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// gdb reads the commands that it is given with -ex for those that leave the
// debugger (GDB manual, "Shell Commands", "Python Commands", "Files").
func gdb(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("command") {
		debuggerCommand(m, r, v)
	}
	debuggee := m.Values("program")
	if argv := m.Values("argv"); len(argv) > 0 {
		debuggee = argv
	}
	switch {
	case m.Has("done"):
	case len(debuggee) > 0 && (!m.Has("batch") || len(m.Values("argv")) > 0 && m.Has("command")):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: debuggee[0], Kind: risk.KindDebugged})
	case m.Has("pid"), m.Has("command"), m.Has("script"), len(debuggee) > 0:
	default:
		run := site.StdinCode(s, "gdb")
		r.Runs = append(r.Runs, run)
	}
	if s.HasStdin && len(debuggee) > 0 && !m.Has("batch") {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "gdb", Stdin: true})
		r.ReadsStdin = true
	}
}

// debuggerCommand reads one command of gdb or lldb.
func debuggerCommand(m *catalog.Match, r *catalog.Result, v value.Value) {
	text := strings.TrimLeft(v.Prefix(), " \t")
	if text == "" {
		if !v.IsKnown() {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "gdb", Text: v})
		}
		return
	}
	rest := v.Cut(len(v.Prefix()) - len(text))
	if text[0] == '!' {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: rest.Cut(1)})
		return
	}
	word, _, _ := strings.Cut(text, " ")
	after := rest.Cut(min(len(word)+1, len(text)))
	switch word {
	case "shell", "sh", "she", "shel":
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: after})
	case "make":
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: rest})
	case "platform":
		if i := strings.Index(text, "shell "); i > 0 {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: rest.Cut(i + len("shell "))})
		}
	case "python", "py", "python-interactive", "pi", "script", "scripting":
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "python", Text: after})
	case "pipe", "|":
		if _, command, ok := strings.Cut(after.Prefix(), "|"); ok {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: after.Cut(len(after.Prefix()) - len(command))})
		}
	case "interpreter-exec":
		if _, command, ok := strings.Cut(after.Prefix(), " "); ok && after.IsKnown() {
			debuggerCommand(m, r, value.Lit(strings.Trim(strings.TrimSpace(command), `"`)))
			return
		}
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "gdb", Text: v})
	case "source":
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: m.Program.Names[0], Text: after})
	default:
		debuggerMore(m, r, word, rest, after)
	}
}

// debuggerMore holds the commands that touch the program or files.
func debuggerMore(m *catalog.Match, r *catalog.Result, word string, whole, after value.Value) {
	text := whole.Prefix()
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return
	}
	last := value.Lit(fields[len(fields)-1])
	switch {
	case word == "run" || word == "r" || word == "start" || word == "starti" || strings.HasPrefix(text, "process launch"):
		if p, ok := m.Value("program"); ok && m.Has("batch") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunExec, Text: p})
		}
	case strings.HasPrefix(text, "command script import "), strings.HasPrefix(text, "plugin load "):
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: last})
	case strings.HasPrefix(text, "command source "):
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "lldb", Text: last})
	case word == "call" || word == "print" || word == "p" || word == "expr" || word == "expression" || word == "e" || word == "compile" || word == "x" || word == "output" || word == "printf" || word == "display" || strings.HasPrefix(word, "p/") || strings.HasPrefix(word, "x/"):
		if strings.ContainsAny(after.Prefix(), "(=$") || !after.IsKnown() { // calls, assignments, convenience functions
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "c", Text: after})
		}
	case word == "dump" || word == "gcore" || word == "generate-core-file" || strings.HasPrefix(text, "set logging file ") || strings.HasPrefix(text, "save "):
		if len(fields) > 1 {
			if word == "dump" {
				last = value.Lit(fields[min(2, len(fields)-1)])
			}
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: last})
		}
	case word == "attach" && len(fields) > 1:
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ProcSignal, Target: last, Kind: risk.KindTraced})
	case word == "show" && (len(fields) == 1 || strings.HasPrefix("environment", fields[1])), // GDB manual, "Your Program's Environment"
		strings.HasPrefix(text, "settings show") && (len(fields) == 2 || strings.HasPrefix(fields[2], "target")):
		site.ShowsEnvironment(r)
	case (word == "thread" || word == "t" || word == "frame" || word == "f") && len(fields) > 1 && strings.HasPrefix("apply", fields[1]) && len(fields[1]) > 1:
		debuggerEach(m, r, whole)
	case strings.Contains(debuggerLooks, " "+word+" ") && (m.Program.Names[0] != "lldb" || word != "thread" && word != "frame"):
		if reach := strings.ReplaceAll(after.Prefix(), "==", ""); strings.ContainsAny(reach, "(=") || strings.Contains(reach, "$_") || !after.IsKnown() { // an expression, which is evaluated
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: m.Program.Names[0], Text: whole})
		}
	case word == "set" && len(fields) > 1 && fields[1] == "debuginfod":
		if fields[len(fields)-1] != "off" { // asks servers
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: m.Program.Names[0], Text: whole})
		}
	case word == "set" && len(fields) > 1 && strings.Contains(debuggerSettings, " "+fields[1]+" "):
	case word == "memory" && strings.Contains(text, " -") && (strings.Contains(text, "-o") || strings.Contains(text, "--out")): // memory read --outfile
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: m.Program.Names[0], Text: whole})
	case len(fields) > 1 && strings.Contains(debuggerLooks, " "+word+"-"+fields[1]+" "):
	default: // it may be anything, and be short for anything
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: m.Program.Names[0], Text: whole})
	}
}

// debuggerEach reads the command of "thread apply IDS... COMMAND" and "frame apply ... COMMAND",
// which runs for each (GDB manual, "Threads", "Frame Apply").
func debuggerEach(m *catalog.Match, r *catalog.Result, whole value.Value) {
	rest := whole
	for n := 0; ; n++ {
		text := strings.TrimLeft(rest.Prefix(), " \t")
		rest = rest.Cut(len(rest.Prefix()) - len(text))
		word, _, _ := strings.Cut(text, " ")
		if n > 1 && word != "all" && word != "level" && strings.Trim(word, "0123456789.-*$_tidcqsangelf") != "" || word == "" {
			break
		}
		rest = rest.Cut(len(word))
	}
	debuggerCommand(m, r, rest)
}

// debuggerLooks are the commands that look at a program, or move about in it
// (GDB manual, "Command, Variable, and Function Index"; lldb, "help"): of two
// words with a dash between.
const debuggerLooks = " info i inf bt backtrace where list l break b br tbreak hbreak rbreak watch rwatch awatch delete d disable enable ignore condition continue c cont next n nexti ni step s stepi si finish fin until u advance " +
	"kill k detach quit q exit help h apropos show frame f up down thread threads disassemble disas ptype whatis explore macro undisplay echo version gui tui layout focus refresh window-tui " +
	"frame-variable frame-info frame-select thread-backtrace thread-list thread-info thread-select thread-continue thread-step-in thread-step-over thread-step-out thread-step-inst thread-until image-list image-lookup image-dump target-list target-create register-read memory-read memory-region breakpoint-set breakpoint-list breakpoint-delete breakpoint-disable breakpoint-enable process-status process-continue process-kill process-detach settings-show settings-list source-list source-info type-lookup language-cplusplus "

// debuggerSettings are settings of gdb that change what is shown.
const debuggerSettings = " pagination confirm width height print listsize verbose disassembly-flavor style language history-size breakpoint-pending radix output-radix input-radix args osabi architecture endian "
