package explain

import (
	"slices"
	"strings"
)

// shellOnly tells a command of which nothing is seen, since all that is printed becomes
// words of the shell: by what the shell does with it. It is "" where there is more to tell.
func (in *Input) shellOnly(at place) string {
	if len(in.Told) == 0 || in.Summary != "" && len(in.Programs) == 0 || slices.ContainsFunc(in.Acts, func(a Act) bool { return !a.Captured }) {
		return ""
	}
	var parts []string
	for _, t := range in.Told {
		text := t.Text
		if t.Dir != "" {
			text += " " + at.path(t.Dir)
		}
		if n := len(parts); n > 0 { // sets a, sets b: sets a, b
			verb, name, _ := strings.Cut(text, " ")
			if before, _, _ := strings.Cut(parts[n-1], " "); before == verb && (verb == "sets" || verb == "exports") && !strings.HasSuffix(parts[n-1], " "+name) {
				parts[n-1] += " and " + name
				continue
			}
		}
		if !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	if len(parts) > 1 {
		parts = slices.DeleteFunc(parts, func(p string) bool { return p == "does nothing" })
	}
	text := upper(inOrder(parts[:min(len(parts), 3)]))
	if len(parts) > 3 {
		text += ", and more of the kind"
	}
	if len(parts) == 1 && strings.HasPrefix(parts[0], "sets ") && !strings.Contains(parts[0], " to ") {
		if i := slices.IndexFunc(in.Acts, func(a Act) bool { return !a.Inner }); i >= 0 {
			text += " to what " + in.pipeline(i) + " prints"
			if e := in.Acts[i].Ends; e != nil && stops(e) != nil {
				text += ", which fails: " + why(e, at)
			}
		}
	}
	return Cut(Visible(text), maxSentence) + in.lasting()
}

// pipeline writes an act with those that take its output, one after the other, as a
// person would write them.
func (in *Input) pipeline(first int) string {
	text := in.Acts[first].command()
	for i := first + 1; i < len(in.Acts); i++ {
		a := &in.Acts[i]
		switch {
		case a.Inner:
			continue
		case !a.Fed || a.Parent != in.Acts[first].Parent:
			return text
		case len(text)+len(a.command()) > maxPipeline:
			return strings.TrimSuffix(text, "`") + " | …`"
		}
		text = strings.TrimSuffix(text, "`") + " | " + strings.TrimPrefix(a.command(), "`")
	}
	return text
}

// maxPipeline is how many bytes of a pipeline are shown whose output a variable takes.
const maxPipeline = 70

// lasting says how long what the shell does holds.
func (in *Input) lasting() string {
	for _, t := range in.Told {
		switch verb, _, _ := strings.Cut(t.Text, " "); verb {
		case "exports", "has":
			if verb == "has" {
				return "; it ends with this shell"
			}
			return "; programs that this shell starts see it"
		case "does":
			return ""
		case "sets", "changes", "makes", "defines", "goes", "fixes":
			return "; no file changes"
		}
	}
	return "; changes nothing"
}

// withShell are the acts with what the shell itself does between them that others go by or
// see: it looks for a program, or exports a variable.
func (in *Input) withShell() []Act {
	acts := in.Acts
	for i := range in.Told {
		t := &in.Told[i]
		says := t.Text
		if look, ok := strings.CutPrefix(says, "tells whether there is a command "); ok {
			program, _, _ := strings.Cut(look, ",")
			says = "looks whether there is a command " + program
		} else if !strings.HasPrefix(says, "exports ") {
			continue
		}
		at := slices.IndexFunc(acts, func(a Act) bool { return a.Span.Start >= t.Span.Start && !a.Shell })
		if at < 0 || slices.ContainsFunc(acts, func(a Act) bool {
			return a.Captured || a.Inner || a.Span.Start < t.Span.Start && a.Span.End > t.Span.Start
		}) {
			continue // behind the last act nobody sees it, and within another it is no statement
		}
		acts = slices.Insert(slices.Clone(acts), at, Act{Says: upper(says), Span: t.Span, Parent: -1, Shell: true})
		for k := range acts {
			if k > at && acts[k].Parent >= at {
				acts[k].Parent++
			}
		}
	}
	return acts
}
