package git

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/net"
	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// ghAPI reads the request that gh api, glab api and hub api make: GET, or POST
// where fields are given, or what --method says; a GraphQL document says
// itself what it does (gh-api(1)).
func ghAPI(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") {
		return
	}
	endpoint, _ := m.Value("endpoint")
	fields := append(m.Values("field"), m.Values("raw-field")...)
	e := catalog.Effect{Verb: risk.RemoteRead, Target: endpoint}
	method, given := m.Value("method")
	text, known := method.Known()
	switch {
	case strings.TrimPrefix(strings.TrimSuffix(endpoint.String(), "/"), "/") == "graphql":
		e.Verb = ghGraphQL(fields, m.Has("input"))
	case given && !known:
		e.Verb = risk.RemoteDestroy
	case given && strings.EqualFold(text, "DELETE"):
		e.Verb = risk.RemoteDestroy
	case given && (strings.EqualFold(text, "GET") || strings.EqualFold(text, "HEAD")):
	case given || len(fields) > 0 || m.Has("input"):
		e.Verb = risk.RemoteChange
	}
	for _, f := range m.Values("field") {
		if _, v, ok := gitCut(f, "="); ok && strings.HasPrefix(v.Prefix(), "@") && v.Prefix() != "@-" {
			file := v.Cut(1)
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: file})
			e.Carries = append(e.Carries, catalog.Source{Path: file})
		}
	}
	for _, f := range m.Values("input") {
		if text, _ := f.Known(); text != "-" {
			e.Carries = append(e.Carries, catalog.Source{Path: f})
		}
	}
	r.Effects = append(r.Effects, e)
	r.Prints = catalog.PrintsNetwork
	ghRights(m, s, r, &e)
}

// ghRights notes what a request does to the rights at the host.
func ghRights(m *catalog.Match, s *catalog.Site, r *catalog.Result, e *catalog.Effect) {
	method := "POST"
	if v, given := m.Value("method"); given && v.IsKnown() {
		method = strings.ToUpper(v.String())
	}
	if e.Verb == risk.RemoteRead {
		return
	}
	q := net.ForgeRequest{HTTPMethod: method, Path: net.ForgePath(e.Target.Fill(func(*value.Hole) string { return "heed-hole" })), Body: net.ForgeBody(m, "field", "raw-field")}
	for _, v := range m.Values("input") {
		if text, ok := site.GivenText(s, r, v); ok {
			q.Body += text
		}
	}
	if verb, detail := net.ForgeRights(&q); verb != "" {
		r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: e.Target, Kind: detail})
	}
}

// ghGraphQL says what a GraphQL request does; one that is not known may change.
func ghGraphQL(fields []value.Value, input bool) risk.Verb {
	verb := risk.RemoteRead
	if input {
		verb = risk.RemoteChange
	}
	for _, f := range fields {
		key, doc, ok := gitCut(f, "=")
		if !ok || key.String() != "query" {
			continue
		}
		text := doc.String()
		switch {
		case net.GraphqlDestroys(text):
			return risk.RemoteDestroy
		case strings.HasPrefix(text, "@"), strings.Contains(text, "mutation"), !doc.IsKnown() && doc.Prefix() == "":
			verb = risk.RemoteChange
		}
	}
	return verb
}

// ghClone clones by an OWNER/NAME, or by an address.
func ghClone(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	repository, ok := m.Value("repository")
	if !ok || m.Has("help") {
		return
	}
	dir := cloneDir(repository, false)
	if words := m.Values("word"); len(words) > 0 && !strings.HasPrefix(words[0].Prefix(), "-") {
		dir = words[0]
	}
	r.Effects = append(r.Effects,
		catalog.Effect{Verb: risk.VCSLocal, Kind: risk.KindClone},
		catalog.Effect{Verb: risk.NetFetch, Target: repository},
		catalog.Effect{Verb: risk.FSCreate, Target: dir})
}

// hub hands what it does not know to git.
func hub(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(m.Chain) > 1 && m.Chain[1].Name == "*" {
		r.Runs = append(r.Runs, catalog.Run{Argv: append([]value.Value{value.Lit("git")}, s.Args...)})
	}
}
