package gitstate

import (
	"strconv"
	"strings"
)

// refRules is ref_rev_parse_rules of git's refs.c: what a short name may mean, the
// first that exists.
func refRules(name string) [6]string {
	return [6]string{
		name, "refs/" + name, "refs/tags/" + name, "refs/heads/" + name,
		"refs/remotes/" + name, "refs/remotes/" + name + "/HEAD",
	}
}

// dwim resolves a full or short ref name; full is the name of the ref meant,
// symbolic refs not followed.
func (r *repo) dwim(name string) (id oid, full string) {
	name, ok := r.branchName(name, 0)
	if !ok || len(name) > maxRevision {
		return "", ""
	}
	for _, full := range refRules(name) {
		if id, _ := r.resolve(full); id != "" {
			return id, full
		}
	}
	return "", ""
}

// dwimLog finds the reflog that a short name means (git's repo_dwim_log).
func (r *repo) dwimLog(name string) (log []logEntry, ok bool) {
	for _, full := range refRules(name) {
		id, final := r.resolve(full)
		if id == "" {
			continue
		}
		if log, ok := r.reflog(full); ok {
			return log, true
		}
		if final != full {
			if log, ok := r.reflog(final); ok {
				return log, true
			}
		}
	}
	return nil, false
}

// branchName expands @, @{-n} and branch@{upstream} (git's
// repo_interpret_branch_name); ok is false if the name cannot be expanded.
func (r *repo) branchName(name string, depth int) (string, bool) {
	switch {
	case depth > maxSymref:
		return "", false
	case name == "@":
		return "HEAD", true
	case strings.HasPrefix(name, "@{-"):
		digits, rest, found := strings.Cut(name[3:], "}")
		n, err := strconv.Atoi(digits)
		if !found || err != nil || n <= 0 {
			return "", false
		}
		prior, ok := r.priorBranch(n)
		if !ok {
			return "", false
		}
		return r.branchName(prior+rest, depth+1)
	}
	base, selector, ok := cutSelector(name)
	if !ok {
		return name, true
	}
	if m := asciiLower(selector); m != "u" && m != "upstream" {
		return "", false
	}
	if base, ok = r.branchName(base, depth+1); !ok {
		return "", false
	}
	if base == "" || base == "HEAD" {
		base = r.currentBranch()
	}
	up := r.upstream(strings.TrimPrefix(base, "refs/heads/"))
	return up, up != ""
}

// priorBranch returns the nth branch (or commit) that was checked out before, from
// HEAD's reflog.
func (r *repo) priorBranch(n int) (string, bool) {
	log, _ := r.reflog("HEAD")
	for i := len(log) - 1; i >= 0; i-- {
		rest, ok := strings.CutPrefix(log[i].message, "checkout: moving from ")
		if !ok {
			continue
		}
		from, _, ok := strings.Cut(rest, " to ")
		if !ok {
			continue
		}
		if n--; n == 0 {
			return from, true
		}
	}
	return "", false
}

// upstream returns the remote-tracking ref that a branch follows: branch.*.merge as
// the fetch refspecs of branch.*.remote map it (git-config(1)).
func (r *repo) upstream(branch string) string {
	if branch == "" {
		return ""
	}
	c := r.config()
	remote, ok := c.last("branch." + branch + ".remote")
	merge, ok2 := c.last("branch." + branch + ".merge")
	if !ok || !ok2 {
		return ""
	}
	if remote == "." {
		return merge
	}
	for _, spec := range c.values["remote."+remote+".fetch"] {
		if dst, ok := mapRefspec(spec, merge); ok {
			return dst
		}
	}
	return ""
}

// mapRefspec maps a remote ref through "+refs/heads/*:refs/remotes/origin/*".
func mapRefspec(spec, ref string) (string, bool) {
	src, dst, ok := strings.Cut(strings.TrimPrefix(spec, "+"), ":")
	if !ok || strings.HasPrefix(src, "^") {
		return "", false
	}
	head, tail, star := strings.Cut(src, "*")
	if !star {
		return dst, src == ref
	}
	if len(ref) < len(head)+len(tail) || !strings.HasPrefix(ref, head) || !strings.HasSuffix(ref, tail) {
		return "", false
	}
	dstHead, dstTail, star := strings.Cut(dst, "*")
	return dstHead + ref[len(head):len(ref)-len(tail)] + dstTail, star
}
