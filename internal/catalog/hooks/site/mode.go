package site

import (
	"slices"
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
	detail := risk.KindMode
	switch {
	case m.Has("reference"), m.Has("acl"):
	case m.Has("minus"): // takes away
	case m.Has("minus-r"), m.Has("minus-w"), m.Has("minus-x"):
		if slices.ContainsFunc(files, value.Value.IsKnown) {
			meaning(m, value.Lit("-"+taken(m)))
		}
	default:
		if len(files) == 0 {
			return
		}
		mode := files[0]
		files = files[1:]
		if detail = ModeKind(mode); detail == risk.KindMode {
			meaning(m, mode)
		}
		m.Incomplete, m.Lacks = len(files) == 0, "file"
		if text, known := mode.Known(); known && !isMode(text) && (s.World == nil || s.World.OS != "darwin") {
			r.Lacks = "“" + text + "” is no mode"
		}
		// macOS: chmod +a "user allow write" file
		if p := mode.Prefix(); len(p) > 1 && strings.Contains("+-=", p[:1]) && p[1] == 'a' && len(files) > 1 && isACE(files[0]) {
			files, detail = files[1:], risk.KindAccessList
		}
	}
	for _, f := range files {
		m.Bind("target", f)
		r.Effects = append(r.Effects, catalog.Effect{
			Verb: risk.FSAttr, Target: f, Arg: "file", Kind: detail,
			Recursive: m.Has("recursive"), Forced: m.Has("force"),
		})
	}
}

// taken are the letters of the rights that options take away: chmod -x.
func taken(m *catalog.Match) (letters string) {
	for _, letter := range []string{"r", "w", "x"} {
		if m.Has("minus-" + letter) {
			letters += letter
		}
	}
	return letters
}

// isMode reports whether GNU chmod takes a word as a mode: up to four octal digits, or clauses
// of letters (GNU coreutils manual, "Symbolic Modes").
func isMode(text string) bool {
	octal := func(s string) bool {
		n, err := strconv.ParseUint(s, 8, 32)
		return err == nil && n <= 0o7777
	}
	if text == "" || octal(text) {
		return text != ""
	}
	for clause := range strings.SplitSeq(text, ",") {
		rest := strings.TrimLeft(clause, "ugoa")
		if rest == "" || !strings.ContainsRune("+-=", rune(rest[0])) {
			return false
		}
		for rights := range strings.FieldsFuncSeq(rest, func(r rune) bool { return strings.ContainsRune("+-=", r) }) {
			if strings.Trim(rights, "rwxXst") != "" && strings.Trim(rights, "ugo") != "" && !octal(rights) {
				return false
			}
		}
	}
	return true
}

func isACE(v value.Value) bool {
	text, _ := v.Known()
	return strings.Contains(text, " allow ") || strings.Contains(text, " deny ")
}

// ModeKind says what matters about a mode operand.
func ModeKind(mode value.Value) risk.Kind {
	text, known := mode.Known()
	if !known {
		return risk.KindMode
	}
	if n, err := strconv.ParseUint(strings.TrimLeft(text, "+="), 8, 32); err == nil && text != "" {
		switch {
		case n&0o6000 != 0:
			return risk.KindSetuid
		case n&0o002 != 0:
			return risk.KindWorldWritable
		}
		return risk.KindMode
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
		return risk.KindSetuid
	case world:
		return risk.KindWorldWritable
	case only:
		return risk.KindExecutable
	}
	return risk.KindMode
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

// meaning binds, for the sentence, whom a mode lets do what, or no longer, of one clause
// (g+w) and of a number with one right for all others (644); of others the mode itself.
func meaning(m *catalog.Match, mode value.Value) {
	text, known := mode.Known()
	digits := strings.TrimLeft(text, "0")
	if !known || !(len(digits) == 3 && strings.Trim(digits, "01234567") == "" && rightsOfAll(m, digits) || rightsOfOne(m, text)) {
		m.Bind("mode", mode)
	}
}

// rightsOfAll binds the rights of a number of three digits, and reports whether the sentence
// has words for them.
func rightsOfAll(m *catalog.Match, digits string) bool {
	owner, group, others := digits[0]-'0', digits[1]-'0', digits[2]-'0'
	switch {
	case group == others:
		bindRights(m, "owner", owner)
		bindRights(m, "all-else", others)
	case others == 0:
		bindRights(m, "owner", owner)
		bindRights(m, "only-group", group)
	default:
		return false
	}
	return true
}

// rightsOfOne binds the rights that one clause gives or takes, and reports whether the
// sentence has words for them.
func rightsOfOne(m *catalog.Match, text string) bool {
	at := strings.IndexAny(text, "+-")
	if at < 0 || strings.Contains(text, ",") {
		return false
	}
	who := map[string]string{"u": "owner", "g": "group", "o": "others", "a": "everybody", "": "everybody"}[text[:at]]
	var bits byte
	for _, c := range text[at+1:] {
		bit := map[rune]byte{'r': 4, 'w': 2, 'x': 1}[c]
		if bit == 0 {
			return false
		}
		bits |= bit
	}
	if at == 0 && bits&2 != 0 { // of what the umask leaves, as it mostly is: the owner's
		if who = "owner"; bits != 2 {
			return false
		}
	}
	if who == "" {
		return false
	}
	bindRights(m, map[byte]string{'+': "to-", '-': "from-"}[text[at]]+who, bits)
	return true
}

// bindRights binds a name to the rights of a digit of a mode, as words.
func bindRights(m *catalog.Match, name string, bits byte) {
	for i, right := range []string{"read", "write", "run"} {
		if bits&(4>>i) != 0 {
			m.Bind(name, value.Lit(right))
		}
	}
}
