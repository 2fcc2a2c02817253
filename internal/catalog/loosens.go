package catalog

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A client that only asks a service passes without a question because it is a known one
// that asks a known service. A switch that has it no longer look at who answers takes that
// away: whoever stands between gets the credentials, and says what is shown. The names of
// such switches are alike in all programs.

// checkedWords are what is checked of a service, or by what.
const checkedWords = " verify verification tls ssl sslmode pgsslmode encrypt cert certs certificate certificates hostname hostnames signature signatures checksum checksums "

// slackWords take back what stands beside them, wherever they stand in a name.
const slackWords = " no skip trust without disable disabled ignore allow invalid untrusted unauthenticated unsigned "

// loosens reports whether an option by its name and the value that is attached to it turns
// off a check of who answers: --insecure-skip-tls-verify, --trusted-host, --tls-verify=false.
func loosens(option string) bool {
	name, val, _ := strings.Cut(strings.TrimLeft(option, "-"), "=")
	if !tellsOfChecks(name) {
		return false
	}
	off := slices.Contains([]string{"false", "0", "no", "off", "never", "disable", "disabled", "skip-verify", "allow"}, strings.ToLower(val))
	words := wordsOf(camelPieces(name))
	has := func(list string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(list, " "+w+" ") })
	}
	switch {
	case has(" insecure plaintext trusted "), has(slackWords) && has(checkedWords):
		return !off
	}
	return has(checkedWords) && off
}

// tellsOfChecks reports whether a name can have one of the words that loosens looks for, at
// the cost of a glance at its letters.
func tellsOfChecks(name string) bool {
	for i := 0; i+2 < len(name); i++ {
		switch strings.ToLower(name[i : i+3]) {
		case "ver", "tls", "ssl", "enc", "cer", "hos", "sig", "che", "ins", "pla", "tru":
			return true
		}
	}
	return false
}

// loose tells of a switch that turns such a check off, where all that is said is that a
// service somewhere else is asked.
func (r *Result) loose(m *Match, s *Site) {
	elsewhere := false
	for i := range r.Effects {
		switch e := &r.Effects[i]; e.Verb {
		case risk.RemoteRead:
			elsewhere = true
		case risk.DBRead:
			_, host, named := strings.Cut(e.Target.Prefix(), " at ")
			elsewhere = elsewhere || named && !strings.HasPrefix(host, "localhost") && !strings.HasPrefix(host, "127.")
		case risk.FSRead:
		default:
			return
		}
	}
	if !elsewhere || r.Help {
		return
	}
	if m.loosened == "" {
		m.loosened = m.loosenedWithin(s)
	}
	if m.loosened != "" {
		r.Effects = append(r.Effects, Effect{Verb: risk.ExecKnown, Target: value.Lit(m.loosened), Kind: risk.KindCheckTurnedOff})
	}
}

// loosenedWithin is the parameter of a connection string among the words, or the variable
// that the command sets, that turns such a check off: sslmode=disable,
// tlsAllowInvalidCertificates=true, PGSSLMODE=allow.
func (m *Match) loosenedWithin(s *Site) string {
	for i := range m.Args {
		for _, pair := range pairsOf(m.Args[i].Value.Prefix()) {
			if loosens(pair) {
				name, _, _ := strings.Cut(pair, "=")
				return name
			}
		}
	}
	for i := range m.Program.Settings {
		e := &m.Program.Settings[i]
		for name := range strings.FieldsSeq(e.Env) {
			if s.Env == nil || strings.HasSuffix(name, "*") {
				continue
			}
			if v, set, changed := s.Env(name); set && changed && loosens(name+"="+v.Prefix()) {
				return "$" + name
			}
		}
	}
	return ""
}

// pairsOf are the parameters of a connection string: those of a URI, or keywords with
// their values where one of them names a server.
func pairsOf(text string) []string {
	if _, rest, is := strings.Cut(text, "://"); is {
		_, query, _ := strings.Cut(rest, "?")
		return strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' })
	}
	lower := strings.ToLower(text)
	if !strings.Contains(lower, "host=") && !strings.Contains(lower, "server=") && !strings.Contains(lower, "data source=") && !strings.Contains(lower, "hostaddr=") {
		return nil
	}
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ';' })
}
