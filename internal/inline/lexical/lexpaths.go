package lexical

import (
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// paths reports the files that are named where something reads, writes or
// deletes them.
func (x *lexical) paths() {
	for i, k := range x.m {
		if k.k == syntax.TokOp || x.used[i] || k.parts != nil || len(x.res.Effects) >= maxLexFound {
			continue
		}
		if isShell(x.lang) && !x.op(i-1, "(") { // its statements have told
			continue
		}
		p := strings.TrimPrefix(k.s, "file://")
		if k.k == syntax.TokIdent && (!x.style.bare || strings.Trim(p, "/") == "") {
			continue
		}
		absolute := strings.HasPrefix(p, "/") && len(p) > 1 || strings.HasPrefix(p, "~/") || p == "~" || strings.HasPrefix(p, "$HOME/")
		if len(p) > 4096 || p == "" || strings.ContainsAny(p, "\n\x00") || !absolute && (k.k != syntax.TokStr || strings.ContainsAny(p, " %<>|:*\t")) {
			continue
		}
		role, at := x.around(i)
		if k.k == syntax.TokStr && !absolute && (role == 0 || x.lang == "puppet" || isMode(p)) {
			continue
		}
		p = strings.Replace(p, "$HOME/", "~/", 1)
		e := catalog.Effect{Verb: risk.FSRead, Target: x.host.ExpandUser(value.Lit(p)), Shown: x.print || x.style.bare}
		switch {
		case role&roleDeletes != 0:
			e.Verb, e.Shown = risk.FSDelete, false
			e.Recursive = recursive(x.m, at)
		case role&roleWrites != 0:
			e.Verb, e.Shown = risk.FSWrite, false
		}
		x.res.Effects = append(x.res.Effects, e)
	}
}

// around is the role of the innermost name that mark i is an argument of, and
// where that name is.
func (x *lexical) around(i int) (lexRole, int) {
	depth := 0
	const files = roleReads | roleWrites | roleDeletes
	for n, j := 0, i-1; j >= 0 && n < 24; n, j = n+1, j-1 {
		k := x.m[j]
		switch {
		case k.k == syntax.TokOp && strings.Contains(")]}", k.s):
			depth++
			continue
		case k.k == syntax.TokOp && strings.Contains("([{", k.s):
			depth--
			continue
		case k.k == syntax.TokOp && k.s == ";":
			return 0, 0
		case k.k == syntax.TokOp && k.s == ">" && j >= i-2 && x.style.bare:
			return roleWrites, j
		}
		if k.k == syntax.TokIdent && depth <= 0 {
			if r := x.role(j) & files; r != 0 {
				return x.mode(i, j, r), j
			}
		}
		if k.nl && depth <= 0 && !x.op(j-1, "(") && !x.op(j-1, ",") {
			break
		}
	}
	for j := i + 1; j < i+3; j++ { // File("x").delete()
		if x.op(j, ")") && x.op(j+1, ".") {
			if r := x.role(min(j+2, len(x.m)-1)) & (roleWrites | roleDeletes); r != 0 {
				return r, j + 2
			}
		}
	}
	return 0, 0
}

// mode sharpens the role of the name at mark j by what stands behind the path
// at mark i: a mode in which files are written, a method that deletes.
func (x *lexical) mode(i, j int, r lexRole) lexRole {
	if r&(roleWrites|roleDeletes) != 0 {
		return r
	}
	for n := i + 1; n < i+8 && n < len(x.m) && !x.op(n, ";"); n++ {
		k := x.m[n]
		if k.nl && !x.op(n, ".") && k.k == syntax.TokIdent {
			break
		}
		low := strings.ToLower(k.s)
		if k.k == syntax.TokStr && low != "" && isMode(low) && strings.ContainsAny(low[:1]+low[len(low)-1:], "wa+") ||
			k.k == syntax.TokIdent && (strings.HasPrefix(low, "o_") && strings.ContainsAny(low, "w") || low == "o_creat" || low == "output" || low == "write" || low == "append" || low == "truncate" || low == "w" || low == "a") {
			return roleWrites
		}
		if k.k == syntax.TokIdent && x.op(n-1, ".") && x.role(n)&roleDeletes != 0 {
			return roleDeletes
		}
	}
	return r
}

// isMode reports whether s is a mode in which files are opened (fopen(3)).
func isMode(s string) bool { return len(s) < 4 && strings.Trim(s, "rwabxt+") == "" }

// recursive reports whether the call at mark j deletes what is below, too.
func recursive(m []mark, j int) bool {
	name := lastName(m[j].s)
	for _, w := range []string{"all", "recurs", "tree", "rf", "and-files", "/files", "forcibly", "rm_r"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	for n := j + 1; n < len(m) && n < j+12; n++ {
		if m[n].k == syntax.TokOp && m[n].s == ";" {
			break
		}
		if s := strings.ToLower(m[n].s); strings.Contains(s, "recurs") || m[n].k == syntax.TokStr && s == "s" || s == "-r" || s == "t" {
			return true
		}
	}
	return false
}
