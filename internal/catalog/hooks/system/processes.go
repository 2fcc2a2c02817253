package system

import (
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// kill reads the signal and the processes. A first word with a dash is a
// signal; behind it, or behind "--", -1 is every process and -N a group
// (POSIX.1-2024 kill, OPERANDS).
func kill(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	args := s.Args
	signal := ""
options:
	for len(args) > 0 {
		text := args[0].Prefix()
		if !strings.HasPrefix(text, "-") || text == "-" {
			break
		}
		switch {
		case text == "--":
			args = args[1:]
			break options
		case text == "-l", text == "-L", text == "--list", text == "--table", text == "--help", text == "-V", text == "--version", text == "-p", text == "--pid",
			strings.HasPrefix(text, "-l"), strings.HasPrefix(text, "--list="):
			return
		case text == "-s" || text == "-n" || text == "--signal":
			if len(args) > 1 {
				signal = args[1].String()
				args = args[1:]
			}
		case text == "-q" || text == "--queue" || text == "--timeout":
			args = args[min(1, len(args)-1):]
		case text == "-a" || text == "--all" || text == "-v" || text == "--verbose" || text == "-r" || text == "--require-handler":
		case strings.HasPrefix(text, "--signal="):
			signal = text[len("--signal="):]
		case signal == "":
			signal = strings.TrimPrefix(args[0].String(), "-")
		default:
			break options
		}
		args = args[1:]
	}
	if signal == "0" || signal == "EXIT" {
		return
	}
	bindProcesses(m, args, signal)
	switch {
	case len(args) == 0:
		r.Lacks = "no process is named"
	case noSignal(signal):
		r.Lacks = "there is no signal " + signal
	case s.AsFound && s.Name == "kill" && slices.ContainsFunc(args, func(v value.Value) bool { return !isPID(v) }) && !slices.ContainsFunc(args, isPID):
		r.Lacks = "kill takes the numbers of processes, not their names"
	}
	for _, v := range args {
		e := catalog.Effect{Verb: risk.ProcSignal, Target: v, Arg: "process", Kind: killKind(v, signal)}
		if name, ok := processesOf(v); ok {
			e.Target = value.Lit(name)
			if !asksOnly(signal) {
				catalog.NamedProcesses(&e)
			}
		}
		r.Effects = append(r.Effects, e)
	}
}

// isPID reports whether a word may be the number of a process, or of a job of the shell,
// as the shells' kill has it.
func isPID(v value.Value) bool {
	text, known := v.Known()
	return !known || text == "" || text[0] == '%' || strings.Trim(text, "-0123456789") == ""
}

// bindProcesses gives the phrases of kill the processes, where all are numbers of some, or one
// word has the numbers of those of a name or that something prints, and what they are told.
func bindProcesses(m *catalog.Match, args []value.Value, signal string) {
	var many []value.Value
	if n := len(args); n > 1 && ofInput(args[n-1]) {
		args = args[:n-1]
	}
	for _, v := range args {
		pid, known := v.Known()
		if name, named := processesOf(v); named {
			many = append(many, value.Lit(name), value.Lit(name))
		} else if holes := v.Holes(); !known && len(holes) == 1 && v.String() == holes[0].String() && holes[0].Cause == risk.CauseOutput {
			many = append(many, v, v)
		} else if !known || pid == "" || strings.Trim(pid, "0123456789") != "" {
			return
		}
	}
	if len(many) > 0 && len(args) == 1 {
		args = many
	} else if len(many) > 0 {
		return
	}
	for _, v := range args {
		m.Bind("process", v)
	}
	bindSignal(m, signal)
}

// ofInput reports whether a word stands for more that the input of another program has.
func ofInput(v value.Value) bool {
	return len(v.Holes()) == 1 && v.String() == v.Holes()[0].String() && v.Holes()[0].Cause == risk.CauseInput
}

// bindSignal gives the phrases of who signals processes what these are told.
func bindSignal(m *catalog.Match, signal string) {
	switch signalName(signal) {
	case "", "TERM", "15":
		m.Bind("asked", value.Lit("TERM"))
	case "KILL", "9":
		m.Bind("killed", value.Lit("KILL"))
	case "1":
		m.Bind("signal", value.Lit("HUP"))
	case "2":
		m.Bind("signal", value.Lit("INT"))
	case "3":
		m.Bind("signal", value.Lit("QUIT"))
	default:
		m.Bind("signal", value.Lit(signal))
	}
}

// signalName is a signal as it is named without SIG, or its number.
func signalName(signal string) string { return strings.TrimPrefix(strings.ToUpper(signal), "SIG") }

// noSignal reports whether a word surely is neither the name nor the number of a signal
// (signal(7), kill(1)).
func noSignal(signal string) bool {
	name := signalName(signal)
	if name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" || strings.HasPrefix(name, "RT") {
		return false
	}
	if n, err := strconv.Atoi(name); err == nil {
		return n > 64
	}
	return !slices.Contains([]string{
		"HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "IOT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CLD",
		"CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "POLL", "PWR", "SYS", "EMT", "INFO", "LOST", "THR", "LIBRT", "DEBUG", "ERR", "RETURN",
	}, name)
}

// asksOnly reports whether a signal tells a service to read its settings or
// its log files again, or lets a process go on: none that listens for it ends.
func asksOnly(signal string) bool {
	switch signalName(signal) {
	case "HUP", "1", "USR1", "10", "USR2", "12", "CONT", "18", "WINCH", "28":
		return true
	}
	return false
}

func killKind(v value.Value, signal string) risk.Kind {
	pid, known := v.Known()
	switch {
	case !known:
	case pid == "-1":
		return risk.KindAll
	case pid == "0" && isKillSignal(signal):
		return risk.KindAll
	case pid == "1":
		return risk.KindInit
	}
	return risk.NoKind
}

func isKillSignal(signal string) bool {
	name := signalName(signal)
	return name == "9" || name == "KILL"
}

// pkill signals processes by name or pattern; a pattern that every name
// matches means all (pkill(1), killall(1)).
func pkill(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, name := range []string{"given", "number"} {
		if v, ok := m.Value(name); ok && site.IsLiteral(v, "0") {
			return
		}
	}
	targets := m.Values("process")
	bindSignal(m, pkillSignal(m, s.Args))
	for _, v := range targets {
		e := catalog.Effect{Verb: risk.ProcSignal, Target: v, Arg: "process"}
		text, known := v.Known()
		switch {
		case known && slices.Contains([]string{".", ".*", "", "^", "$", ".+", "[a-z]", "*"}, text):
			e.Kind = risk.KindAll
		case known:
			catalog.NamedProcesses(&e)
		case catalog.Defends(v):
			e.Verb, e.Kind = risk.DefenseEvade, risk.KindService
		}
		if m.Has("inverse") {
			e.Kind = risk.KindAll
		}
		r.Effects = append(r.Effects, e)
	}
	if len(targets) > 0 {
		return
	}
	for _, v := range m.Values("user") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ProcSignal, Target: v, Kind: risk.KindEveryProcessOfAUser})
	}
	for _, v := range m.Values("file") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ProcSignal, Target: v})
	}
}

// pkillSignal is the signal that the words of pkill or killall ask for, "" for none.
func pkillSignal(m *catalog.Match, args []value.Value) string {
	for _, name := range []string{"given", "number"} {
		if v, ok := m.Value(name); ok {
			return v.String()
		}
	}
	for _, v := range args {
		name, dash := strings.CutPrefix(v.Prefix(), "-")
		if dash && len(name) > 2 && name[0] != '-' && !noSignal(name) {
			return signalName(name)
		}
	}
	return ""
}

// desktopSet tells settings from questions by their words, and finds window
// managers that are asked to start a program.
func desktopSet(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := site.NetWords(m)
	if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "exec") }) {
		site.NetAdd(r, risk.ExecShell, risk.KindThroughTheWindowManager)
		return
	}
	if i := slices.IndexFunc(s.Args, func(v value.Value) bool { return site.IsLiteral(v, "launch") }); s.Name == "powerprofilesctl" && i >= 0 {
		for i++; i < len(s.Args) && strings.HasPrefix(s.Args[i].Prefix(), "-"); i++ { // options that take a value
			if !strings.Contains(s.Args[i].Prefix(), "=") {
				i++
			}
		}
		if i < len(s.Args) {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunArgv, Argv: s.Args[i:]})
		}
		return
	}
	if (s.Name == "swaymsg" || s.Name == "i3-msg" || s.Name == "hyprctl") && !arranges(strings.Join(words, " ")) {
		site.NotUnderstood(r, value.Lit(strings.Join(words, " ")))
		return
	}
	if s.Name == "wmctrl" && m.Has("closes") {
		site.NetAdd(r, risk.ProcSignal, risk.NoKind)
		return
	}
	if s.Name == "xinput" && len(words) > 0 && strings.HasPrefix(strings.TrimLeft(words[0], "-"), "test") { // shows the keys that are typed
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SecretRead, Kind: risk.KindKeysThatAreTyped})
		return
	}
	reading := map[string][]string{
		"xset": {"q", "-q"}, "xrandr": nil, "xinput": {"list", "list-props", "--list", "query-state"}, "setxkbmap": {"-query", "-print"},
		"light": nil, "xbacklight": nil,
	}
	if quiet, special := reading[s.Name]; special {
		for _, a := range s.Args {
			text := a.Prefix()
			switch {
			case slices.Contains(quiet, text), text == "--listmonitors", text == "--query", text == "-q", text == "--current", text == "-G", text == "-get", text == "--verbose", text == "--prop", text == "--listproviders", text == "-display", text == "-v", text == "--short":
			default:
				site.NetAdd(r, risk.SysConfig, risk.KindDesktop)
				return
			}
		}
		return
	}
	if len(words) == 0 {
		return
	}
	first := words[0]
	if first == "load-module" || first == "unload-module" { // some of which open ports
		site.NetAdd(r, risk.SysConfig, risk.KindSettings)
		return
	}
	for _, prefix := range []string{"list", "get", "info", "status", "stat", "metadata", "position", "inspect", "subscribe", "contents", "controls", "scontents", "scontrols", "max", "detect", "capabilities", "clients", "monitors", "workspaces", "active", "version", "devices", "recommend", "profile_info", "query"} {
		if strings.HasPrefix(first, prefix) {
			return
		}
	}
	site.NetAdd(r, risk.SysConfig, risk.KindDesktop)
}

// arranges reports whether commands for a window manager only tell, or move and draw
// windows (i3 user's guide, sway(5), Hyprland wiki): others end programs or the
// session, or change what keys and programs do.
func arranges(commands string) bool {
	for c := range strings.FieldsFuncSeq(commands, func(c rune) bool { return c == ';' || c == ',' }) {
		c = strings.TrimSpace(c)
		for strings.HasPrefix(c, "[") { // which windows
			_, rest, ok := strings.Cut(c, "]")
			if !ok {
				return false
			}
			c = strings.TrimSpace(rest)
		}
		words := strings.Fields(c)
		if len(words) > 1 && words[0] == "dispatch" {
			words = words[1:]
		}
		if len(words) > 0 && !slices.Contains(strings.Fields("focus move workspace layout resize fullscreen floating split splith splitv splitt sticky border mark unmark title_format gaps scratchpad nop swap opacity "+
			"get_workspaces get_outputs get_tree get_marks get_bar_config get_version get_binding_modes get_config get_binding_state get_inputs get_seats "+
			"movefocus movewindow resizeactive togglefloating pin centerwindow cyclenext swapwindow movetoworkspace movetoworkspacesilent togglesplit fullscreenstate "+
			"clients monitors workspaces activewindow activeworkspace binds devices layers version splash systeminfo cursorpos getoption animations instances layouts globalshortcuts rollinglog configerrors"), words[0]) {
			return false
		}
	}
	return true
}
