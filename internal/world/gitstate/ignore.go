package gitstate

import (
	"errors"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

const (
	maxIgnoreFile = 1 << 20
	// maxPatterns bounds the work for one file name. A file with more is not
	// used at all: without the last lines, what they take back stays ignored.
	maxPatterns = 10_000
	// maxMatchWork bounds the patterns and states looked at for one question; past
	// it nothing more is ignored, which is the careful answer.
	maxMatchWork = 1 << 27
)

var errPatterns = errors.New("too many ignore patterns")

// A pattern is one line of an ignore file (gitignore(5), "PATTERN FORMAT").
type pattern struct {
	keep     bool   // "!": takes an earlier pattern back
	dirOnly  bool   // ended in a slash
	baseOnly bool   // no slash inside: matches the last element at any depth
	suffix   bool   // "*literal"
	literal  string // what the name must begin with; with suffix, end with
	rest     *glob  // what follows the literal, nil if nothing does
}

// parseIgnore reads an ignore file as git's add_patterns_from_buffer does.
func parseIgnore(data []byte, fold bool) ([]pattern, error) {
	var out []pattern
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		line, hadNewline := strings.CutSuffix(line, "\n")
		if hadNewline {
			line = strings.TrimSuffix(line, "\r")
		}
		if line == "" || line[0] == '#' || len(line) > maxPath {
			continue
		}
		if len(out) >= maxPatterns {
			return nil, errPatterns
		}
		if p, ok := parsePattern(trimBlanks(line), fold); ok {
			out = append(out, p)
		}
	}
	return out, nil
}

// trimBlanks drops trailing spaces that no backslash protects.
func trimBlanks(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(s))
	}
	return s[:end]
}

func parsePattern(s string, fold bool) (pattern, bool) {
	var p pattern
	s, p.keep = strings.CutPrefix(s, "!")
	if s == "" {
		return p, false
	}
	s, p.dirOnly = strings.CutSuffix(s, "/")
	p.baseOnly = !strings.Contains(s, "/")
	if fold {
		s = foldPattern(s)
	}
	plain := plainLength(s)
	switch {
	case p.baseOnly && plain == len(s):
		p.literal = s
	case p.baseOnly && s[0] == '*' && plainLength(s[1:]) == len(s)-1:
		p.literal, p.suffix = s[1:], true
	case p.baseOnly:
		p.rest = compileGlob(s, fold)
	default:
		// The literal head is compared first and what follows is a pattern of
		// its own, as in git: in "foo**/bar" the asterisks begin a pattern.
		if s[0] == '/' {
			s, plain = s[1:], plain-1
		}
		plain = max(plain, 0)
		if p.literal = s[:plain]; plain < len(s) {
			p.rest = compileGlob(s[plain:], fold)
		}
	}
	return p, true
}

// plainLength counts the bytes before the first special one.
func plainLength(s string) int {
	if i := strings.IndexAny(s, `*?[\`); i >= 0 {
		return i
	}
	return len(s)
}

// matches reports whether name, relative to the ignore file's directory, matches.
func (p *pattern) matches(name string, isDir bool, work *int) bool {
	if p.dirOnly && !isDir {
		return false
	}
	if p.baseOnly {
		name = name[strings.LastIndexByte(name, '/')+1:]
	}
	if p.suffix {
		return strings.HasSuffix(name, p.literal)
	}
	if p.rest == nil {
		return name == p.literal
	}
	name, ok := strings.CutPrefix(name, p.literal)
	return ok && p.rest.matchCounting(name, work)
}

// A verdict is what one list of patterns says about a name.
type verdict uint8

const (
	undecided verdict = iota
	ignored
	kept
)

// decide lets the last matching pattern of a list speak.
func decide(list []pattern, name string, isDir bool, work *int) verdict {
	for i := len(list) - 1; i >= 0; i-- {
		*work++
		if list[i].matches(name, isDir, work) {
			if list[i].keep {
				return kept
			}
			return ignored
		}
	}
	return undecided
}

// ignores holds the lists that apply to a whole work tree, and how much work has
// been spent on one question.
type ignores struct {
	g      *Git
	fold   bool
	global [2][]pattern // info/exclude, core.excludesFile
	work   int
}

func (r *repo) ignores(set *settings) *ignores {
	ig := &ignores{g: r.g, fold: set.ignoreCase}
	ig.global[0] = ig.load(join(r.commonDir, "info/exclude"))
	if set.excludesFile != "" {
		ig.global[1] = ig.load(set.excludesFile)
	}
	return ig
}

func (ig *ignores) load(name string) []pattern {
	kind := kindIgnore
	if ig.fold {
		kind = kindIgnoreFold
	}
	list, _, _ := load(ig.g, kind, name, maxIgnoreFile, func(data []byte) ([]pattern, error) {
		return parseIgnore(data, ig.fold)
	})
	return list
}

// loadIn reads dir's own .gitignore; git does not follow a link there.
func (ig *ignores) loadIn(dir string) []pattern {
	name := join(dir, ".gitignore")
	info, err := ig.g.lstat(name)
	if err != nil || info.Kind != world.Regular {
		return nil
	}
	return ig.load(name)
}

func (ig *ignores) spent() bool { return ig.work > maxMatchWork }

// An ignoreDir is one directory of a walk, with its own patterns.
type ignoreDir struct {
	up   *ignoreDir
	rel  string // "" for the root, else ending in a slash
	list []pattern
	is   verdict // whether the directory itself is ignored, once that was asked
}

// ignoredDir reports whether the directory, or one that holds it, is ignored.
func (ig *ignores) ignoredDir(d *ignoreDir) bool {
	if d.is == undecided {
		d.is = kept
		if d.up != nil && (ig.ignoredDir(d.up) || ig.ignored(d.up, strings.TrimSuffix(d.rel, "/"), true)) {
			d.is = ignored
		}
	}
	return d.is == ignored
}

// ignored reports whether a name (relative to the root) in directory d is
// ignored: by a pattern of the nearest directory that has one, and before all by
// an ignored directory above it, under which nothing can be taken back.
func (ig *ignores) ignored(d *ignoreDir, rel string, isDir bool) bool {
	if ig.spent() {
		return false
	}
	if ig.ignoredDir(d) {
		return true
	}
	name := rel
	if ig.fold {
		name = asciiLower(rel)
	}
	for at := d; at != nil; at = at.up {
		if v := decide(at.list, name[len(at.rel):], isDir, &ig.work); v != undecided {
			return v == ignored
		}
	}
	for _, list := range ig.global {
		if v := decide(list, name, isDir, &ig.work); v != undecided {
			return v == ignored
		}
	}
	return false
}
