package hooks

import (
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// chmod tells modes that grant something from others (POSIX.1-2024 chmod,
// "EXTENDED DESCRIPTION"; GNU coreutils manual, "File permissions").
func chmod(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	files := m.Values("operand")
	detail := "mode"
	switch {
	case m.Has("reference"), m.Has("acl"):
	case m.Has("minus"): // -x and the like: takes away
	default:
		if len(files) == 0 {
			return
		}
		mode := files[0]
		files = files[1:]
		detail = modeDetail(mode)
		m.Incomplete = len(files) == 0
		// macOS: chmod +a "user allow write" file
		if p := mode.Prefix(); len(p) > 1 && strings.Contains("+-=", p[:1]) && p[1] == 'a' && len(files) > 1 && isACE(files[0]) {
			files, detail = files[1:], "access list"
		}
	}
	for _, f := range files {
		r.Effects = append(r.Effects, catalog.Effect{
			Verb: risk.FSAttr, Target: f, Arg: "file", Detail: detail,
			Recursive: m.Has("recursive"), Forced: m.Has("force"),
		})
	}
}

func isACE(v value.Value) bool {
	text, _ := v.Known()
	return strings.Contains(text, " allow ") || strings.Contains(text, " deny ")
}

// modeDetail says what matters about a mode operand.
func modeDetail(mode value.Value) string {
	text, known := mode.Known()
	if !known {
		return "mode"
	}
	if n, err := strconv.ParseUint(strings.TrimLeft(text, "+="), 8, 32); err == nil && text != "" {
		switch {
		case n&0o6000 != 0:
			return "setuid"
		case n&0o002 != 0:
			return "world-writable"
		}
		return "mode"
	}
	var setuid, world bool
	only := true
	for clause := range strings.SplitSeq(text, ",") {
		c := readClause(clause)
		setuid = setuid || c.setuid
		world = world || c.world
		only = only && c.executable
	}
	switch {
	case setuid:
		return "setuid"
	case world:
		return "world-writable"
	case only:
		return "executable"
	}
	return "mode"
}

type modeClause struct{ setuid, world, executable bool }

// readClause reads one clause of a symbolic mode: u+s, a=rwx, +x.
func readClause(text string) modeClause {
	at := strings.IndexAny(text, "+-=")
	if at < 0 {
		return modeClause{}
	}
	who, rest := text[:at], text[at:]
	var c modeClause
	c.executable = len(rest) > 1
	for rest != "" {
		op := rest[0]
		perms := rest[1:]
		rest = ""
		if i := strings.IndexAny(perms, "+-="); i >= 0 {
			perms, rest = perms[:i], perms[i:]
		}
		grants := op != '-'
		if grants && strings.Contains(perms, "s") && who != "o" {
			c.setuid = true
		}
		if grants && strings.Contains(perms, "w") && strings.ContainsAny(who, "oa") {
			c.world = true
		}
		if op != '+' || strings.Trim(perms, "xX") != "" && perms != "rx" {
			c.executable = false
		}
	}
	return c
}
