package system

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// What programs do with streams that never end, where options alone do not say
// it: amounts are numbers with units.

// beyond is more than any disk of a machine that people work at has room for
// in one file, in bytes.
const beyond = 256 << 30

// headEnds: head stops, unless it is to print all but the last, or more than a
// disk holds ("head invocation").
func headEnds(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	bytes := lastOption(s.Args, "-c", "--bytes")
	if !huge(bytes) && !negative(bytes) && !negative(lastOption(s.Args, "-n", "--lines")) {
		r.Traits |= catalog.Ends
	}
}

// ddStops adds to a hook that dd stops by itself.
func ddStops(hook catalog.Hook) catalog.Hook {
	return func(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
		hook(m, s, r)
		if ddEnds(s.Args) {
			r.Traits |= catalog.Ends
		}
	}
}

// swarms adds to a hook that as many commands are started at a time as there
// are words, by an option for how many (xargs(1) -P, parallel(1) -j).
func swarms(short, long string, hook catalog.Hook) catalog.Hook {
	return func(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
		hook(m, s, r)
		if n, err := strconv.Atoi(lastOption(s.Args, short, long)); err == nil && (n <= 0 || n > 1000) {
			r.Traits |= catalog.Swarms
		}
	}
}

// fallocate tells of a file that is given more room than a disk has.
func fallocate(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("cut") || m.Has("dig") {
		return
	}
	reserve(r, m.Values("file"), lastOption(s.Args, "-l", "--length"))
}

// mkfile does so, but for sparse files, of which no blocks are allocated
// (mkfile(8)). A file that truncate(1) makes is sparse too.
func mkfile(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if length, ok := m.Value("size"); ok && !m.Has("sparse") {
		text, _ := length.Known()
		reserve(r, m.Values("file"), text)
	}
}

func reserve(r *catalog.Result, files []value.Value, length string) {
	if len(files) > 0 && huge(length) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.Exhaust, Target: files[len(files)-1], Arg: "file", Kind: risk.KindMoreRoomThanThereIs})
	}
}

// locate looks for its operands (plocate(1)).
func locate(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("pattern") {
		if text, ok := v.Known(); ok {
			r.Sought = append(r.Sought, text)
		}
	}
}

// lastOption returns the value of an option in whatever form it is given, or
// "".
func lastOption(args []value.Value, short, long string) string {
	found := ""
	for i, w := range args {
		s, ok := w.Known()
		if !ok {
			continue
		}
		next := ""
		if i+1 < len(args) {
			next, _ = args[i+1].Known()
		}
		switch {
		case s == short || s == long:
			found = next
		case strings.HasPrefix(s, short) && len(short) == 2:
			found = s[2:]
		case strings.HasPrefix(s, long+"="):
			found = s[len(long)+1:]
		case len(s) > 2 && s[0] == '-' && s[1] != '-' && s[len(s)-1] == short[1]: // -qc 10
			found = next
		}
	}
	return found
}

func negative(s string) bool { return strings.HasPrefix(s, "-") }

func huge(s string) bool {
	n, ok := size(s)
	return ok && n >= beyond
}

// units are the multipliers of sizes (GNU coreutils manual, "Block size", and
// "dd invocation" for c, w and b).
const units = "kmgtpezyrq"

// size reads a number of bytes with a unit: 8T, 900GB, 4KiB, 64x1k. It is at
// most about 2^62.
func size(s string) (float64, bool) {
	total := 1.0
	for _, factor := range strings.Split(strings.ToLower(s), "x") {
		digits := len(factor) - len(strings.TrimLeft(factor, "0123456789."))
		n, err := strconv.ParseFloat(factor[:digits], 64)
		if err != nil {
			return 0, false
		}
		unit := factor[digits:]
		switch {
		case unit == "" || unit == "c":
		case unit == "w":
			n *= 2
		case unit == "b":
			n *= 512
		default:
			i := strings.IndexByte(units, unit[0])
			if i < 0 {
				return 0, false
			}
			step := 1024.0
			if unit[1:] == "b" {
				step = 1000
			}
			for range i + 1 {
				n *= step
			}
		}
		total *= n
	}
	return total, true
}

// ddEnds reports whether dd has a count of what to copy that a disk has room
// for ("dd invocation").
func ddEnds(args []value.Value) bool {
	block, count, bytes := 512.0, -1.0, false
	for _, w := range args {
		name, text, ok := strings.Cut(w.Prefix(), "=")
		if !ok {
			continue
		}
		if !w.IsKnown() {
			if name == "count" { // whatever it is
				return true
			}
			continue
		}
		switch n, known := size(text); name {
		case "bs", "ibs":
			if known {
				block = n
			}
		case "count":
			if !known {
				return true
			}
			count, bytes = n, bytes || strings.HasSuffix(text, "B") && len(text) > 1 && text[len(text)-2] <= '9'
		case "iflag":
			bytes = bytes || strings.Contains(text, "count_bytes")
		}
	}
	if bytes {
		block = 1
	}
	return count >= 0 && count*block < beyond
}

// echo prints its words, of which some are not known ("echo invocation"): those
// that are the program's own options are.
func echo(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words, end := s.Args, "\n"
	for len(words) > 0 {
		text, ok := words[0].Known()
		if !ok || text != "-n" && text != "-e" && text != "-ne" && text != "-en" && text != "-E" {
			break
		}
		if strings.Contains(text, "n") {
			end = ""
		}
		words = words[1:]
	}
	echoed(s, r, words, end)
}

// printFormatted does so by a format, if that is the plainest of all or is not
// known either ("printf invocation").
func printFormatted(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(s.Args) == 0 {
		return
	}
	switch format, known := s.Args[0].Known(); {
	case format == "%s":
		echoed(s, r, s.Args[1:], "")
	case format == `%s\n`:
		echoed(s, r, s.Args[1:], "\n")
	case !known:
		echoed(s, r, s.Args, "")
	}
}

// echoed sets what is printed where that is not computed: where a word is not
// known.
func echoed(s *catalog.Site, r *catalog.Result, words []value.Value, end string) {
	if !slices.ContainsFunc(s.Args, func(v value.Value) bool { return !v.IsKnown() }) {
		return
	}
	var b value.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(" ")
		}
		b.Add(w)
	}
	b.WriteString(end)
	v := b.Value()
	r.Echoed = &v
}

// grep notes the names that it only looks into, and those that it lists.
func grep(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	SearchesOnly(m, r)
	EveryLine(m)
	if !s.Unread && !m.Help && !grepNames(s, r) {
		listsFiles(m, r)
	}
}

// listsFiles says of a search that prints names which files that can be: its
// operands, where it does not go into directories.
func listsFiles(m *catalog.Match, r *catalog.Result) {
	if !m.Has("names") && !m.Has("without") || m.Has("recursive") || m.Has("directories") || r.Stdout != nil {
		return
	}
	var names []string
	for _, v := range m.Values("file") {
		text, known := v.Known()
		if !known || len(names) == maxEach {
			return
		}
		names = append(names, text)
	}
	if len(names) == 0 {
		return
	}
	found := value.Lit(names[0])
	if len(names) > 1 {
		found = value.OneOf(risk.CauseMatch, "grep", names...)
	}
	text := value.Concat(found, value.Lit("\n")).With(value.Found | value.Picked)
	r.Stdout = &text
}

// EveryLine notes a search that prints each line of all files below a directory,
// hidden ones too: it shows what others only pass over. Its pattern holds for any
// line, or is what lines must not have, and nothing limits which files it opens.
func EveryLine(m *catalog.Match) {
	limited := m.Has("only") || m.Has("exclusions") || m.Has("ignore") || slices.ContainsFunc([]string{"--exclude", "--exclude-dir", "--ignore", "--ignore-dir", "-t", "--type", "-G", "--file-search-regex"}, m.Given)
	anything := slices.ContainsFunc(append(m.Values("pattern"), m.Values("expression")...), site.AnyLine)
	if !limited && (anything || m.Given("-v") || m.Given("--invert-match") || m.Given("--passthru") || m.Given("--passthrough")) {
		m.Set("every-line")
	}
}

// SearchesOnly notes the names that a search of directories is limited to: --include
// of grep(1), --glob of rg(1).
func SearchesOnly(m *catalog.Match, r *catalog.Result) {
	for _, v := range m.Values("only") {
		if text, ok := v.Known(); ok && !strings.HasPrefix(text, "!") {
			r.Sought = append(r.Sought, path.Base(text))
		}
	}
}
