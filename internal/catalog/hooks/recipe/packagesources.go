package recipe

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Another source of packages is a setting. A source without encryption, or
// whose certificate is not checked, lets whoever is on the way choose the code
// that will be installed: that takes a check away (pip documentation,
// "Configuration"; npm "config"; RubyGems "gem sources"; "go help environment").

// plainSource reports whether a URL of packages is fetched without encryption
// from elsewhere than this machine.
func plainSource(v value.Value) bool {
	return site.NetScheme(v) == "http" && !site.NetLoopback(site.NetHost(v))
}

const (
	plainSources      = risk.KindPackagesWithoutEncryption
	certificateChecks = risk.KindCertificateChecks
)

// pipConfig reads `pip config set KEY VALUE`.
func pipConfig(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	key, _ := m.Value("key")
	val, ok := m.Value("value")
	if !ok {
		return
	}
	name := lastAfter(key.String(), '.')
	switch name {
	case "trusted-host":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DefenseEvade, Target: val, Kind: certificateChecks})
	case "index-url", "extra-index-url", "find-links", "index", "proxy":
		for _, v := range val.Split(" ") {
			if plainSource(v) {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DefenseEvade, Target: v, Kind: plainSources})
			}
		}
	}
}

func lastAfter(s string, c byte) string { return s[strings.LastIndexByte(s, c)+1:] }

// sourceSettings reads KEY VALUE settings of package managers whose keys
// differ in spelling only.
func sourceSettings(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	words := m.Values("value")
	if v, ok := m.Value("key"); ok {
		words = append([]value.Value{v}, words...)
	}
	for i, w := range words {
		key := strings.ToLower(w.String())
		switch {
		case plainSource(w):
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DefenseEvade, Target: w, Kind: plainSources})
		case i+1 < len(words) && (key == "secure-http" || key == "ssl_verify" || key == "disable-tls" || strings.HasSuffix(key, "verify_ssl") || strings.HasSuffix(key, ".verify")):
			off := "false"
			if key == "disable-tls" {
				off = "true"
			}
			if strings.EqualFold(words[i+1].String(), off) || off == "false" && site.IsLiteral(words[i+1], "0") {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DefenseEvade, Target: w, Kind: certificateChecks})
			}
		}
	}
}

// gemSources reads the sources that are added.
func gemSources(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("add") {
		if plainSource(v) {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DefenseEvade, Target: v, Kind: plainSources})
		}
	}
}
