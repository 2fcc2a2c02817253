package approval

import (
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world/record"
)

// always lists the variables that decide what any command does: where programs
// and the account's files are, and what shells run at their start. Sources:
// POSIX.1-2024 "Environment Variables"; bash 5.2 "Bash Startup Files".
func always() []string {
	return []string{"PATH", "HOME", "USER", "TMPDIR", "CDPATH", "ENV", "BASH_ENV", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND", "ZDOTDIR"}
}

// Bounds of the search for names: bytes of text, and names.
const (
	maxText  = 4 << 20
	maxNames = 2048
)

// envFacts are the hashes of the variables that were read: those that always
// count, those whose names stand in the command or in a file that was read to
// be judged, those of the loader, and exported functions. Of a secret only that
// it is set counts; masked is the environment without what looks like one.
func envFacts(command string, answers []record.Answer, env, masked map[string]string) map[string]string {
	found := &names{env: env, set: map[string]bool{}}
	for _, name := range always() {
		found.set[name] = true
	}
	for name := range env {
		if strings.HasPrefix(name, "LD_") || strings.HasPrefix(name, "DYLD_") || strings.HasPrefix(name, "BASH_FUNC_") {
			found.set[name] = true
		}
	}
	found.in(command)
	for i := range answers {
		if text, ok := answers[i].Value.([]byte); ok {
			found.in(string(text))
		}
	}
	out := make(map[string]string, len(found.set))
	for name := range found.set {
		_, set := env[name]
		switch {
		case !set:
			out[name] = "unset"
		case value.CredentialName(name):
			out[name] = "set"
		default:
			out[name] = hash(masked[name])
		}
	}
	return out
}

// names collects the variables that texts name.
type names struct {
	env  map[string]string
	set  map[string]bool
	read int
}

// in looks through one text: a word that is the name of a variable counts, and
// so does one after a dollar sign that is none yet.
func (n *names) in(text string) {
	text = text[:min(len(text), maxText-n.read)]
	n.read += len(text)
	for i := 0; i < len(text) && len(n.set) < maxNames; {
		if !letter(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && (letter(text[i]) || text[i] >= '0' && text[i] <= '9') {
			i++
		}
		name := text[start:i]
		if _, set := n.env[name]; set || dollar(text[:start]) {
			n.set[name] = true
		}
	}
}

func letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// dollar reports whether a text ends with what begins a parameter: $, ${, ${#
// or ${!.
func dollar(text string) bool {
	text = strings.TrimRight(text, "!#")
	return strings.HasSuffix(strings.TrimSuffix(text, "{"), "$")
}
