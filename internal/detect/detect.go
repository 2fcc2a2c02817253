package detect

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// Mask stands in an argument vector for a word that is data or a pattern, or
// for that part of a word. No real word can hold it.
const Mask = "\x00"

// Session is the layer of findings about what a command means after those before it
// in its session.
const Session = "session"

// A Process is one program that would start.
type Process struct {
	// Program is the name under which the catalog knows it; empty if it does not.
	Program string
	// Summary is the catalog's phrase for what it is asked to do.
	Summary string
	// Path is where it was found, or the word as it was written.
	Path string
	// Argv are its words. Those that are data or patterns are [Mask].
	Argv []string
	// Data are the texts that were masked.
	Data []string
	// Flags are what its options set, in the words of its spec.
	Flags []string
	// Parent is the index of the process that starts it, -1 for the shell.
	Parent     int
	Span       risk.Span
	Dir        string
	Host       string // empty: this machine
	Container  bool
	Privileged bool
}

// Line returns the words joined by blanks, as a process table shows them.
func (p *Process) Line() string { return strings.Join(p.Argv, " ") }

// maxEvidence is how many bytes of evidence a finding carries.
const maxEvidence = 120

// Evidence makes a text fit for a finding: masked words are shown as "…", and
// what is too long is cut.
func Evidence(s string) string {
	s = strings.ReplaceAll(s, Mask, "…")
	if len(s) <= maxEvidence {
		return s
	}
	return strings.ToValidUTF8(s[:maxEvidence], "") + "…"
}

// Depth returns how many processes stand between this one and the shell.
func (c *Context) Depth(i int) int {
	depth := 0
	for p := c.Processes[i].Parent; p >= 0 && p < i; i, p = p, c.Processes[p].Parent {
		depth++
	}
	return depth
}

// The bounds of masking: longer commands are not masked, and texts beyond the
// number are left as they are.
const (
	maxText = 64 << 10
	maxData = 200
)

// Text returns the command with the texts masked that are data to the programs
// that get them, where they stand in it as they are: one [Mask] for each.
func (c *Context) Text() string {
	var masked []byte
	n := 0
	for i := range c.Processes {
		p := &c.Processes[i]
		for _, d := range p.Data {
			if n++; n > maxData || len(c.Command) > maxText {
				break
			}
			at := find(c.Command, p.Span, d)
			if at < 0 {
				continue
			}
			if masked == nil {
				masked = []byte(c.Command)
			}
			for j := range len(d) {
				masked[at+j] = Mask[0]
			}
		}
	}
	if masked == nil {
		return c.Command
	}
	return string(slices.CompactFunc(masked, func(a, b byte) bool { return a == Mask[0] && b == Mask[0] }))
}

// find returns the first place of a text inside a span that is no part of a
// longer word, -1 if there is none.
func find(text string, span risk.Span, data string) int {
	if len(data) < 2 || span.Start < 0 || span.End > len(text) || span.Start >= span.End {
		return -1
	}
	for from := span.Start; ; {
		i := strings.Index(text[from:span.End], data)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(data)
		if (i == span.Start || strings.IndexByte(" \t\n\"'=", text[i-1]) >= 0) && (end == len(text) || strings.IndexByte(" \t\n\"';|&)><", text[end]) >= 0) {
			return i
		}
		from = end
	}
}

// A Context is all that detectors see of one request.
type Context struct {
	Command   string
	Shell     string
	User      string
	OS        string // "linux", "darwin"; where the command would run
	Processes []Process
	Effects   []risk.Effect
	Unknowns  []risk.Unknown
	// NotInspected says that something would run that heed did not read.
	NotInspected bool
}
