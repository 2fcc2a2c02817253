package net

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Requests to the API of a code host that change who may do what there
// (GitHub REST API, version 2022-11-28; GitLab REST API v4; Gitea API v1;
// Bitbucket Cloud API 2.0). Setting a secret is not among them: it hands one
// in, and gives nobody more.

// A ForgeRequest is one request, its path cut at slashes and without the
// prefix of the API.
type ForgeRequest struct {
	HTTPMethod string // upper case
	Path       []string
	Body       string // fields and JSON, as far as they are known
}

// ForgeRights says what a request does to rights: the verb is empty if it does
// nothing to them.
func ForgeRights(q *ForgeRequest) (risk.Verb, risk.Kind) {
	if q.HTTPMethod == "GET" || q.HTTPMethod == "HEAD" || q.HTTPMethod == "OPTIONS" || len(q.Path) < 2 {
		return "", risk.NoKind
	}
	removed := q.HTTPMethod == "DELETE"
	if detail := q.defence(removed); detail != risk.NoKind {
		return risk.DefenseEvade, detail
	}
	if removed {
		return "", risk.NoKind
	}
	if detail := q.grant(); detail != risk.NoKind {
		return risk.PrivGain, detail
	}
	return "", risk.NoKind
}

// has reports whether a part of the path is one of words.
func (q *ForgeRequest) has(words ...string) bool {
	for _, p := range q.Path {
		for _, w := range words {
			if p == w {
				return true
			}
		}
	}
	return false
}

// last is the last part of the path.
func (q *ForgeRequest) last() string { return q.Path[len(q.Path)-1] }

// defence notices what takes away, or sets anew, the checks of a repository.
// Setting a protection up where there is none is a POST of its own at most
// hosts, and only adds.
func (q *ForgeRequest) defence(removed bool) risk.Kind {
	replaced := removed || q.HTTPMethod == "PUT" || q.HTTPMethod == "PATCH"
	switch {
	case replaced && q.has("protection", "protected_branches", "branch_protections", "branch-restrictions", "rulesets", "protected_tags", "tag_protections"):
		return risk.KindBranchProtection
	case replaced && q.has("approval_rules", "approvals", "push_rule"):
		return risk.KindApprovalRules
	case removed && q.has("vulnerability-alerts", "automated-security-fixes", "private-vulnerability-reporting"):
		return risk.KindSecurityChecks
	case q.HTTPMethod == "PUT" && len(q.Path) > 1 && q.has("actions") && q.has("permissions"):
		return risk.KindPermissionsOfWorkflows
	case replaced && strings.Contains(q.Body, "secret_scanning") && strings.Contains(q.Body, "disabled"):
		return risk.KindSecurityChecks
	}
	return risk.NoKind
}

// grant notices who gets more rights.
func (q *ForgeRequest) grant() risk.Kind {
	switch {
	case q.has("collaborators", "outside_collaborators", "memberships", "members", "invitations", "permissions-config"):
		return risk.KindMembers
	case q.Path[0] == "repos" && len(q.Path) == 4 && q.last() == "keys", q.has("deploy_keys", "deploy-keys"),
		q.Path[0] == "user" && (q.last() == "keys" || q.last() == "gpg_keys" || q.last() == "ssh_signing_keys"),
		q.Path[0] == "users" && (q.last() == "keys" || q.last() == "gpg_keys"):
		return risk.KindKey
	case q.has("deploy_tokens", "access_tokens", "personal_access_tokens", "impersonation_tokens") && q.HTTPMethod == "POST":
		return risk.KindAccessToken
	case q.has("teams") && (q.has("repos") && q.Path[0] != "repos" || q.has("projects")):
		return risk.KindTeam
	case (q.Path[0] == "projects" || q.Path[0] == "groups") && q.last() == "share":
		return risk.KindMembers
	case q.last() == "transfer":
		return risk.KindOwner
	case q.public():
		return risk.KindVisibleToEverybody
	}
	return risk.NoKind
}

// public reports whether a request makes something that exists readable by
// all.
func (q *ForgeRequest) public() bool {
	if q.HTTPMethod != "PATCH" && q.HTTPMethod != "PUT" {
		return false
	}
	body := strings.NewReplacer(" ", "", `"`, "", "'", "", "=", ":").Replace(strings.ToLower(q.Body))
	return strings.Contains(body, "visibility:public") || strings.Contains(body, "is_private:false") || (strings.HasPrefix(body, "private:false") || strings.Contains(body, ",private:false") || strings.Contains(body, "{private:false") || strings.Contains(body, "\nprivate:false"))
}

// ForgePath cuts a path of an API into its parts. A part that is not known
// stays as one that nothing is compared with.
func ForgePath(text string) []string {
	text, _, _ = strings.Cut(text, "?")
	return strings.FieldsFunc(text, func(c rune) bool { return c == '/' })
}

// forgeURL returns the path behind the API's prefix of a URL that leads to a
// code host.
func forgeURL(v value.Value) ([]string, bool) {
	url := v.Fill(func(*value.Hole) string { return "heed-hole" })
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return nil, false
	}
	host, rest, _ := strings.Cut(rest, "/")
	host = strings.ToLower(host[strings.LastIndexByte(host, '@')+1:])
	for _, prefix := range []string{"api/v3/", "api/v4/", "api/v1/"} {
		if after, ok := strings.CutPrefix(rest, prefix); ok {
			path := ForgePath(after)
			known := len(path) > 0 && strings.Contains(" repos projects groups orgs teams users user ", " "+path[0]+" ")
			return path, known
		}
	}
	switch host {
	case "api.github.com":
		return ForgePath(rest), true
	case "api.bitbucket.org":
		return ForgePath(strings.TrimPrefix(rest, "2.0/")), true
	}
	return nil, false
}

// withForge adds to a client of HTTP what its requests do to the rights at a
// code host.
func withForge(hook catalog.Hook) catalog.Hook {
	return func(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
		hook(m, s, r)
		for _, e := range r.Effects {
			method := ""
			switch e.Verb {
			case risk.NetSend, risk.RemoteChange:
				method = "POST"
			case risk.RemoteDestroy:
				method = "DELETE"
			default:
				continue
			}
			path, ok := forgeURL(e.Target)
			if !ok {
				continue
			}
			if v, given := m.Value("method"); given && v.IsKnown() {
				method = strings.ToUpper(v.String())
			} else if words := site.NetWords(m); len(words) > 1 && strings.Trim(words[0], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
				method = words[0] // HTTPie
			} else if m.Has("upload") {
				method = "PUT"
			}
			q := ForgeRequest{HTTPMethod: method, Path: path, Body: ForgeBody(m, "data", "raw", "urlencode", "body", "word")}
			if verb, detail := ForgeRights(&q); verb != "" {
				r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: e.Target, Kind: detail})
				return
			}
		}
	}
}

// ForgeBody joins what the named arguments send.
func ForgeBody(m *catalog.Match, names ...string) string {
	var b strings.Builder
	for _, n := range names {
		for _, v := range m.Values(n) {
			b.WriteString(v.Fill(func(*value.Hole) string { return "heed-hole" }))
			b.WriteByte('\n')
		}
	}
	return b.String()
}
