package mask

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/internal/value"
)

// minValue is the shortest secret that is taken out wherever it stands, in
// bytes: shorter ones are words like "1" or "none".
const minValue = 6

// A Masker knows the secrets of one command.
type Masker struct{ found []secret }

// A secret is a text that may not be kept, and what it is.
type secret struct{ value, kind string }

// A place is where commands give secrets to programs. Its pattern has a group
// called value and, if the name decides, one called name.
type place struct {
	kind    string
	guards  []string // in lower case; see shape
	pattern *once.Value[*regexp.Regexp]
}

// word is a word of a command, quoted or not.
const word = `(?:"(?P<value>[^"]*)"|'(?P<value>[^']*)'|(?P<value>[^\s;&|<>"'()]+))`

// places list them. Sources: RFC 9110 (Authorization), RFC 6265 (Cookie), curl(1)
// (-u, -H), sshpass(1), and mysql(1), whose -p takes its value attached.
func places() []place {
	return []place{
		{"assigned", []string{"="}, &assignment},
		{"option", []string{"--"}, &option},
		{"header", []string{"authorization", "api-key", "apikey", "-token", "cookie"}, &header},
		{"password", []string{"-u", "--user"}, &user},
		{"field", []string{":"}, &field},
		{"password", []string{"sshpass", "mysql", "mariadb"}, &attached},
	}
}

var (
	assignment = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp { return regexp.MustCompile(`(?P<name>[A-Za-z_][A-Za-z0-9_-]*)=` + word) }}
	option     = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[\s"'])--(?P<name>[A-Za-z][A-Za-z0-9_-]*)\s+` + word)
	}}
	header = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:proxy-)?(?:authorization|x-api-key|api-key|apikey|private-token|job-token|x-auth-token|x-vault-token|cookie)\s*:\s*(?:(?:bearer|basic|token|digest)\s+)?(?P<value>[^"'\s]+)`)
	}}
	user = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|\s)(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"'/]+:(?P<value>[^\s"'/][^\s"']*)`)
	}}
	field = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
		return regexp.MustCompile(`["'](?P<name>[A-Za-z_][A-Za-z0-9_-]*)\\?["']\s*:\s*\\?["'](?P<value>[^"'\\]+)`)
	}}
	attached = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:sshpass\s+-p\s*|(?:mysql|mysqldump|mysqladmin|mariadb)\b[^;|&\n]*?\s-p)` + word)
	}}
)

// For returns what takes the secrets of a command out of texts about it. env is
// the command's environment.
func For(command string, env map[string]string) *Masker {
	m := &Masker{}
	for name, text := range env {
		if len(text) >= minValue && value.CredentialName(name) {
			m.add(text, "environment")
		}
	}
	lower := strings.ToLower(command)
	for _, p := range places() {
		if containsAny(lower, p.guards) {
			m.search(command, &p)
		}
	}
	// A secret that holds another is taken out first. The order is the same each time.
	slices.SortFunc(m.found, func(a, b secret) int {
		return cmp.Or(cmp.Compare(len(b.value), len(a.value)), cmp.Compare(a.value, b.value), cmp.Compare(a.kind, b.kind))
	})
	return m
}

func (m *Masker) add(text, kind string) {
	if !slices.ContainsFunc(m.found, func(s secret) bool { return s.value == text }) {
		m.found = append(m.found, secret{text, kind})
	}
}

// search finds what a command gives to programs in one kind of place. Where the
// name says that it is no secret, there may be one in what follows the name, as
// in --from-literal=password=x.
func (m *Masker) search(command string, p *place) {
	re := p.pattern.Get()
	named := re.SubexpIndex("name")
	for at := 0; at < len(command); {
		found := re.FindStringSubmatchIndex(command[at:])
		if found == nil {
			return
		}
		next := at + max(found[1], 1)
		if named >= 0 && !credential(command[at+found[2*named]:at+found[2*named+1]]) {
			at += max(found[2*named+1], 1)
			continue
		}
		for i, name := range re.SubexpNames() {
			if name != "value" || found[2*i] < 0 {
				continue
			}
			if text := command[at+found[2*i] : at+found[2*i+1]]; secretText(text) && !(p.kind == "password" && group(text)) {
				m.add(text, p.kind)
			}
		}
		at = next
	}
}

// group reports whether what stands behind -u NAME: is the number of a group.
func group(text string) bool { return len(text) < minValue && strings.Trim(text, "0123456789") == "" }

// credential reports whether an option, a field or a variable holds a secret by
// its name.
func credential(name string) bool {
	return value.CredentialName(strings.ReplaceAll(name, "-", "_"))
}

// secretText reports whether a value can be a secret: one that the shell puts
// in later, and a name of a file, is none.
func secretText(text string) bool {
	return text != "" && !strings.HasPrefix(text, "$") && !strings.HasPrefix(text, "`") && !strings.HasPrefix(text, "@") && !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "<secret:")
}

// Text takes the secrets of the command, and what looks like one by its own
// shape, out of a text.
func (m *Masker) Text(text string) string {
	for _, s := range m.found {
		text = replace(text, s)
	}
	return Text(text)
}

// replace takes one secret out. A short one is taken out only where it is a
// whole word.
func replace(text string, s secret) string {
	if !strings.Contains(text, s.value) {
		return text
	}
	if len(s.value) >= minValue {
		return strings.ReplaceAll(text, s.value, Placeholder(s.kind))
	}
	var b strings.Builder
	for rest, before := text, byte(' '); ; {
		at := strings.Index(rest, s.value)
		if at < 0 {
			b.WriteString(rest)
			return b.String()
		}
		end := at + len(s.value)
		if at > 0 {
			before = rest[at-1]
		}
		if wordByte(before) || end < len(rest) && wordByte(rest[end]) {
			b.WriteString(rest[:end])
		} else {
			b.WriteString(rest[:at] + Placeholder(s.kind))
		}
		before, rest = rest[end-1], rest[end:]
	}
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

// Masks reports whether a text holds a secret.
func (m *Masker) Masks(text string) bool { return m.Text(text) != text }
