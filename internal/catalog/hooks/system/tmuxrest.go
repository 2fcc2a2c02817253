package system

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// tmuxLooks are the commands of tmux that show, draw or arrange something, and do no
// more whatever their words are (tmux(1) 3.4).
const tmuxLooks = " list-sessions list-windows list-panes list-clients list-keys list-commands list-buffers has-session show-options show-window-options show-hooks show-messages " +
	"show-prompt-history clear-prompt-history start-server rename-session rename-window select-window select-pane select-layout resize-pane resize-window next-window previous-window " +
	"last-window last-pane swap-pane swap-window move-pane join-pane break-pane rotate-window switch-client refresh-client clear-history delete-buffer set-buffer copy-mode " +
	"display-message find-window suspend-client wait-for unbind-key customize-mode "

// tmuxRest holds the commands with plainer effects.
func tmuxRest(s *catalog.Site, r *catalog.Result, name string, o site.Options, depth int) {
	switch name {
	case "source-file":
		for _, f := range o.Rest {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "tmux", Text: f, Stdin: site.SameWord(f, "-")})
		}
	case "set-option", "set-window-option":
		tmuxOption(s, r, o, depth)
	case "set-hook", "bind-key":
		if name == "set-hook" && o.Has('R') { // runs it
			site.NotUnderstood(r, site.JoinedWords(append([]value.Value{value.Lit(name)}, o.Rest...)))
		}
		tmuxGiven(s, r, o.Rest[min(1, len(o.Rest)):], depth)
	case "confirm-before", "command-prompt", "choose-tree", "choose-buffer", "choose-client", "display-panes": // what a person answers comes into the command
		tmuxGiven(s, r, o.Rest, depth)
	case "display-menu":
		for words := o.Rest; len(words) > 0; { // a name, a key and a command each; a line has an empty name
			if n := 3; len(words) >= n && !words[0].Empty() {
				tmuxText(s, r, words[n-1], depth)
				words = words[n:]
			} else {
				words = words[1:]
			}
		}
	case "save-buffer":
		for _, f := range o.Rest {
			if !site.SameWord(f, "-") {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f})
			}
		}
	case "load-buffer":
		for _, f := range o.Rest {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f})
		}
	case "kill-server", "kill-session", "kill-window", "kill-pane":
		e := catalog.Effect{Verb: risk.ProcSignal, Kind: tmuxKilled(name), Many: name == "kill-server" || o.Has('a')}
		e.Target, _ = o.Value('t')
		r.Effects = append(r.Effects, e)
	case "link-window", "move-window", "unlink-window":
		if o.Has('k') { // what was there ends
			e := catalog.Effect{Verb: risk.ProcSignal, Kind: risk.KindWindow}
			e.Target, _ = o.Value('t')
			r.Effects = append(r.Effects, e)
		}
	default:
		tmuxMore(r, name, o)
	}
}

// tmuxGiven is a command of tmux that is given as one text, or as its words.
func tmuxGiven(s *catalog.Site, r *catalog.Result, words []value.Value, depth int) {
	switch {
	case len(words) > 1:
		tmuxSequence(s, r, words, depth+1)
	case len(words) == 1:
		tmuxText(s, r, words[0], depth)
	}
}

// tmuxMore holds the commands about clients, buffers and variables.
func tmuxMore(r *catalog.Result, name string, o site.Options) {
	switch name {
	case "capture-pane", "show-buffer":
		r.Prints = catalog.PrintsPrivate
	case "show-environment": // the server's and a session's, which were this one's
		if len(o.Rest) > 0 {
			site.ShowsVariables(r, o.Rest[0].String())
		} else {
			site.ShowsEnvironment(r)
		}
	case "detach-client":
		if v, given := o.Value('E'); given { // in its place
			site.RunText(r, v)
		}
		if o.Has('P') {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ProcSignal, Kind: risk.KindSession})
		}
	case "paste-buffer":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Kind: risk.KindTypedIntoAWindow})
	case "server-access":
		if !o.Has('l') {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PrivGain, Kind: risk.KindSharesTheSession})
		}
	case "set-environment":
		if !o.Has('u') && !o.Has('r') { // what is started in the session from here on obeys it
			site.NotUnderstood(r, site.JoinedWords(append([]value.Value{value.Lit(name)}, o.Rest...)))
		}
	default:
		if !strings.Contains(tmuxLooks, " "+name+" ") {
			site.NotUnderstood(r, site.JoinedWords(append([]value.Value{value.Lit(name)}, o.Rest...)))
		}
	}
}

// tmuxOptions say how windows look, are named and numbered, and how keys and the mouse are
// read (tmux(1), "OPTIONS"); those that end in a dash begin names.
const tmuxOptions = "status status- mouse mode-keys mode-style history-limit base-index pane-base-index renumber-windows escape-time default-terminal default-size terminal-overrides terminal-features " +
	"set-clipboard prefix prefix2 repeat-time display-time display-panes-time display-panes- focus-events monitor- visual- bell-action activity-action silence-action automatic-rename " +
	"automatic-rename-format allow-rename aggressive-resize window-status- window-style window-active-style window-size pane-border- pane-active-border-style message-style message-command-style message-limit " +
	"message-line clock-mode- main-pane- other-pane- remain-on-exit remain-on-exit-format synchronize-panes exit-empty exit-unattached detach-on-destroy destroy-unattached set-titles set-titles-string " +
	"word-separators wrap-search xterm-keys buffer-limit assume-paste-time extended-keys extended-keys-format lock-after-time cursor-style cursor-colour copy-mode- popup- menu- prompt-history-limit " +
	"fill-character scroll-on-clear alternate-screen pane-colours backspace key-table initial-repeat-time prompt-cursor-"

// tmuxOption sets an option: some are commands.
func tmuxOption(s *catalog.Site, r *catalog.Result, o site.Options, depth int) {
	if o.Has('u') || o.Has('U') || len(o.Rest) == 0 {
		return
	}
	name, known := o.Rest[0].Known()
	name, _, _ = strings.Cut(name, "[")
	switch {
	case strings.HasPrefix(name, "@") && known: // the user's own, of which formats are read already
	case len(o.Rest) > 1 && slices.Contains([]string{"default-command", "default-shell", "lock-command", "copy-command", "editor", "default-client-command"}, name):
		site.RunText(r, o.Rest[1])
	case name == "command-alias" && len(o.Rest) > 1:
		if _, command, ok := strings.Cut(o.Rest[1].Prefix(), "="); ok && o.Rest[1].IsKnown() {
			tmuxText(s, r, value.Lit(command), depth)
			return
		}
		site.NotUnderstood(r, o.Rest[1])
	case !known || !slices.ContainsFunc(strings.Fields(tmuxOptions), func(of string) bool {
		return name == of || strings.HasSuffix(of, "-") && strings.HasPrefix(name, of)
	}):
		site.NotUnderstood(r, site.JoinedWords(o.Rest))
	}
}

// tmuxCopyMode is a command of copy mode: those with "pipe" in their names hand what is
// copied to a command, the others move about and copy (tmux(1), "WINDOWS AND PANES").
func tmuxCopyMode(r *catalog.Result, words []value.Value) {
	if len(words) == 0 {
		return
	}
	name, known := words[0].Known()
	moves := []string{
		"append-selection", "back-to-indentation", "begin-selection", "bottom-line", "cancel", "clear-selection", "copy-end-of-line", "copy-line", "copy-selection", "cursor-", "end-of-line",
		"goto-line", "halfpage-", "history-", "jump-", "middle-line", "next-", "other-end", "page-", "previous-", "rectangle-", "refresh-from-pane", "scroll-", "search-", "select-line", "select-word",
		"set-mark", "start-of-line", "stop-selection", "toggle-position", "top-line",
	}
	switch {
	case strings.Contains(name, "pipe") && len(words) > 1:
		site.RunText(r, words[1])
	case known && strings.Contains(name, "pipe"): // to what the option copy-command says
	case !known || !slices.ContainsFunc(moves, func(of string) bool { return strings.HasPrefix(name, of) }):
		site.NotUnderstood(r, site.JoinedWords(words))
	}
}

// recalls reports whether keys bring a command of a shell's history back and run it (Bash
// manual, "Commands For Manipulating The History").
func recalls(keys []value.Value) bool {
	recalled := false
	for _, k := range keys {
		switch name, _ := k.Known(); name {
		case "Up", "PPage", "PageUp", "PgUp", "C-p", "C-r", "C-o", "M-p", "M-r", "M-.", "M-_", "M-<":
			recalled = true
		case "Enter", "C-m", "C-j", "KPEnter":
			if recalled {
				return true
			}
		}
	}
	return false
}
