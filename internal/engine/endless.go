package engine

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Streams without end, and what they do to a disk or to memory.

// endlessDevice reports whether a file gives bytes for as long as it is read
// (null(4), full(4), random(4)).
func endlessDevice(name string) bool {
	switch name {
	case "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom":
		return true
	}
	return false
}

// oneLine reports whether a device never gives a line's end.
func oneLine(name string) bool { return name == "/dev/zero" || name == "/dev/full" }

// beyond is more than any disk of a machine that people work at has room for
// in one file, in bytes.
const beyond = 256 << 30

// limited reports whether commands run under a limit of time.
func limited(st *shell.State) bool {
	return slices.ContainsFunc(st.Context.Via, func(w string) bool { return w == "timeout" || w == "gtimeout" })
}

// plainName is the name of a program without the g that some systems give to
// those of GNU.
func plainName(name string) string {
	switch name {
	case "ghead", "gtail", "gdd", "gyes", "gsort", "gtac", "gsed", "ggrep", "gshuf", "gtimeout", "gxargs", "gcp", "gtee", "gsplit", "gcut":
		return name[1:]
	}
	return name
}

// flowing is what a program prints, given the sources of it, without what
// never ends if the program itself does.
func (m *machine) flowing(st *shell.State, inv *shell.Invocation, p program, r *catalog.Result, printed value.Taint) value.Taint {
	name := plainName(p.name)
	if name == "yes" || name == "seq" && slices.ContainsFunc(inv.Argv[1:], unending) {
		printed |= value.Endless
	}
	if printed.Has(value.Endless) && (ends(name, inv, r) || limited(st)) {
		printed &^= value.Endless
	}
	return printed
}

// unending reports whether a number has no end (seq(1) takes them as strtold(3)
// does).
func unending(w shell.Word) bool {
	s, ok := w.Value.Known()
	return ok && (strings.EqualFold(s, "inf") || strings.EqualFold(s, "infinity"))
}

// ends reports whether a program stops by itself on input that does not.
func ends(name string, inv *shell.Invocation, r *catalog.Result) bool {
	if r.Ends {
		return true
	}
	switch name {
	case "head":
		return !huge(lastOption(inv, "-c", "--bytes")) && !negative(lastOption(inv, "-n", "--lines")) && !negative(lastOption(inv, "-c", "--bytes"))
	case "dd", "dcfldd", "dc3dd":
		return ddEnds(inv)
	case "perl", "ruby":
		return slices.ContainsFunc(inv.Argv[1:], func(w shell.Word) bool {
			return strings.Contains(w.Value.String(), "exit") || strings.Contains(w.Value.String(), "last")
		})
	case "grep", "egrep", "fgrep", "rg", "ag", "ack":
		return hasOption(inv, "mqlL", "--max-count", "--quiet", "--silent", "--files-with-matches")
	case "od":
		return hasOption(inv, "N", "--read-bytes")
	case "hexdump", "hd":
		return hasOption(inv, "n", "--length")
	case "xxd":
		return hasOption(inv, "l", "-len")
	case "pv":
		return hasOption(inv, "S", "--stop-at-size")
	case "timeout", "less", "more", "most", "cmp", "file", "wc", "md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum", "sum", "b2sum", "xargs", "parallel":
		return true
	}
	return len(r.Runs) > 0 && r.Match != nil && r.Match.Program.Names[0] == "ssh"
}

// hasOption reports whether one of the letters stands in a cluster of options,
// or one of the long names begins a word.
func hasOption(inv *shell.Invocation, letters string, long ...string) bool {
	for _, w := range inv.Argv[1:] {
		s := w.Value.Prefix()
		if len(s) > 1 && s[0] == '-' && s[1] != '-' && strings.ContainsAny(s[1:], letters) {
			return true
		}
		if slices.ContainsFunc(long, func(l string) bool { return s == l || strings.HasPrefix(s, l+"=") }) {
			return true
		}
	}
	return false
}

// lastOption returns the value of an option in whatever form it is given, or
// "".
func lastOption(inv *shell.Invocation, short, long string) string {
	found := ""
	for i, w := range inv.Argv[1:] {
		s, ok := w.Value.Known()
		if !ok {
			continue
		}
		next := ""
		if i+2 < len(inv.Argv) {
			next, _ = inv.Argv[i+2].Value.Known()
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
func ddEnds(inv *shell.Invocation) bool {
	block, count, bytes := 512.0, -1.0, false
	for _, w := range inv.Argv[1:] {
		name, text, ok := strings.Cut(w.Value.Prefix(), "=")
		if !ok {
			continue
		}
		if !w.Value.IsKnown() {
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

// fills tells of content without end that goes to a file.
func (m *machine) fills(st *shell.State, at risk.Span, target value.Value, content value.Taint) {
	if !content.Has(value.Endless) || limited(st) {
		return
	}
	p := m.place(st, target, true)
	if p.Scope == risk.IsNull || p.Scope == risk.IsDevice || p.Scope == risk.ScopeUnknown && p.Unread {
		return
	}
	m.effect(st, at, risk.Effect{Verb: risk.Exhaust, Target: p.Path, Kind: risk.KindEndlessOutput})
}

// unbounded tells of loops without end in a program's own code, and returns what
// that adds to what it prints.
func (m *machine) unbounded(st *shell.State, inv *shell.Invocation, p program, r *catalog.Result) value.Taint {
	if limited(st) {
		return 0
	}
	if r.Unbounded.Kind != risk.NoKind {
		m.effect(st, inv.Span, risk.Effect{Verb: risk.Exhaust, Program: p.name, Kind: r.Unbounded.Kind})
	}
	if r.Unbounded.Prints {
		return value.Endless
	}
	return 0
}

// hoarders keep all of their input before they print any of it.
var hoarders = []string{"sort", "tac", "shuf", "sponge", "column", "tsort"}

// liners keep a line of their input, however long it is.
var liners = []string{"tail", "grep", "egrep", "fgrep", "sed", "awk", "gawk", "mawk", "nawk", "cut", "paste", "nl", "uniq", "comm", "join", "rev", "sort"}

// hoards tells of a program that keeps in memory what never ends.
func (m *machine) hoards(st *shell.State, inv *shell.Invocation, p program, r *catalog.Result) {
	name := plainName(p.name)
	hoarder, liner := slices.Contains(hoarders, name), slices.Contains(liners, name)
	if !hoarder && !liner || limited(st) || r.Match != nil && (r.Match.Help || r.Match.Has("help")) {
		return
	}
	if !hoarder && hasOption(inv, "z", "--zero-terminated", "--null-data") || name == "tail" && hasOption(inv, "c", "--bytes") {
		return
	}
	endless := false
	if r.ReadsStdin || r.ShowsStdin {
		endless = hoarder && inv.HasStdin && inv.Stdin.Taint().Has(value.Endless)
		for _, h := range inv.Stdin.Holes() {
			endless = endless || h.Cause == risk.CauseFile && oneLine(h.Name) && inv.Stdin.Taint().Has(value.Endless)
		}
	}
	for i := range r.Effects {
		x := &r.Effects[i]
		if s, ok := x.Target.Known(); ok && x.Verb == risk.FSRead && x.Arg != "random" {
			endless = endless || oneLine(path.Clean(s)) || hoarder && endlessDevice(path.Clean(s))
		}
	}
	if endless {
		m.effect(st, inv.Span, risk.Effect{Verb: risk.Exhaust, Target: p.name, Program: p.name, Kind: risk.KindEndlessInput})
	}
}

// reserves tells of a file that is given more room than a disk has. A file that
// truncate(1) makes is sparse and takes none.
func (m *machine) reserves(st *shell.State, inv *shell.Invocation, p program, r *catalog.Result) {
	length := ""
	switch p.name {
	case "fallocate":
		if hasOption(inv, "pdcz", "--punch-hole", "--dig-holes", "--collapse-range", "--zero-range") || r.Match == nil {
			return
		}
		length = lastOption(inv, "-l", "--length")
	case "mkfile", "xfs_mkfile":
		if hasOption(inv, "n") || len(inv.Argv) < 3 { // -n: no blocks are allocated
			return
		}
		length, _ = inv.Argv[len(inv.Argv)-2].Value.Known()
	}
	if huge(length) {
		target := inv.Argv[len(inv.Argv)-1].Value
		m.effect(st, inv.Span, risk.Effect{Verb: risk.Exhaust, Target: m.place(st, target, true).Path, Program: p.name, Kind: risk.KindMoreRoomThanThereIs})
	}
}

// starts tells of a program that starts others for every word of an input
// without end, as many at a time as it can.
func (m *machine) starts(st *shell.State, inv *shell.Invocation, p program) {
	if limited(st) || !inv.HasStdin || !inv.Stdin.Taint().Has(value.Endless) {
		return
	}
	jobs := ""
	switch plainName(p.name) {
	case "xargs":
		jobs = lastOption(inv, "-P", "--max-procs")
	case "parallel":
		jobs = lastOption(inv, "-j", "--jobs")
	default:
		return
	}
	if n, err := strconv.Atoi(jobs); err == nil && (n <= 0 || n > 1000) {
		m.effect(st, inv.Span, risk.Effect{Verb: risk.Exhaust, Target: p.name, Program: p.name, Kind: risk.KindProcessesWithoutEnd})
	}
}

// Mark implements [shell.Machine].
func (m *machine) Mark() shell.Mark {
	return shell.Mark{Effects: len(m.trace.Effects), Programs: len(m.trace.Processes)}
}

// instant are the programs that take next to no time.
var instant = []string{"echo", "printf", "print", "mkdir", "touch", "cp", "ln", "mktemp", "cat", "date", "test", "[", "expr", "head", "tee", "truncate", "fallocate", "basename", "dirname", "seq", "mkfifo", "mknod", "install", "dd", "yes"}

// Forever implements [shell.Machine].
func (m *machine) Forever(st *shell.State, span risk.Span, since shell.Mark, deeper bool) (busy bool) {
	if limited(st) {
		return false
	}
	busy = true
	if since.Programs > len(m.trace.Processes) || since.Effects > len(m.trace.Effects) {
		return false // a record that began anew
	}
	for i := range m.trace.Processes[since.Programs:] {
		rec := &m.trace.Processes[since.Programs+i]
		name := path.Base(rec.Argv[0])
		busy = busy && slices.Contains(instant, plainName(name))
		if detached(name, rec.Argv) {
			m.effect(st, span, risk.Effect{Verb: risk.Exhaust, Program: name, Kind: risk.KindContainersWithoutEnd})
		}
	}
	if !busy {
		return false
	}
	made := m.trace.Effects[since.Effects:]
	for i := range made {
		if made[i].Verb == risk.FSDelete || made[i].Verb == risk.FSMove {
			return busy // what is made may go again
		}
	}
	for i := range made {
		if kind := grows(&made[i], deeper); kind != risk.NoKind {
			m.effect(st, span, risk.Effect{Verb: risk.Exhaust, Kind: kind, Target: path.Dir(made[i].Target)})
			break
		}
	}
	return busy
}

// grows says what an effect makes more of each time it is had.
func grows(e *risk.Effect, deeper bool) risk.Kind {
	if e.Scope == risk.IsNull || e.Scope == risk.IsDevice {
		return risk.NoKind
	}
	fresh := e.Unresolved != "" && e.Cause != risk.CauseUnset // another name each time
	switch e.Verb {
	case risk.FSCreate:
		if e.Kind == risk.KindDirectory && (fresh || deeper) {
			return risk.KindDirectoriesWithoutEnd
		}
		if fresh || deeper {
			return risk.KindFilesWithoutEnd
		}
	case risk.FSWrite:
		switch {
		case fresh || deeper:
			return risk.KindFilesWithoutEnd
		case e.Kind == risk.KindAppend:
			return risk.KindOutputWithoutEnd
		}
	}
	return risk.NoKind
}

// detached reports whether a container is started that goes on by itself.
func detached(program string, argv []string) bool {
	if !slices.Contains([]string{"docker", "podman", "nerdctl"}, program) || !slices.Contains(argv, "run") {
		return false
	}
	return slices.ContainsFunc(argv, func(w string) bool {
		return w == "--detach" || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "d") && strings.Trim(w, "-ditP") == ""
	})
}
