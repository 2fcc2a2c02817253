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
const checkedWords = " verify verification tls ssl cert certs certificate certificates hostname hostnames signature signatures checksum checksums "

// slackWords take back what stands beside them, wherever they stand in a name.
const slackWords = " no skip without disable disabled ignore allow invalid untrusted unauthenticated unsigned "

// loosens reports whether an option by its name and the value that is attached to it turns
// off a check of who answers: --insecure-skip-tls-verify, --trusted-host, --tls-verify=false.
func loosens(option string) bool {
	name, val, _ := strings.Cut(strings.TrimLeft(option, "-"), "=")
	off := slices.Contains([]string{"false", "0", "no", "off", "never", "disable", "disabled"}, strings.ToLower(val))
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

// loose tells of a switch that turns such a check off, where all that is said is that a
// service somewhere else is asked.
func (r *Result) loose(m *Match) {
	if len(m.loosened) == 0 || r.Help || slices.ContainsFunc(r.Effects, func(e Effect) bool {
		return e.Verb != risk.RemoteRead && e.Verb != risk.DBRead && e.Verb != risk.FSRead
	}) {
		return
	}
	elsewhere := func(e Effect) bool {
		_, host, named := strings.Cut(e.Target.Prefix(), " at ") // a database
		return e.Verb == risk.RemoteRead || e.Verb == risk.DBRead && named && !strings.HasPrefix(host, "localhost") && !strings.HasPrefix(host, "127.")
	}
	if slices.ContainsFunc(r.Effects, elsewhere) {
		r.Effects = append(r.Effects, Effect{Verb: risk.ExecKnown, Target: value.Lit(m.loosened), Kind: risk.KindCheckTurnedOff})
	}
}
