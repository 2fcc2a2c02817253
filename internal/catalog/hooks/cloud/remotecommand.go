package cloud

import (
	"encoding/json"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// remoteCommand runs, on the machines of "host", what the values of the options
// "--parameters" and "--scripts" hold: parameters of a document as
// `commands=TEXT`, `commands=["TEXT",…]` or JSON (AWS CLI, "Using shorthand
// syntax"), and lines of a script (`az vm run-command invoke`). What cannot be
// read here changes the machines in some way.
func remoteCommand(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	host, _ := m.Value("host")
	wrap := catalog.Wrapped{Label: strings.Join(m.Path(), " "), Host: "remote"}
	if !host.Empty() {
		wrap.Host = host.String()
		wrap.Label += " " + wrap.Host
	}
	texts := valuesOf(s, "--scripts")
	for _, v := range valuesOf(s, "--parameters") {
		texts = append(texts, parameterTexts(v)...)
	}
	ran := false
	for _, text := range texts {
		if file, ok := strings.CutPrefix(text.Prefix(), "@"); ok && text.IsKnown() {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "sh", Text: value.Lit(file), Wrap: wrap})
		} else {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: text, Wrap: wrap})
		}
		ran = true
	}
	verb := risk.RemoteChange
	if ran {
		verb = risk.NetConnect
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: host})
}

// valuesOf are the words that follow an option up to the next one: some clients
// take several.
func valuesOf(s *catalog.Site, option string) (all []value.Value) {
	inside := false
	for _, a := range s.Args {
		text := a.Prefix()
		switch {
		case text == option:
			inside = true
		case strings.HasPrefix(text, option+"="):
			inside = true
			all = append(all, a.Cut(len(option)+1))
		case strings.HasPrefix(text, "--"):
			inside = false
		case inside:
			all = append(all, a)
		}
	}
	return all
}

// parameterTexts are the command lines in the value of --parameters.
func parameterTexts(v value.Value) []value.Value {
	text, known := v.Known()
	if known && strings.HasPrefix(strings.TrimSpace(text), "{") {
		var named map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &named) != nil {
			return nil
		}
		return append(listed(string(named["commands"])), listed(string(named["command"]))...)
	}
	for _, name := range []string{"commands=", "command="} {
		if strings.HasPrefix(v.Prefix(), name) {
			rest := v.Cut(len(name))
			if text, known := rest.Known(); known && strings.HasPrefix(text, "[") {
				return listed(text)
			}
			return []value.Value{rest}
		}
	}
	return nil
}

// listed are the texts of a JSON list, or of one alone; a list of shorthand
// may have its words bare, between commas.
func listed(text string) (all []value.Value) {
	var many []string
	var one string
	switch {
	case text == "":
	case json.Unmarshal([]byte(text), &many) == nil:
		for _, t := range many {
			all = append(all, value.Lit(t))
		}
	case json.Unmarshal([]byte(text), &one) == nil:
		all = append(all, value.Lit(one))
	default:
		for t := range strings.SplitSeq(strings.Trim(text, "[]"), ",") {
			all = append(all, value.Lit(strings.Trim(t, " '\"")))
		}
	}
	return all
}
