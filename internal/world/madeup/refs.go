package madeup

import (
	"strconv"
	"strings"
)

// maxRev bounds the length of a revision's name.
const maxRev = 1024

// Ref implements world.Repo: the common part of gitrevisions(7).
func (r *repo) Ref(rev string) string {
	if len(rev) > maxRev {
		return ""
	}
	end := strings.IndexAny(rev, "~^")
	if at := strings.Index(rev, "@{"); at >= 0 && (end < 0 || at < end) {
		end = at
	}
	if end < 0 {
		end = len(rev)
	}
	base, suffix := rev[:end], rev[end:]
	if strings.HasPrefix(suffix, "@{") {
		return r.suffixed(r.at(base, &suffix), suffix)
	}
	return r.suffixed(r.base(base), suffix)
}

// base resolves a name without suffixes, in the order git tries.
func (r *repo) base(name string) string {
	if name == "HEAD" || name == "@" {
		_, commit := r.Head()
		return commit
	}
	for _, form := range [][2]string{
		{"", ""},
		{"refs/", ""},
		{"refs/tags/", ""},
		{"refs/heads/", ""},
		{"refs/remotes/", ""},
		{"refs/remotes/", "/HEAD"},
	} {
		full := form[0] + name + form[1]
		if id, ok := r.refs[full]; ok && strings.HasPrefix(full, "refs/") {
			return id
		}
	}
	return r.graph.abbreviated(name)
}

// at resolves NAME@{upstream}, NAME@{push} and stash@{N}, and takes the braces
// off the suffix. There is no reflog.
func (r *repo) at(base string, suffix *string) string {
	inner, rest, ok := strings.Cut((*suffix)[2:], "}")
	if !ok {
		return ""
	}
	*suffix = rest
	if base == "stash" || base == "refs/stash" {
		n, err := strconv.Atoi(inner)
		if err != nil || n < 0 || n >= len(r.stashes) {
			return ""
		}
		return r.stashes[len(r.stashes)-1-n]
	}
	switch strings.ToLower(inner) {
	case "u", "upstream", "push":
		branch := strings.TrimPrefix(base, "refs/heads/")
		if base == "" || base == "@" || base == "HEAD" {
			branch, _ = r.Head()
		}
		return r.refs[r.upstream(branch)]
	}
	return ""
}

// upstream returns the full name of the ref that a branch follows.
func (r *repo) upstream(branch string) string {
	remote := r.Config("branch." + branch + ".remote")
	merge := r.Config("branch." + branch + ".merge")
	if len(remote) == 0 || len(merge) == 0 {
		return ""
	}
	full := merge[len(merge)-1]
	if name := remote[len(remote)-1]; name != "." {
		full = "refs/remotes/" + name + "/" + strings.TrimPrefix(full, "refs/heads/")
	}
	return full
}

// suffixed follows ~N and ^ from a commit.
func (r *repo) suffixed(id, suffix string) string {
	for suffix != "" && id != "" {
		op := suffix[0]
		suffix = suffix[1:]
		if op == '^' && (strings.HasPrefix(suffix, "{}") || strings.HasPrefix(suffix, "{commit}")) {
			_, suffix, _ = strings.Cut(suffix, "}")
			continue
		}
		digits := len(suffix) - len(strings.TrimLeft(suffix, "0123456789"))
		n := 1
		if digits > 0 {
			var err error
			if n, err = strconv.Atoi(suffix[:digits]); err != nil {
				return ""
			}
		}
		suffix = suffix[digits:]
		switch {
		case op == '~' || op == '^' && n <= 1:
			id = r.graph.back(id, n)
		default:
			return "" // a second parent, or nothing we know
		}
	}
	return id
}
