package policy

import (
	"path"
	"strings"

	"github.com/heedsh/heed/risk"
)

// A bandRow is what a band of the scale comes to at each front, where no other
// rule says anything.
type bandRow struct {
	rule string
	at   [fronts]Action
}

// bands is the table of the scale. What lies between harmless and REVIEW is left
// to an agent, which has rules for it; heed run asks about it where somebody can be
// asked, and else runs it and says so.
func bands() [risk.BandReview + 1]bandRow {
	return [...]bandRow{
		risk.BandSafe:     {"builtin.safe", [fronts]Action{Agent: Allow, Run: Allow, Alone: Allow}},
		risk.BandCautionA: {"builtin.low-impact", [fronts]Action{Agent: Allow, Run: Allow, Alone: Allow}},
		risk.BandCautionB: {"builtin.caution", [fronts]Action{Agent: Leave, Run: Ask, Alone: Allow}},
		risk.BandReview:   {"builtin.review", [fronts]Action{Agent: Ask, Run: Ask, Alone: Ask}},
	}
}

// bandRule names what decides by a band alone.
func bandRule(band risk.Band) string { return bands()[band].rule }

// A stop is a kind of effect that is denied and not asked about.
type stop struct {
	rule string
	what string // completes "heed lets no agent …"
	hits func(e *risk.Effect, home string) bool
}

// never is the table of what nobody can mean. It is denied because an ask can
// be answered by others: a PermissionRequest hook of Claude Code that allows
// fast enough satisfies it (seen with 2.1.329). All rows are about this machine;
// a target that is not wholly known is asked about.
func never() []stop {
	return []stop{
		{"builtin.never-root", "delete the root directory or the home directory", func(e *risk.Effect, home string) bool {
			// With a detail the deletion is a selection: find, rsync --delete.
			return e.Verb == risk.FSDelete && e.Recursive && e.Kind == risk.NoKind && (e.Target == "/" || home != "" && e.Target == path.Clean(home))
		}},
		{"builtin.never-fork-bomb", "start a fork bomb", func(e *risk.Effect, _ string) bool {
			return e.Verb == risk.Exhaust && e.Kind == risk.KindForkBomb
		}},
		{"builtin.never-disk", "write a disk", func(e *risk.Effect, _ string) bool {
			return e.Verb == risk.DiskWrite && !strings.HasPrefix(e.Target, "/dev/loop") ||
				e.Verb == risk.FSWrite && e.Scope == risk.IsDevice && isDisk(e.Target)
		}},
	}
}

// neverMeant returns the first row of the table that an effect hits, or nil.
func neverMeant(effects []risk.Effect, home string) *stop {
	rows := never()
	for r := range rows {
		for i := range effects {
			if e := &effects[i]; e.Host == "" && e.Unresolved == "" && rows[r].hits(e, home) {
				return &rows[r]
			}
		}
	}
	return nil
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
