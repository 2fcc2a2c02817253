package attack

import (
	"slices"
	"strings"
)

//go:generate go run ./internal/generate

// Version is the version of ATT&CK Enterprise that the tables follow.
const Version = "19.2"

// Tactic is a column of the matrix: what a technique is for.
type Tactic struct {
	ID        string // "TA0112"
	ShortName string // "defense-impairment", as in Sigma's tags and STIX
	Name      string // "Defense Impairment"
}

// Tactics returns all tactics in the order of the matrix.
func Tactics() []Tactic {
	return []Tactic{
		{"TA0043", "reconnaissance", "Reconnaissance"},
		{"TA0042", "resource-development", "Resource Development"},
		{"TA0001", "initial-access", "Initial Access"},
		{"TA0002", "execution", "Execution"},
		{"TA0003", "persistence", "Persistence"},
		{"TA0004", "privilege-escalation", "Privilege Escalation"},
		{"TA0005", "stealth", "Stealth"},
		{"TA0112", "defense-impairment", "Defense Impairment"},
		{"TA0006", "credential-access", "Credential Access"},
		{"TA0007", "discovery", "Discovery"},
		{"TA0008", "lateral-movement", "Lateral Movement"},
		{"TA0009", "collection", "Collection"},
		{"TA0011", "command-and-control", "Command and Control"},
		{"TA0010", "exfiltration", "Exfiltration"},
		{"TA0040", "impact", "Impact"},
	}
}

// Technique is a current technique or sub-technique.
type Technique struct {
	ID      string   // "T1059.004"
	Name    string   // "Unix Shell"
	Parent  string   // name of the technique that this is a sub-technique of, or ""
	Tactics []Tactic // in the order of the matrix, never empty
}

// Title returns the name as MITRE prints it: "Parent: Name" for a
// sub-technique.
func (t Technique) Title() string {
	if t.Parent == "" {
		return t.Name
	}
	return t.Parent + ": " + t.Name
}

// Lookup returns the technique with a current id. The letter may be a small
// one, as in Sigma's tags.
func Lookup(id string) (Technique, bool) {
	r, ok := find(canonical(id))
	if !ok {
		return Technique{}, false
	}
	t := Technique{ID: r.id, Name: r.name}
	if parent, _, sub := strings.Cut(r.id, "."); sub {
		p, _ := find(parent)
		t.Parent = p.name
	}
	for i, tactic := range Tactics() {
		if r.tactics&(1<<i) != 0 {
			t.Tactics = append(t.Tactics, tactic)
		}
	}
	return t, true
}

// Current returns the current id for an id of any version: the id itself, or
// the one that replaced it. It is false for what never was an Enterprise
// technique, and for what was deprecated without a replacement.
func Current(id string) (string, bool) {
	id = canonical(id)
	if r, ok := find(id); ok {
		return r.id, true
	}
	i, ok := slices.BinarySearchFunc(revoked, id, func(r replacement, id string) int { return strings.Compare(r.old, id) })
	if !ok {
		return "", false
	}
	return revoked[i].now, true
}

// record is a row of the generated table.
type record struct {
	id, name string
	tactics  uint16 // bit i: the tactic Tactics()[i]
}

// replacement is a row of the generated table of revoked ids.
type replacement struct{ old, now string }

func find(id string) (record, bool) {
	i, ok := slices.BinarySearchFunc(techniques, id, func(r record, id string) int { return strings.Compare(r.id, id) })
	if !ok {
		return record{}, false
	}
	return techniques[i], true
}

// canonical spells an id as the tables do.
func canonical(id string) string {
	if rest, ok := strings.CutPrefix(id, "t"); ok {
		return "T" + rest
	}
	return id
}
