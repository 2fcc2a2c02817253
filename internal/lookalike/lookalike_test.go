package lookalike_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/lookalike"
)

func TestPackage(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"pypi requests": "", "pypi reqeusts": "requests", "pypi requests==2.31": "", "pypi reqests>=2": "requests", "pypi Requests[socks]": "",
		"pypi python_dateutil": "", "pypi python-dateutils": "python-dateutil", "pypi psycopg2": "", "pypi boto": "", "pypi mycompany-tools": "",
		"pypi urllib4": "", "pypi rich": "", "pypi numpyy": "numpy", "pypi discord-py": "", "pypi ./dist/x.whl": "",
		"npm lodash": "", "npm lodahs": "lodash", "npm lodash@4": "", "npm preact": "", "npm @acme/lodahs": "", "npm exprss": "express", "npm react19": "",
		"npm crossenv": "cross-env", "npm chalk": "", "npm vue": "", "npm next": "",
		"crates serde": "", "crates serd": "", "crates serde-json": "", "crates tokioo": "tokio", "crates reqwset": "reqwest",
		"gems rials": "rails", "gems rails": "", "gems nokogiry": "nokogiri",
		"images nginx:1.27": "", "images ngnix": "nginx", "images library/ubunto:24.04": "ubuntu", "images me/ngnix": "",
	} {
		registry, p, _ := strings.Cut(name, " ")
		if got := lookalike.Package(registry, p); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestHost(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"github.com": "", "api.github.com": "", "githuh.com": "github.com", "raw.gihtub.com": "github.com", "github.io": "", "githubb.com": "github.com",
		"gitlab.example.com": "", "example.com": "", "localhost": "", "10.0.0.1": "", "slack.com": "", "münchen.de": "", "xn--mnchen-3ya.de": "",
		"gіthub.com": "github.com", "xn--gthub-n4a.com": "github.com", "пример.рф": "", "сосна.рус": "", "日本語.jp": "", "xn--zzzzzzzz999999.com": "a name that no host can have",
		"googleа.com": "googlea.com", "straße.de": "", "goοgle.com": "google.com",
	} {
		got := lookalike.Host(host)
		if got != want {
			t.Errorf("%s: %q, want %q", host, got, want)
		}
	}
}

func FuzzHost(f *testing.F) {
	f.Add("xn--mnchen-3ya.de")
	f.Add("gіthub.com")
	f.Fuzz(func(t *testing.T, host string) {
		if got := lookalike.Host(host); got == host && got != "" {
			t.Errorf("%q looks like itself", host)
		}
	})
}
