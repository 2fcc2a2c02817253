package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// maxConsequences bounds each list.
const maxConsequences = 8

// Consequences lists what follows if the command runs: directly, from its
// effects, and indirectly, from what those make possible.
func Consequences(in Input) risk.Consequences {
	c := risk.Consequences{Direct: []string{}, Indirect: []string{}}
	at := place{in.Dir, in.Home}
	add := func(list *[]string, s string) {
		if s != "" && len(*list) < maxConsequences && !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for _, band := range []risk.Band{risk.BandReview, risk.BandCautionB, risk.BandCautionA} {
		for i := range in.Effects {
			if in.Bands[i] == band {
				e := &in.Effects[i]
				add(&c.Direct, finish(withVia(orElse(in.said(e, at), phrase(e, at)), e)))
				add(&c.Indirect, indirect(e))
			}
		}
	}
	return c
}

// indirect says what an effect makes possible later.
func indirect(e *risk.Effect) string {
	switch e.Verb {
	case risk.ExecRemote, risk.ExecUnknown, risk.ExecProject:
		return "What it runs can do anything that you can do here."
	case risk.PkgInstall:
		return "Install scripts of the packages, and of what they depend on, can run code."
	case risk.SecretRead, risk.SecretSend:
		return "Whoever sees the secret can use it until it is changed."
	case risk.VCSForce:
		return "Others who have the old history must repair their branches."
	case risk.PersistAdd:
		return "It goes on after this session ends."
	case risk.AgentConfig:
		return "The agent may then do more without asking."
	case risk.FSWrite:
		switch e.Scope {
		case risk.IsStartup:
			return "It takes effect at the next login, commit or schedule."
		case risk.IsAgentConfig:
			return "The agent may then do more without asking."
		}
	case risk.VCSPush, risk.PkgPublish:
		return "Others can fetch it at once; taking it back does not take it from them."
	}
	return ""
}

// Safer proposes commands that reach the same aim with less at stake. The
// caller assesses them and drops any that is judged higher.
func Safer(command string, effects []risk.Effect) []risk.Safer {
	var out []risk.Safer
	add := func(c, why string) {
		if c != "" && c != command && !slices.ContainsFunc(out, func(s risk.Safer) bool { return s.Command == c }) {
			out = append(out, risk.Safer{Command: c, Why: why})
		}
	}
	for i := range effects {
		e := &effects[i]
		if e.Tier < risk.Review {
			continue
		}
		switch {
		case e.Reached.Kind == risk.IfMissing:
			add(chainCD(command), "stops if the directory does not exist")
		case e.Verb == risk.VCSForce && e.Kind == risk.NoKind:
			add(replaceWord(command, []string{"--force", "-f"}, "--force-with-lease"), "refuses if the remote has commits you have not seen")
		case e.Verb == risk.VCSDiscard && (e.Kind == risk.KindUntracked || e.Kind == risk.KindIgnored || e.Kind == risk.KindUntrackedAndIgnored):
			add("git clean -nd", "only lists what would be deleted")
		case e.Verb == risk.VCSDiscard && (e.Kind == risk.KindWorktree || e.Kind == risk.KindPath):
			add("git stash push --include-untracked", "keeps the changes where they can be brought back")
		case e.Verb == risk.FSDelete && e.Cause == risk.CauseUnset && strings.HasPrefix(e.Unresolved, "$"):
			add(demand(command, strings.TrimPrefix(e.Unresolved, "$")), "stops if the variable is empty or not set")
		}
	}
	return out
}

// chainCD joins the `cd` and what follows it by && instead of ; or a newline.
func chainCD(command string) string {
	i := strings.Index(command, "cd ")
	if i < 0 {
		return ""
	}
	rest := command[i:]
	j := strings.IndexAny(rest, ";\n")
	if j < 0 || strings.ContainsAny(rest[:j], "&|'\"`$(") {
		return ""
	}
	return command[:i] + strings.TrimSpace(rest[:j]) + " && " + strings.TrimSpace(rest[j+1:])
}

// replaceWord replaces the first of words that stands alone.
func replaceWord(command string, words []string, with string) string {
	fields := strings.Split(command, " ")
	for i, f := range fields {
		if slices.Contains(words, f) {
			fields[i] = with
			return strings.Join(fields, " ")
		}
	}
	return ""
}

// demand writes $name and ${name} as ${name:?}, wherever they stand.
func demand(command, name string) string {
	if name == "" || strings.Contains(command, "'") { // in single quotes it would be text
		return ""
	}
	with := "${" + name + ":?}"
	var b strings.Builder
	for rest := strings.ReplaceAll(command, "${"+name+"}", with); rest != ""; {
		i := strings.Index(rest, "$"+name)
		if i < 0 {
			b.WriteString(rest)
			break
		}
		end := i + 1 + len(name)
		b.WriteString(rest[:i])
		if end < len(rest) && isNameByte(rest[end]) { // $NAME2 is another variable
			b.WriteString(rest[i:end])
		} else {
			b.WriteString(with)
		}
		rest = rest[end:]
	}
	return b.String()
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
