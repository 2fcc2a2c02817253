package flow

import (
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// ToFile records a secret that ends up in a file.
func (sc *Scene) ToFile(st *shell.State, span risk.Span, target, content value.Value) {
	if content.Taint().Has(value.Secret | value.Credential) {
		p := sc.Place(st, target, true)
		if p.Scope == risk.IsNull || p.Scope == risk.IsSecret {
			return
		}
		if unset(target) { // no file
			p.Path = target.String()
		}
		sc.Effect(st, span, risk.Effect{Verb: risk.SecretRead, Target: p.Path, Kind: risk.KindCopiedToAFile, Source: sc.SecretName(content)})
	}
}

// Show records a secret that is printed where a person, or an agent, reads it.
func (sc *Scene) Show(st *shell.State, span risk.Span, content value.Value) {
	if content.Taint().Has(value.Secret | value.Credential) {
		sc.Effect(st, span, risk.Effect{Verb: risk.SecretRead, Target: sc.SecretName(content).String(), Scope: risk.IsSecret, Kind: risk.KindShown})
	}
}

// ToNet records a secret that leaves the machine.
func (sc *Scene) ToNet(st *shell.State, span risk.Span, e risk.Effect, t value.Taint, from risk.Source) {
	if t.Has(value.Secret | value.Private | value.Credential) {
		e.Verb, e.Source, e.Kind = risk.SecretSend, from, risk.NoKind
		if !t.Has(value.Secret | value.Credential) {
			e.Kind = risk.KindPrivate
		}
		sc.Effect(st, span, e)
	}
}

// spelledOut finds a variable with a credential in the address of a machine, or
// in the path of what is asked of it: whoever reads its logs or answers for its
// name can read the credential there. As the password of a URL, or in a
// parameter that is made for it, it is used as one.
func spelledOut(address value.Value) (variable string, ok bool) {
	parts := address.Parts()
	if !address.Taint().Has(value.Credential) || len(parts) < 2 { // the whole address is a secret: who has it, may use it
		return "", false
	}
	before := ""
	for i, p := range parts {
		if p.Hole == nil {
			before += p.Lit
			continue
		}
		if value.CredentialName(p.Hole.Name) && !asPassword(parts[i+1:]) && !asParameter(before) {
			return p.Hole.Name, true
		}
		before += "$"
	}
	return "", false
}

// asPassword reports whether what stands before is the user information of a URL
// (RFC 3986, 3.2.1).
func asPassword(rest []value.Part) bool {
	for _, p := range rest {
		if p.Hole != nil {
			continue
		}
		if i := strings.IndexAny(p.Lit, "@/?#"); i >= 0 {
			return p.Lit[i] == '@'
		}
	}
	return false
}

// asParameter reports whether a query ends with the name of a parameter that takes
// a credential.
func asParameter(query string) bool {
	name, ok := strings.CutSuffix(query[strings.LastIndexAny(query, "?&")+1:], "=")
	return ok && value.CredentialParameter(name)
}
