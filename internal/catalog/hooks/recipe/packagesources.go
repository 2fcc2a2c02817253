package recipe

import (
	"slices"
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

// publicRegistry reports whether a host is where a package manager asks by
// itself: "npm config" and "yarn config" of registry, pip's --index-url, "gem
// sources", and conda's default_channels and channel_alias.
func publicRegistry(host string) bool {
	switch host {
	case "registry.npmjs.org", "registry.yarnpkg.com",
		"pypi.org", "test.pypi.org", "files.pythonhosted.org",
		"rubygems.org", "index.rubygems.org",
		"conda.anaconda.org", "repo.anaconda.com",
		"index.crates.io":
		return true
	}
	return false
}

// otherRegistry reads where a question about packages goes to, in place of the
// public registry or beside it. Whoever is asked learns what is asked for, and
// many managers send what the settings hold for that host.
func otherRegistry(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	asks := slices.ContainsFunc(r.Effects, func(e catalog.Effect) bool { return e.Verb == risk.RemoteRead })
	if !asks {
		return
	}
	for _, list := range m.Values("registry") {
		for _, v := range list.Split(",") {
			if i := strings.IndexByte(v.Prefix(), '='); i >= 0 && strings.Contains(v.Prefix()[i:], "://") && !strings.Contains(v.Prefix()[:i], "://") {
				v = v.Cut(i + 1) // uv's --index NAME=URL
			}
			scheme, host := site.NetScheme(v), site.NetHost(v)
			switch {
			case v.IsKnown() && (scheme == "" || scheme == "file"), scheme != "" && publicRegistry(host):
			default:
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: v})
			}
		}
	}
}
