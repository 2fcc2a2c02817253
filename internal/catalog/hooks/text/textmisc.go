package text

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// clipboard tells the programs and options that print the clipboard from
// those that fill it (xclip(1), xsel(1), wl-paste(1), pbpaste(1)).
func clipboard(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	prints := strings.Contains(s.Name, "paste") || strings.HasSuffix(s.Name, "-get")
	short := s.Name == "xclip" || s.Name == "xsel"
	for _, w := range s.Args {
		text := w.Prefix()
		switch {
		case short && (text == "-o" || text == "-out" || text == "--output"):
			prints = true
		case s.Name == "xsel" && len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.Contains(text, "o"):
			prints = true
		}
	}
	if prints {
		r.Prints = catalog.PrintsPrivate
		return
	}
	r.ReadsStdin = r.ReadsStdin || len(m.Operands()) == 0
}

// dc looks for ! outside strings, which runs the rest of the line, unless a
// comparison follows it (GNU dc 1.4).
func dc(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	texts := m.Values("expression")
	if s.HasStdin && len(texts) == 0 {
		r.ReadsStdin = true
		texts = append(texts, s.Stdin)
	}
	for _, v := range texts {
		p := site.NewProgram(v)
		for i := 0; i < len(p.Text); i++ {
			if p.Text[i] != '!' {
				continue
			}
			if i+1 < len(p.Text) && strings.IndexByte("<>=", p.Text[i+1]) >= 0 {
				continue
			}
			end := strings.IndexByte(p.Text[i:], '\n')
			if end < 0 {
				end = len(p.Text) - i
			}
			site.RunText(r, p.Slice(i+1, i+end))
			i += end
		}
	}
}

// fzf reads the actions of --bind that run commands: execute, reload, become,
// preview, transform (fzf(1), "Key/Event bindings").
func fzf(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if m.Has("setup") {
		r.Prints = catalog.PrintsSetup
	}
	for _, v := range m.Values("bindings") {
		p := site.NewProgram(v)
		fzfUnlisted(p, r)
		for _, action := range []string{"execute", "execute-silent", "reload", "reload-sync", "become", "preview", "transform"} {
			fzfAction(p, action, r)
		}
	}
	for i := range r.Runs {
		if r.Runs[i].Kind == catalog.RunShell {
			r.Runs[i].Text = fzfFilled(r.Runs[i].Text)
		}
	}
}

// fzfFilled puts what is picked in for the placeholders of a command: {}, {+}, {q},
// {2..} (fzf(1), "preview window"). A backslash before one keeps it as it is.
func fzfFilled(command value.Value) value.Value {
	p := site.NewProgram(command)
	var parts []value.Value
	from := 0
	for i := 0; i < len(p.Text); i++ {
		if p.Text[i] != '{' || i > 0 && (p.Text[i-1] == '\\' || p.Text[i-1] == '$') {
			continue
		}
		end := strings.IndexByte(p.Text[i:], '}')
		if end < 0 {
			break
		}
		if strings.Trim(p.Text[i+1:i+end], "+*sfrnq0123456789,.-") == "" {
			parts = append(parts, p.Slice(from, i), value.Of(value.Hole{Cause: risk.CauseInput, Name: "fzf", Written: p.Text[i : i+end+1]})) // quoted for the shell
			from = i + end + 1
		}
		i += end
	}
	if from == 0 {
		return command
	}
	return value.Concat(append(parts, p.Slice(from, len(p.Text)))...).With(command.Taint())
}

// fzfUnlisted takes the words of each action in brackets for a command, unless the action is
// known to put them on the screen, to move or to change keys (fzf(1), "Available Actions").
func fzfUnlisted(p site.Program, r *catalog.Result) {
	const shows = " change-border-label change-footer change-footer-label change-ghost change-header change-header-label change-header-lines change-info change-input-label change-list-label change-multi change-nth change-pointer " +
		"change-preview-label change-preview-window change-prompt change-query pos print put rebind search show-header toggle-bind trigger unbind exclude-multi " +
		"execute execute-silent reload reload-sync become preview transform " // the last are read already
	for i := 0; i < len(p.Text); i++ {
		from := i
		for i < len(p.Text) && (site.WordByte(p.Text[i]) || p.Text[i] == '-') {
			i++
		}
		if i == from || i >= len(p.Text) || strings.IndexByte("([{<~!@|", p.Text[i]) < 0 {
			continue
		}
		if name := p.Text[from:i]; !strings.Contains(shows, " "+name+" ") {
			site.RunText(r, p.Slice(i+1, max(i+1, len(p.Text)-1)))
		}
	}
	// transform-prompt:…, change-preview:…: the rest is the command.
	_, command, found := strings.Cut(p.Text, "change-preview:")
	if _, action, ok := strings.Cut(p.Text, "transform-"); ok && !found {
		_, command, found = strings.Cut(action, ":")
	}
	if found {
		site.RunText(r, p.Slice(len(p.Text)-len(command), len(p.Text)))
	}
}

// fzfAction finds ACTION(…), in any of the brackets that fzf takes, or ACTION:….
func fzfAction(p site.Program, action string, r *catalog.Result) {
	for from := 0; from < len(p.Text); {
		i := strings.Index(p.Text[from:], action)
		if i < 0 {
			return
		}
		at := from + i + len(action)
		from = at
		if at >= len(p.Text) {
			return
		}
		open := p.Text[at]
		closing, ok := map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>', '~': '~', '!': '!', '@': '@', '/': '/', '|': '|', ':': 0}[open]
		if !ok {
			continue
		}
		end := len(p.Text)
		if j := strings.LastIndexByte(p.Text[at+1:], closing); closing != 0 && j >= 0 {
			end = at + 1 + j
		}
		site.RunText(r, p.Slice(at+1, end))
		from = end
	}
}
