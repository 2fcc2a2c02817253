package flow

import (
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
		sc.Effect(st, span, risk.Effect{Verb: risk.SecretRead, Target: p.Path, Kind: risk.KindCopiedToAFile, Source: sc.SecretName(content)})
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
