package text

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// gpg says what its operands are, which depends on the one command that is
// among its options (gpg(1), "Commands").
func gpg(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") {
		return
	}
	for _, k := range m.Values("keyring") { // is made where there is none
		if s.Name != "gpgv" && (!k.IsKnown() || site.IsMissing(s, k)) {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: k})
		}
	}
	words := m.Operands()
	each := func(verb risk.Verb, detail risk.Kind) {
		for _, w := range words {
			r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: w, Kind: detail})
		}
		if len(words) == 0 {
			r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Kind: detail})
		}
	}
	keyring := catalog.Effect{Verb: risk.SysConfig, Kind: risk.KindKeyring}
	out, named := m.Value("out")
	switch {
	case m.Has("export-secret"):
		each(risk.SecretRead, risk.KindSecretKey)
		r.Prints = catalog.PrintsSecret
		if named {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: out, Kind: risk.KindSecretKey})
		}
	case m.Has("delete-secret"):
		each(risk.DBDestroy, risk.KindSecretKey)
	case m.Has("delete"):
		each(risk.DBChange, risk.KindPublicKey)
	case m.Has("receive"):
		each(risk.NetFetch, risk.KindKeyserver)
		r.Effects = append(r.Effects, keyring)
	case m.Has("send"):
		each(risk.NetSend, risk.KindPublicKey)
	case m.Has("import"):
		site.ShowFiles(r, words, false)
		r.ReadsStdin = r.ReadsStdin || len(words) == 0
		r.Effects = append(r.Effects, keyring)
	case m.Has("manage"):
		r.Effects = append(r.Effects, keyring)
	case m.Has("export"):
		if named {
			site.WriteFile(r, out, risk.KindPublicKey)
		}
	case m.Has("verify"), m.Has("list"):
		if m.Has("verify") {
			site.ShowFiles(r, words, false)
		}
	default:
		gpgFiles(m, r, words, out, named)
	}
}

// gpgFiles reads the operands of the commands that turn one file into another.
func gpgFiles(m *catalog.Match, r *catalog.Result, words []value.Value, out value.Value, named bool) {
	stdout := site.SameWord(out, "-")
	makes := m.Has("encrypt") || m.Has("sign") || m.Has("converts")
	if len(words) == 0 {
		r.ReadsStdin, r.ShowsStdin = true, !named || stdout
		if named && !stdout {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: out, Carries: []catalog.Source{{Stdin: true}}})
		}
		return
	}
	suffix := ".gpg"
	if m.Has("armor") {
		suffix = ".asc"
	} else if m.Has("sign") && !m.Has("encrypt") {
		suffix = ".sig"
	}
	for _, w := range words {
		site.ShowFiles(r, []value.Value{w}, !makes && !named || stdout)
		from := []catalog.Source{{Path: w}}
		switch {
		case stdout:
		case named:
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: out, Carries: from})
		case makes:
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: value.Concat(w, value.Lit(suffix)), Carries: from})
		}
	}
}

// gpgAgent tells which requests to a key agent ask something of it; others open
// files, run programs and change keys (gpg-connect-agent(1), "Control commands").
func gpgAgent(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, w := range m.Operands() {
		word, _, _ := strings.Cut(w.Prefix(), " ")
		switch strings.ToLower(word) {
		case "/bye", "/quit", "/help", "/hex", "/nohex", "/decode", "/nodecode", "/subst", "/nosubst", "/echo", "/history",
			"getinfo", "keyinfo", "help", "nop", "geteventcounter", "updatestartuptty", "reloadagent", "havekey":
		default:
			site.NotUnderstood(r, w)
		}
	}
}
