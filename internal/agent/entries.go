package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/wrap/shellargs"
)

// A Target is a file that heed's hook goes into.
type Target struct {
	// File is the file, and Inside the directory that it may not lead out of.
	File, Inside string
	Mode         fs.FileMode // of a file that is made; 0: for its owner alone
	// Add returns the text with a hook that runs the heed of this path before every
	// command; the same text if it is there already. A nil text stands for a file that
	// does not exist.
	Add func(text []byte, heed string) ([]byte, error)
	// Remove returns the text without it.
	Remove func(text []byte) ([]byte, error)
	// Empty reports whether a text holds nothing but what heed makes a file of.
	Empty func(text []byte) bool
	// Program is the heed that the hook runs; "" if there is none.
	Program func(text []byte) string
	// AddNet returns the text with a second net, the program of this path, in the
	// environment of the agent's commands, and Net is the one that is there, "" if none.
	// Both are nil where no setting of the agent's is known to do that. Remove takes it
	// out too.
	AddNet func(text []byte, net string) ([]byte, error)
	Net    func(text []byte) string
}

// An entry is one hook in a file of settings.
type entry struct {
	at    []string // the names that lead to the list that it stands in
	value any
	first bool // it stands before all others
}

// A settings is what heed's hook is in the JSON settings of an agent.
type settings struct {
	agent    string
	base     string // what a new file begins as
	comments bool   // the agent reads JSON with comments
	entries  func(heed string) []entry
}

// target is a file of these settings.
func (s *settings) target(file, inside string) Target {
	return Target{File: file, Inside: inside, Add: s.add, Remove: s.remove, Empty: s.empty, Program: s.program}
}

// parse reads settings.
func (s *settings) parse(text []byte) (*node, error) {
	if s.comments {
		text = blanked(text)
	}
	return parseJSON(text)
}

func (s *settings) add(text []byte, heed string) ([]byte, error) {
	if text == nil {
		text = []byte(s.base)
	}
	if present, err := s.upToDate(text, heed); err != nil || present {
		return text, err
	}
	text, err := s.remove(text)
	if err != nil {
		return nil, err
	}
	for _, e := range s.entries(heed) {
		root, err := s.parse(text)
		if err != nil {
			return nil, err
		}
		if text, err = insert(text, root, &e); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// insert adds an entry, with as much around it as is missing. A member is written as
// an object of one name, without its braces.
func insert(text []byte, root *node, e *entry) ([]byte, error) {
	st := styleOf(text, root)
	in := root
	for i, key := range e.at {
		kid := in.get(key)
		if kid == nil {
			var v any = []any{e.value}
			for _, name := range slices.Backward(e.at[i+1:]) {
				v = map[string]any{name: v}
			}
			return in.with(text, st, false, func(prefix, unit string) string { return render(key, "", "") + ": " + render(v, prefix, unit) }), nil
		}
		if in = kid; i < len(e.at)-1 && in.kind != '{' {
			return nil, fmt.Errorf("%q is not an object: correct it first", strings.Join(e.at[:i+1], "."))
		}
	}
	if in.kind != '[' {
		return nil, fmt.Errorf("%q is not a list: correct it first", strings.Join(e.at, "."))
	}
	return in.with(text, st, e.first, func(prefix, unit string) string { return render(e.value, prefix, unit) }), nil
}

// remove returns settings without heed's hooks, and without the containers that are
// empty then.
func (s *settings) remove(text []byte) ([]byte, error) {
	for {
		root, err := s.parse(text)
		if err != nil {
			return nil, err
		}
		all, err := s.own(text, root)
		if err != nil || len(all) == 0 {
			return text, err
		}
		text = all[0].remove(text)
	}
}

// empty reports whether nothing is left of settings but what a new file begins as.
func (s *settings) empty(text []byte) bool {
	var is, base bytes.Buffer
	return json.Compact(&is, text) == nil && json.Compact(&base, []byte(s.base)) == nil && is.String() == base.String()
}

func (s *settings) program(text []byte) string {
	root, err := s.parse(text)
	if err != nil {
		return ""
	}
	all, err := s.own(text, root)
	if err != nil || len(all) == 0 {
		return ""
	}
	return all[0].program
}

// upToDate reports whether settings hold exactly the entries that would be written, and
// no other of heed's.
func (s *settings) upToDate(text []byte, heed string) (bool, error) {
	root, err := s.parse(text)
	if err != nil {
		return false, err
	}
	all, err := s.own(text, root)
	if err != nil {
		return false, err
	}
	want := s.entries(heed)
	for _, e := range want {
		in := root
		for _, key := range e.at {
			in = in.get(key)
		}
		if in == nil || !slices.ContainsFunc(in.kids, func(kid *node) bool {
			var b bytes.Buffer
			return json.Compact(&b, blanked(text[kid.start:kid.end])) == nil && b.String() == render(e.value, "", "")
		}) {
			return false, nil
		}
	}
	return len(all) == len(want), nil
}

// A spot is where a hook of heed's stands: the containers from the root to the list
// that it is in, and which entry of each leads on.
type spot struct {
	boxes   []*node
	entries []int
	group   int // which container is a group, that is worth nothing without hooks; -1: none
	program string
}

// remove cuts the hook out, or the outermost container that would be empty without it.
func (s *spot) remove(text []byte) []byte {
	at := len(s.boxes) - 1
	for at > 0 && (len(s.boxes[at].kids) == 1 || at == s.group) {
		at--
	}
	return s.boxes[at].without(text, s.entries[at])
}

// own finds heed's hooks in the lists that its entries stand in. What stands in the
// place of a list and is none is an error: it is not heed's to mend.
func (s *settings) own(text []byte, root *node) (all []*spot, err error) {
	seen := map[string]bool{}
	for _, e := range s.entries("heed") {
		if where := strings.Join(e.at, "\x00"); seen[where] {
			continue
		} else {
			seen[where] = true
		}
		boxes, entries := []*node{root}, []int{}
		for i, key := range e.at {
			in := boxes[len(boxes)-1]
			if in.kind != '{' {
				return nil, fmt.Errorf("%q is not an object: correct it first", strings.Join(e.at[:i], "."))
			}
			at := slices.Index(in.keys, key)
			if at < 0 {
				break
			}
			boxes, entries = append(boxes, in.kids[at]), append(entries, at)
		}
		if len(entries) < len(e.at) {
			continue
		}
		list := boxes[len(boxes)-1]
		if list.kind != '[' {
			return nil, fmt.Errorf("%q is not a list: correct it first", strings.Join(e.at, "."))
		}
		for i, kid := range list.kids {
			if p := s.heed(text, kid); p != "" {
				all = append(all, &spot{boxes, append(slices.Clone(entries), i), -1, p})
				continue
			}
			hooks := kid.get("hooks")
			if hooks == nil || hooks.kind != '[' {
				continue
			}
			for j, h := range hooks.kids {
				if p := s.heed(text, h); p != "" {
					all = append(all, &spot{
						append(slices.Clone(boxes), kid, hooks), append(slices.Clone(entries), i, slices.Index(kid.keys, "hooks"), j), len(boxes), p,
					})
				}
			}
		}
	}
	return all, nil
}

// heed is the program of a hook that heed wrote, "" for others: it is called as heed
// is, whatever the program's name.
func (s *settings) heed(text []byte, h *node) string {
	var v struct {
		Command string          `json:"command"`
		Bash    string          `json:"bash"`
		Args    []string        `json:"args"`
		Action  json.RawMessage `json:"action"`
		To      string          `json:"to"`
	}
	if h.kind != '{' || json.Unmarshal(blanked(text[h.start:h.end]), &v) != nil {
		return ""
	}
	if slices.Equal(v.Args, hookArgs(s.agent)) {
		return v.Command
	}
	if string(v.Action) == `"delegate"` && path.Base(v.To) == "heed" {
		return v.To
	}
	var inner struct {
		Command string `json:"command"`
	}
	_ = json.Unmarshal(v.Action, &inner) // a word, or absent
	for _, line := range []string{v.Command, v.Bash, inner.Command} {
		if p := programOf(line, s.agent); p != "" {
			return p
		}
	}
	return ""
}

// hookArgs are the arguments by which heed knows its own entry again.
func hookArgs(agent string) []string { return []string{"hook", agent} }

// line is what a shell runs to call heed. Where heed is gone, or was killed, the code is
// 2 all the same: a refusal.
func line(heed, agent string) string {
	return plainLine(heed, agent) + " || exit 2"
}

func plainLine(heed, agent string) string {
	return shellargs.Join(append([]string{heed}, hookArgs(agent)...))
}

// programOf is the program of a line that calls heed for an agent; "" for other lines.
func programOf(line, agent string) string {
	word, rest, found := strings.Cut(line, " hook "+agent)
	if !found || rest != "" && rest[0] != ' ' {
		return ""
	}
	if inner, ok := strings.CutPrefix(word, "'"); ok {
		return strings.ReplaceAll(strings.TrimSuffix(inner, "'"), `'\''`, "'")
	}
	if inner, ok := strings.CutPrefix(word, `"`); ok {
		word = strings.TrimSuffix(inner, `"`)
	} else if strings.ContainsAny(word, " \t") {
		return ""
	}
	return word
}

// written marks the files that are heed's as a whole.
const written = "Written by `heed install"

// whole is a file that is heed's as a whole. program finds the heed that it runs.
func whole(file, inside string, mode fs.FileMode, content func(heed string) string, program func(text string) string) Target {
	ours := func(text []byte) bool { return bytes.Contains(text, []byte(written)) }
	return Target{
		File: file, Inside: inside, Mode: mode,
		Add: func(text []byte, heed string) ([]byte, error) {
			if text != nil && !ours(text) {
				return nil, errors.New("there is a file of somebody else in its place: see docs/agents.md for what to put into it")
			}
			return []byte(content(heed)), nil
		},
		Remove: func(text []byte) ([]byte, error) {
			if ours(text) {
				return []byte{}, nil
			}
			return text, nil
		},
		Empty: func(text []byte) bool { return len(text) == 0 },
		Program: func(text []byte) string {
			if !ours(text) {
				return ""
			}
			return program(string(text))
		},
	}
}

// render writes a value as the end of a line that is already indented by
// prefix; without a unit it is one line.
func render(v any, prefix, unit string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if unit != "" {
		e.SetIndent(prefix, unit)
	}
	// The values are structs of strings and numbers: nothing can fail.
	_ = e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n")
}
