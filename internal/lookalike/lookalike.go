// Package lookalike finds names that are made to be taken for another: hosts with
// letters of two scripts, and names one slip away from those that everybody uses.
//
// In goes a name as a command has it; out comes what it looks like, or nothing. A
// name that is itself among the most used looks like none. It asks nobody: what it
// knows are lists (names/*.txt) of what is most downloaded in each registry, from
// the registries' own rankings in 2024 and 2025, and of the hosts that packages,
// sources and accounts are at.
//
// Sources: UTS #39 (confusables, mixed scripts), RFC 3492 (Punycode), RFC 5890.
package lookalike

import (
	"embed"
	"strings"
	"unicode"

	"github.com/heedsh/heed/internal/once"
)

//go:embed names/*.txt
var files embed.FS

var lists = once.Value[map[string][]string]{Make: func() map[string][]string {
	all := map[string][]string{}
	for _, name := range []string{"npm", "pypi", "crates", "gems", "images", "hosts"} {
		text, err := files.ReadFile("names/" + name + ".txt")
		if err == nil {
			all[name] = strings.Fields(string(text))
		}
	}
	return all
}}

// Registries of names, for [Package].
const (
	NPM    = "npm"
	PyPI   = "pypi"
	Crates = "crates"
	Gems   = "gems"
	Images = "images"
)

// shortest is how long a name must be for one slip to mean anything: short ones
// are one letter off each other all the time.
const shortest = 5

// Package returns the package of a registry that a name looks like, or "". A
// version, extras and tags are no part of the name; names below a scope or an
// owner are somebody's own.
func Package(registry, name string) string {
	name = strings.ToLower(name)
	switch registry {
	case PyPI:
		if i := strings.IndexAny(name, "[<>=!~; @"); i >= 0 {
			name = name[:i]
		}
		name = strings.NewReplacer("_", "-", ".", "-").Replace(name)
	case Images:
		name, _, _ = strings.Cut(name, "@")
		name, _, _ = strings.Cut(name, ":")
		name = strings.TrimPrefix(strings.TrimPrefix(name, "docker.io/"), "library/")
	case Crates:
		name, _, _ = strings.Cut(name, "@")
		name = strings.ReplaceAll(name, "-", "_")
	default:
		if i := strings.IndexAny(name, "@:"); i > 0 {
			name = name[:i]
		}
	}
	if strings.ContainsAny(name, "/@$*<> ") || len(name) < shortest {
		return ""
	}
	return near(lists.Get()[registry], name, func(known string) string {
		if registry == Crates {
			return strings.ReplaceAll(known, "-", "_")
		}
		return strings.ReplaceAll(known, ".", dotOf(registry))
	})
}

// dotOf is what a dot in a name is the same as.
func dotOf(registry string) string {
	if registry == PyPI {
		return "-"
	}
	return "."
}

// near returns the known name that a name is one slip away from, unless it is one
// of them itself.
func near(known []string, name string, plain func(string) string) (like string) {
	for _, k := range known {
		switch p := plain(k); {
		case p == name:
			return ""
		case like == "" && len(p) >= shortest && slip(p, name):
			like = k
		}
	}
	return like
}

// slip reports whether two names differ by one letter that is left out, put in,
// taken for another or changed places with its neighbour. Digits at the end tell
// versions apart.
func slip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:] && (i < len(a) || !digit(b[i]))
	}
	switch {
	case i == len(a), i == len(a)-1 && digit(a[i]) && digit(b[i]):
		return false
	case a[i+1:] == b[i+1:]:
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// Host returns what a host looks like, in words or as the host that it is taken
// for, or "".
func Host(host string) string {
	labels := strings.Split(strings.ToLower(strings.TrimSuffix(host, ".")), ".")
	if len(labels) < 2 {
		return ""
	}
	foreign := false
	for i, l := range labels {
		if rest, coded := strings.CutPrefix(l, "xn--"); coded {
			text, ok := decode(rest)
			if !ok {
				return "a name that no host can have"
			}
			labels[i] = text
		}
		foreign = foreign || strings.ContainsFunc(labels[i], func(r rune) bool { return r > unicode.MaxASCII })
	}
	if foreign {
		shown := strings.Join(labels, ".")
		zone := labels[len(labels)-1] // names below one of another script are written in that
		if plain := skeleton(shown); plain != shown && skeleton(zone) == zone && !strings.ContainsFunc(plain, func(r rune) bool { return r > unicode.MaxASCII }) {
			return plain
		}
		for _, l := range labels {
			if mixed(l) {
				return "letters of two scripts: " + shown
			}
		}
		return ""
	}
	n := len(labels)
	name, zone := labels[n-2], labels[n-1]
	if len(name) <= shortest || strings.Contains(name, "_") {
		return ""
	}
	var known []string
	for _, h := range lists.Get()["hosts"] {
		if k, z, _ := strings.Cut(h, "."); z == zone && len(k) > shortest {
			known = append(known, k)
		}
	}
	if like := near(known, name, func(k string) string { return k }); like != "" {
		return like + "." + zone
	}
	return ""
}

// mixed reports whether a label has letters of scripts that are not written
// together.
func mixed(label string) bool {
	var latin, greek, cyrillic, other bool
	for _, r := range label {
		switch {
		case !unicode.IsLetter(r):
		case unicode.Is(unicode.Latin, r):
			latin = true
		case unicode.Is(unicode.Greek, r):
			greek = true
		case unicode.Is(unicode.Cyrillic, r):
			cyrillic = true
		case !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo): // with which Latin is written
			other = true
		}
	}
	n := 0
	for _, is := range []bool{latin, greek, cyrillic, other} {
		if is {
			n++
		}
	}
	return n > 1
}

// skeleton writes letters that look like Latin ones as these.
func skeleton(s string) string {
	const from, to = "аеорсухіјѕһԁԛԝѵгкмтвнοναρτικυωɡıℓⅼａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ", "aeopcyxijshdqwvrkmtbhovaptikuwgillabcdefghijklmnopqrstuvwxyz"
	letters := []rune(from)
	return strings.Map(func(r rune) rune {
		for i, c := range letters {
			if c == r {
				return rune(to[i])
			}
		}
		return r
	}, s)
}

// decode reads the Punycode of a label (RFC 3492, 6.2).
func decode(s string) (string, bool) {
	const base, tMin, tMax, skew, damp, bias0, n0, most = 36, 1, 26, 38, 700, 72, 128, 63
	var out []rune
	if len(s) > most {
		return "", false
	}
	if i := strings.LastIndexByte(s, '-'); i > 0 {
		out, s = []rune(s[:i]), s[i+1:]
	}
	n, i, bias := n0, 0, bias0
	for at := 0; at < len(s); {
		old, w := i, 1
		for k := base; ; k += base {
			if at == len(s) {
				return "", false
			}
			var d int
			switch c := s[at]; {
			case c >= 'a' && c <= 'z':
				d = int(c - 'a')
			case digit(c):
				d = int(c-'0') + 26
			default:
				return "", false
			}
			at++
			i += d * w
			t := min(max(k-bias, tMin), tMax)
			if d < t {
				break
			}
			w *= base - t
			if i > unicode.MaxRune*most || w > unicode.MaxRune*most {
				return "", false
			}
		}
		length := len(out) + 1
		delta := (i - old) / 2
		if old == 0 {
			delta = (i - old) / damp
		}
		delta += delta / length
		bias = 0
		for ; delta > (base-tMin)*tMax/2; bias += base {
			delta /= base - tMin
		}
		bias += (base - tMin + 1) * delta / (delta + skew)
		n += i / length
		i %= length
		if n > unicode.MaxRune {
			return "", false
		}
		out = append(out[:i], append([]rune{rune(n)}, out[i:]...)...)
		i++
	}
	return string(out), true
}
