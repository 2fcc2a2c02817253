package git

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// What a subcommand that talks to another repository sends there: the words of
// its addresses, refs and headers, if they hold what was read elsewhere.

// sinks tells of data in the words of a subcommand that connects.
func (g *gitCall) sinks() {
	if !g.connects() {
		return
	}
	var words []value.Value
	switch {
	case g.sub == "remote" && (g.second() == "add" || g.second() == "set-url"):
		words = g.m.Operands()[min(1, len(g.m.Operands())):]
	case g.sub == "remote" && !g.remoteConnects(), g.sub == "push", g.sub == "bundle", g.sub == "submodule" && g.second() != "add",
		g.sub == "archive" && !g.m.Has("repository"):
	case g.sub == "request-pull":
		if words = g.m.Operands(); len(words) > 1 {
			g.connect(words[1:2])
		}
	default:
		words = g.m.Operands()
	}
	words = append(append(words, g.m.Values("repository")...), g.m.Values("server-option")...)
	words = append(words, g.m.Values("negotiation-tip")...)
	if g.m.Has("stdin") || slices.ContainsFunc(g.rest, func(v value.Value) bool { return v.Prefix() == "--stdin" }) {
		words = append(words, g.s.Stdin)
	}
	if g.sub == "push" || g.sub == "send-pack" {
		words = append(g.m.Operands(), g.m.Values("push-option")...)
	}
	for _, w := range words {
		g.sink(w)
	}
	for _, c := range g.settingsGiven() {
		if section, _, _ := gitKey(c.key); section == "http" || section == "url" || section == "remote" || c.key == "" {
			g.sink(c.value)
		}
	}
}

// sink says that a word is sent, if it holds data.
func (g *gitCall) sink(v value.Value) {
	if carriesData(v) {
		g.effect(risk.NetSend, v, risk.NoKind)
	}
}

// carriesData reports whether a word holds what was read of a file, of a program
// or of a person, or what nobody knows. Names that git itself listed are none,
// nor is a password in its place in a URL.
func carriesData(v value.Value) bool {
	if v.Taint().Has(value.Secret | value.Outside | value.Untrusted | value.Input) {
		return !asPassword(v)
	}
	parts := v.Parts()
	for i, p := range parts {
		if p.Hole == nil || len(p.Hole.OneOf) > 0 || p.Hole.Shape == value.Number || p.Hole.Lists.Of == value.OfRefs {
			continue
		}
		if i+1 < len(parts) && parts[i+1].Hole == nil && strings.HasPrefix(parts[i+1].Lit, "@") {
			continue
		}
		switch p.Hole.Cause {
		case risk.CauseUnset, risk.CauseMatch, risk.CausePlaceholder, risk.CauseWord:
		case risk.CauseUnknown, risk.CauseGiven:
			if !value.CredentialName(p.Hole.Name) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// asPassword reports whether all that is not known of an address is the user and
// password in it (RFC 3986, 3.2.1).
func asPassword(v value.Value) bool {
	parts := v.Parts()
	holes := 0
	for i, p := range parts {
		if p.Hole == nil {
			continue
		}
		if holes++; i+1 >= len(parts) || parts[i+1].Hole != nil || !strings.HasPrefix(parts[i+1].Lit, "@") {
			return false
		}
	}
	return holes > 0
}

// lists says that what is printed are names and ids that git keeps.
func (g *gitCall) lists() {
	switch g.sub {
	case "branch", "tag", "show-ref", "rev-parse", "rev-list", "symbolic-ref", "describe", "name-rev", "merge-base", "ls-remote", "for-each-ref", "remote", "worktree":
	case "config":
		if len(g.m.Operands()) == 0 {
			return
		}
		for _, w := range g.m.Operands() {
			if text, _ := w.Known(); !strings.HasPrefix(text, "remote.") && !strings.HasPrefix(text, "branch.") && text != "get" || g.m.Has("file") {
				return
			}
		}
	case "log", "show":
		if !g.onlyIDs() {
			return
		}
	default:
		return
	}
	for _, v := range g.rest {
		text := v.Prefix()
		if strings.Contains(text, "content") || strings.Contains(text, "subject") || strings.Contains(text, "body") || text == "--sq-quote" || text == "--parseopt" ||
			(text == "-v" || text == "-vv" || text == "--verbose" || strings.HasPrefix(text, "-n")) && (g.sub == "branch" || g.sub == "tag") || text == "--annotate-stdin" || text == "--stdin" {
			return
		}
	}
	g.r.Lists = value.Listing{Of: value.OfRefs}
}

// onlyIDs reports whether a format prints ids, names of refs and dates only
// (git-log(1), "PRETTY FORMATS").
func (g *gitCall) onlyIDs() bool {
	for _, v := range g.rest {
		text, known := v.Known()
		format, ok := strings.CutPrefix(text, "--format=")
		if !ok {
			format, ok = strings.CutPrefix(text, "--pretty=format:")
		}
		if !ok || !known || g.m.Has("patch") {
			continue
		}
		for _, f := range []string{"%H", "%h", "%T", "%P", "%p", "%D", "%d", "%S", "%ct", "%at", "%cs", "%as"} {
			format = strings.ReplaceAll(format, f, "")
		}
		return strings.Trim(format, " ,:;|/") == ""
	}
	return false
}
