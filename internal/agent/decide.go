package agent

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/risk"
)

// A Decision is what an agent is told about a command.
type Decision uint8

// The decisions.
const (
	Leave Decision = iota // no decision: the agent goes by its own rules
	Allow                 // run it without asking
	Ask                   // ask the person
	Deny                  // do not run it, whatever anybody else says
)

// String returns the word of the decision.
func (d Decision) String() string { return [...]string{"leave", "allow", "ask", "deny"}[d] }

// An Answer is a decision and the reason that people see. It is empty where
// nothing is decided.
type Answer struct {
	Decision Decision
	Reason   string
}

// Decide turns an assessment into an answer: level A is allowed, REVIEW is
// asked, or denied if it is in the table below, and what lies between is left
// to the agent. home is the home directory of the session.
func Decide(a *risk.Assessment, home string) Answer {
	reason := fmt.Sprintf("[%s] %s", a.Tier, a.Summary)
	if what := neverMeant(a.Effects, home); what != "" {
		return Answer{Deny, reason + "\nheed lets no agent " + what + ". If it is meant all the same, a person can do it in a terminal."}
	}
	switch {
	case a.Tier == risk.Review:
		return Answer{Ask, reason + safer(a.Safer)}
	case a.Level == risk.A:
		return Answer{Allow, reason}
	}
	return Answer{}
}

// TooLate is the answer for a command whose assessment did not end in time.
func TooLate() Answer {
	return Answer{Ask, "[REVIEW] Not inspected: heed took too long. Read the command yourself."}
}

// NotInspected is the answer for a command in a language that heed does not
// read.
func NotInspected(language string) Answer {
	return Answer{Ask, "[REVIEW] Not inspected: heed does not read " + language + ". Read the command yourself."}
}

// maxSafer is the longest safer command that a prompt shows, in characters: a
// command that was cut is not safer.
const maxSafer = 400

func safer(all []risk.Safer) string {
	for _, s := range all {
		if c := explain.Visible(s.Command); utf8.RuneCountInString(c) <= maxSafer {
			return fmt.Sprintf("\nSafer: %s  (%s)", c, s.Why)
		}
	}
	return ""
}

// A stop is a kind of effect that is denied and not asked about.
type stop struct {
	what string // completes "heed lets no agent …"
	hits func(e *risk.Effect, home string) bool
}

// never is the table of what no agent can mean. It is denied because an ask
// can be answered by others: a PermissionRequest hook of Claude Code that
// allows fast enough satisfies it (seen with 2.1.329). All rows are about this
// machine; a target that is not wholly known is asked about.
func never() []stop {
	return []stop{
		{"delete the root directory or the home directory", func(e *risk.Effect, home string) bool {
			// With a detail the deletion is a selection: find, rsync --delete.
			return e.Verb == risk.FSDelete && e.Recursive && e.Kind == risk.NoKind && (e.Target == "/" || home != "" && e.Target == path.Clean(home))
		}},
		{"start a fork bomb", func(e *risk.Effect, _ string) bool {
			return e.Verb == risk.Exhaust && e.Kind == risk.KindForkBomb
		}},
		{"write a disk", func(e *risk.Effect, _ string) bool {
			return e.Verb == risk.DiskWrite && !strings.HasPrefix(e.Target, "/dev/loop") ||
				e.Verb == risk.FSWrite && e.Scope == risk.IsDevice && isDisk(e.Target)
		}},
	}
}

// neverMeant names the first row of the table that an effect hits.
func neverMeant(effects []risk.Effect, home string) string {
	for _, row := range never() {
		for i := range effects {
			if e := &effects[i]; e.Host == "" && e.Unresolved == "" && row.hits(e, home) {
				return row.what
			}
		}
	}
	return ""
}

// isDisk reports whether a device is named as disks and their partitions are.
// Loop devices are not: they stand for files. Source: Linux
// Documentation/admin-guide/devices.txt; macOS diskutil(8).
func isDisk(device string) bool {
	name, ok := strings.CutPrefix(device, "/dev/")
	if !ok {
		return false
	}
	for _, prefix := range []string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "md", "dm-", "mapper/", "disk", "rdisk"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" {
			return true
		}
	}
	return false
}
