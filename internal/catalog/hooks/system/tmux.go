package system

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// tmuxCommands are the commands of tmux 3.4 by name, each with its alias and
// its getopt string (tmux(1)).
const tmuxCommands = `new-session new Ac:dDe:EF:f:n:Ps:t:x:Xy:
attach-session attach c:dEf:rt:x
new-window neww abc:de:F:kn:PSt:
split-window splitw bc:de:fF:hIl:p:Pt:vZ
respawn-pane respawnp c:e:kt:
respawn-window respawnw c:e:kt:
display-popup popup BCEb:c:d:e:h:s:S:t:T:w:x:y:
run-shell run bCc:d:t:
if-shell if bFt:
pipe-pane pipep IOot:
send-keys send c:FHKlMN:Rt:X
source-file source Fnqvt:
set-option set aFgopqst:uUwot:
set-window-option setw aFgoqt:u
set-hook - agpRt:uw
set-environment setenv Fghrt:u
bind-key bind nrN:T:
unbind-key unbind anqT:
capture-pane capturep ab:CeE:JMNpPqS:Tt:
save-buffer saveb ab:
load-buffer loadb b:t:w
show-buffer showb b:
set-buffer setb ab:n:t:w
paste-buffer pasteb db:prs:t:
kill-server - 
kill-session - aCt:
kill-window killw at:
kill-pane killp at:
display-message display aCc:d:F:INpt:vl
confirm-before confirm bc:p:t:y
command-prompt - 1bFkiI:Np:t:T:
wait-for wait LSU
list-sessions ls F:f:
list-windows lsw F:f:at:
list-panes lsp asF:f:t:
list-clients lsc F:t:
list-keys lsk 1aNP:T:
list-commands lscm F:
list-buffers lsb F:f:
has-session has t:
show-options show AgHpqst:vw
show-window-options showw gvt:
show-hooks - gpt:w
show-environment showenv hgst:
show-messages showmsgs JTt:
start-server start 
rename-session rename t:
rename-window renamew t:
select-window selectw lnpTt:
select-pane selectp DdegLlMmP:RT:t:UZ
resize-pane resizep DLMRTt:Ux:y:Z
resize-window resizew aADLRt:Ux:y:
select-layout selectl Enopt:
next-window next at:
previous-window prev at:
last-window last t:
last-pane lastp det:Z
swap-pane swapp dDs:t:UZ
swap-window swapw ds:t:
move-window movew abdkrs:t:
move-pane movep bdfhvp:l:s:t:
join-pane joinp bdfhvp:l:s:t:
break-pane breakp abdPF:n:s:t:
rotate-window rotatew Dt:UZ
switch-client switchc c:EFlnO:pt:rT:Z
detach-client detach aE:s:t:P
suspend-client suspendc t:
lock-server lock 
lock-session locks t:
lock-client lockc t:
refresh-client refresh A:B:cC:Df:r:F:lLRSt:U
clear-history clearhist Ht:
clear-prompt-history clearphist T:
delete-buffer deleteb b:
choose-tree - F:f:GK:NO:rst:wyZ
choose-buffer - F:f:K:NO:rt:yZ
choose-client - F:f:K:NO:rt:yZ
copy-mode - deHMs:t:uq
display-panes displayp bd:Nt:
display-menu menu c:t:x:y:T:O
customize-mode - F:f:Nt:Z
find-window findw CiNrt:TZ
link-window linkw abdks:t:
unlink-window unlinkw kt:
server-access - adlrw
show-prompt-history showphist T:`

// tmux reads the command sequence behind tmux's own options. Commands are
// separated by a word ";" or by one that ends with it.
func tmux(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	r.Runs = slices.DeleteFunc(r.Runs, func(run catalog.Run) bool { return site.SameWord(run.Text, "/dev/null") })
	words := m.Values("word")
	if len(words) == 0 {
		if !m.Has("code") && !m.Has("control") && !m.Has("done") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, Lang: "session"})
		}
		return
	}
	tmuxSequence(s, r, words, 0)
	if name, _ := tmuxResolve(words[0]); name == "send-keys" && len(r.Runs) == 1 && r.Runs[0].Kind == catalog.RunShell {
		m.BindPattern("typed", r.Runs[0].Text)
	}
}

// tmate is a tmux whose sessions are on a server, for whoever has their address
// (tmate(1)).
func tmate(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	tmux(m, s, r)
	words := m.Values("word")
	starts := len(words) == 0 && !m.Has("code") && !m.Has("done")
	for i := range words {
		if i > 0 && !strings.HasSuffix(words[i-1].Suffix(), ";") {
			continue
		}
		name, _ := tmuxResolve(words[i])
		starts = starts || name == "new-session"
	}
	if starts {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecRemote, Target: value.Lit("tmate"), Kind: risk.KindSharedShell})
	}
}

const maxTmuxDepth = 4

func tmuxSequence(s *catalog.Site, r *catalog.Result, words []value.Value, depth int) {
	var command []value.Value
	flush := func() {
		if len(command) > 0 {
			tmuxCommand(s, r, command, depth)
		}
		command = nil
	}
	for _, w := range words {
		text, known := w.Known()
		switch {
		case known && text == ";":
			flush()
		case known && strings.HasSuffix(text, ";") && !strings.HasSuffix(text, `\;`) && !tmuxTakesText(command):
			command = append(command, value.Lit(strings.TrimSuffix(text, ";")))
			flush()
		default:
			command = append(command, w)
		}
	}
	flush()
}

// tmuxTakesText reports whether the words so far belong to a command whose
// texts often end with a semicolon of their own; they stay whole, which can
// only show more.
func tmuxTakesText(command []value.Value) bool {
	return len(command) > 0 && (strings.HasPrefix(command[0].Prefix(), "run") || strings.HasPrefix(command[0].Prefix(), "if"))
}

// tmuxText reads a tmux command given as one text, as in bind-key or if-shell.
func tmuxText(s *catalog.Site, r *catalog.Result, text value.Value, depth int) {
	known, ok := text.Known()
	if depth > maxTmuxDepth || !ok {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "tmux", Text: text})
		return
	}
	var words []value.Value
	for _, w := range site.QuotedWords(known) {
		words = append(words, value.Lit(w))
	}
	tmuxSequence(s, r, words, depth+1)
}

// tmuxCommand says what one command with its arguments does.
func tmuxCommand(s *catalog.Site, r *catalog.Result, words []value.Value, depth int) {
	name, optstring := tmuxResolve(words[0])
	if name == "" {
		r.Unknowns = append(r.Unknowns, risk.Unknown{What: "tmux " + words[0].String(), Role: risk.RoleSubcommand})
		return
	}
	o := site.Getopt(words[1:], optstring)
	for _, v := range append(o.All, o.Rest...) {
		tmuxFormat(r, v)
	}
	switch name {
	case "new-session", "new-window", "split-window", "respawn-pane", "respawn-window", "display-popup":
		if strings.HasPrefix(name, "respawn-") && o.Has('k') { // what runs there is killed first
			e := catalog.Effect{Verb: risk.ProcSignal, Kind: tmuxKilled(name)}
			e.Target, _ = o.Value('t')
			r.Effects = append(r.Effects, e)
		}
		tmuxSpawn(r, name, o)
	case "attach-session":
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, Lang: "session"})
	case "run-shell":
		if o.Has('C') {
			tmuxText(s, r, site.JoinedWords(o.Rest), depth)
		} else if len(o.Rest) > 0 {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: o.Rest[0], Lang: "sh"})
		}
	case "pipe-pane":
		if len(o.Rest) > 0 {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: o.Rest[0], Lang: "sh"})
		}
	case "if-shell":
		for i, v := range o.Rest {
			if i == 0 && !o.Has('F') {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v, Lang: "sh"})
			} else if i > 0 {
				tmuxText(s, r, v, depth)
			}
		}
	case "send-keys":
		tmuxKeys(r, o)
	default:
		tmuxRest(s, r, name, o, depth)
	}
}

// tmuxSpawn runs a command in a new pane: one word is shell text, several are
// a command line.
func tmuxSpawn(r *catalog.Result, name string, o site.Options) {
	switch {
	case len(o.Rest) == 1:
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: o.Rest[0]})
	case len(o.Rest) > 1:
		r.Runs = append(r.Runs, catalog.Run{Argv: o.Rest})
	case name == "new-session" && !o.Has('d') || name == "display-popup":
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, Lang: "session"})
	}
}

// tmuxFormat runs the #(command) parts of a format.
func tmuxFormat(r *catalog.Result, v value.Value) {
	text, known := v.Known()
	if !known {
		return
	}
	for {
		_, after, found := strings.Cut(text, "#(")
		if !found {
			return
		}
		command, rest, _ := strings.Cut(after, ")")
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: value.Lit(command), Lang: "sh"})
		text = rest
	}
}

// tmuxKeys turns keys into the text that a shell in the pane would read.
func tmuxKeys(r *catalog.Result, o site.Options) {
	switch {
	case o.Has('X'):
		tmuxCopyMode(r, o.Rest)
		return
	case o.Has('M'):
		return
	case o.Has('H'), o.Has('K'): // as numbers, or for the client, whose bindings run commands
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Kind: risk.KindTypedIntoAWindow})
		return
	case !o.Has('l') && recalls(o.Rest):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Kind: risk.KindTypedIntoAWindow})
	}
	text, interrupts := typedKeys(o.Rest, o.Has('l'))
	switch {
	case !text.Empty():
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: text, As: risk.KindTypedIntoAWindow})
	case interrupts:
		e := catalog.Effect{Verb: risk.ProcSignal, Kind: risk.KindInterrupt}
		e.Target, _ = o.Value('t')
		r.Effects = append(r.Effects, e)
	}
}

// typedKeys joins keys; named keys that type nothing are left out.
func typedKeys(keys []value.Value, literal bool) (text value.Value, interrupts bool) {
	var b value.Builder
	typed := false
	for _, k := range keys {
		name, known := k.Known()
		switch {
		case literal || !known:
			b.Add(k)
			typed = true
		case name == "Enter" || name == "C-m" || name == "C-j" || name == "KPEnter":
			if typed {
				b.WriteString("\n")
			}
		case name == "Space":
			b.WriteString(" ")
		case name == "C-c" || name == "C-d" || name == "C-z" || name == `C-\`:
			interrupts = true
		case keyName(name):
		default:
			b.Add(k)
			typed = true
		}
	}
	if !typed {
		return value.Value{}, interrupts
	}
	v := b.Value()
	if s, ok := v.Known(); ok {
		v = value.Lit(strings.TrimSuffix(s, "\n")).With(v.Taint())
	}
	return v, interrupts
}

// keyName reports whether tmux reads a word as the name of a key.
func keyName(s string) bool {
	for _, prefix := range []string{"C-", "M-", "S-", "^"} {
		if rest, ok := strings.CutPrefix(s, prefix); ok && (len(rest) == 1 || keyName(rest)) {
			return true
		}
	}
	switch s {
	case "Up", "Down", "Left", "Right", "Escape", "Tab", "BTab", "BSpace", "Home", "End", "NPage", "PageDown", "PgDn", "PPage", "PageUp", "PgUp", "IC", "Insert", "DC", "Delete":
		return true
	}
	return len(s) > 1 && s[0] == 'F' && strings.Trim(s[1:], "0123456789") == ""
}

// tmuxResolve finds a command by its name, alias or unambiguous abbreviation.
func tmuxResolve(w value.Value) (name, optstring string) {
	word, known := w.Known()
	if !known || word == "" {
		return "", ""
	}
	count := 0
	for line := range strings.SplitSeq(tmuxCommands, "\n") {
		full, rest, _ := strings.Cut(line, " ")
		alias, opts, _ := strings.Cut(rest, " ")
		if word == full || word == alias {
			return full, opts
		}
		if strings.HasPrefix(full, word) {
			name, optstring = full, opts
			count++
		}
	}
	if count != 1 {
		return "", ""
	}
	return name, optstring
}

// tmuxKilled is what a command of tmux ends.
func tmuxKilled(command string) risk.Kind {
	switch command {
	case "kill-server":
		return risk.KindServer
	case "kill-session":
		return risk.KindSession
	case "kill-window", "respawn-window":
		return risk.KindWindow
	}
	return risk.KindPane
}
