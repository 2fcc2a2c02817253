package scan

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// A Result is one command of a file with what came of judging it. Its JSON
// form is docs/scan.schema.json.
type Result struct {
	File    string       `json:"file"` // with slashes; relative to where the scan ran if it is below
	Line    int          `json:"line"` // from 1
	Column  int          `json:"column"`
	EndLine int          `json:"end_line"`
	Decided Position     `json:"decided"` // where in the file that stands which decided
	Kind    Kind         `json:"kind"`
	Name    string       `json:"name,omitempty"` // of the job, target, stage or section
	Tier    risk.Tier    `json:"tier"`
	Level   risk.Level   `json:"level"`
	Verdict risk.Verdict `json:"verdict"`
	Score   int          `json:"score"`
	Summary string       `json:"summary"`
	Command string       `json:"command"`
	// Rule names the row of the decision table that decided: "fs.delete: work
	// that is nowhere else goes", or [NotInspected].
	Rule string `json:"rule,omitempty"`
	// Fingerprint is the same as long as file, kind and command are, whatever
	// their place.
	Fingerprint string          `json:"fingerprint"`
	Assessment  risk.Assessment `json:"assessment"`
}

// A Position is a place in a file; both numbers count from 1, and columns are
// characters.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// NotInspected is the rule of what could not be read.
const NotInspected = "not inspected"

// Fingerprint identifies a command of a file: white space in it and its place
// do not count.
func Fingerprint(file string, kind Kind, command string) string {
	h := sha256.New()
	for _, part := range []string{file, string(kind), strings.Join(strings.Fields(command), " ")} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Sort orders results as they are read: the worst last, and else by place.
func Sort(all []Result) {
	slices.SortStableFunc(all, func(a, b Result) int {
		switch {
		case a.Tier != b.Tier:
			return int(a.Tier) - int(b.Tier)
		case a.File != b.File:
			return strings.Compare(a.File, b.File)
		case a.Line != b.Line:
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
}
