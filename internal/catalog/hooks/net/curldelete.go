package net

import (
	neturl "net/url"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// asked names, for the sentence, what a request to delete is about: the machine, and the
// resource, by the last words of the address ("items/7"). It sets whether no credentials go
// with it: most servers refuse it then.
func (c *curlTransfer) asked(s *catalog.Site) {
	method, known := c.method()
	if method != "DELETE" || !known || len(c.urls) != 1 {
		return
	}
	text, known := c.urls[0].Known()
	if !known || strings.ContainsAny(text, "{}[]") {
		return
	}
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := neturl.Parse(text)
	if err != nil || u.Host == "" {
		return
	}
	c.m.Bind("at", value.Lit(u.Host))
	if p := strings.Trim(path.Clean("/"+u.Path), "/"); p != "" {
		words := strings.Split(p, "/")
		c.m.Bind("resource", value.Lit(strings.Join(words[max(0, len(words)-2):], "/")))
	}
	if c.anonymous(u, s) {
		c.m.Set("anonymous")
		if public(u) {
			c.m.Set("guarded")
		}
	}
}

// public reports whether an address is of a machine by a name that all the world has, at the
// port of its scheme: what services of a network of one's own often let anybody do is refused
// there without credentials.
func public(u *neturl.URL) bool {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	if u.Port() != "" || last == host || strings.Trim(last, "0123456789:") == "" || strings.Contains(host, ":") {
		return false
	}
	return !slices.Contains([]string{"local", "localhost", "internal", "intranet", "private", "corp", "home", "lan", "arpa", "test", "invalid", "localdomain", "svc"}, last)
}

// anonymous reports whether a request surely has no credentials: no option, header, cookie
// or part of the address could be one, and no file of settings adds some.
func (c *curlTransfer) anonymous(u *neturl.URL, s *catalog.Site) bool {
	if u.User != nil || u.RawQuery != "" {
		return false
	}
	for _, option := range []string{"-n", "--netrc", "--netrc-optional", "--netrc-file", "-K", "--negotiate", "--ntlm", "--aws-sigv4", "--variable"} {
		if c.m.Given(option) {
			return false
		}
	}
	if slices.ContainsFunc([]string{"secret", "cookie", "credential", "jar", "configuration", "socket"}, c.m.Has) || len(c.bodies) > 0 || len(c.sources) > 0 {
		return false
	}
	plain := []string{"accept", "content-type", "user-agent", "host", "cache-control", "content-length"}
	for _, h := range c.m.Values("header") {
		name, _, ok := strings.Cut(h.Prefix(), ":")
		if !ok || !slices.Contains(plain, strings.ToLower(strings.TrimSpace(name))) {
			return false
		}
	}
	return noSettings(s)
}

// noSettings reports whether curl has no file of options of its own (curl(1), --config).
func noSettings(s *catalog.Site) bool {
	if s.World == nil { // in cases of specs
		return true
	}
	for _, variable := range []string{"CURL_HOME", "XDG_CONFIG_HOME"} {
		if _, set, _ := s.Env(variable); set {
			return false
		}
	}
	home, set, _ := s.Env("HOME")
	dir, known := home.Known()
	if !set || !known {
		return false
	}
	for _, name := range []string{".curlrc", ".config/curlrc"} {
		if info, err := world.Stat(s.World.FS, path.Join(dir, name)); err != nil || info.Kind != world.Missing {
			return false
		}
	}
	return true
}
