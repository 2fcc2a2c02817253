package record

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// An Answer is one question of a Log, taken apart, with its answer.
type Answer struct {
	Method string // "lstat", "list", "git status" …
	Path   string // the first argument: a path, or a repository's directory
	Name   string // the second argument, if it is a string: a path, ref or key
	Limit  int    // the number that follows, if one does
	From   []string
	By     []string // the lists of "git missing"
	Value  any      // as package world has it; a Found for "git", Branch and Commit for "git head"
	Err    error
}

// JSON writes the answer as a Log does: equal answers give equal bytes, whatever
// a later version of heed keeps in its memory.
func (a *Answer) JSON() ([]byte, error) {
	if a.Value == nil {
		return []byte("null"), nil
	}
	return json.Marshal(Escape(a.Value))
}

// Found is the answer to which repository holds a directory.
type Found struct{ Dir string } // "" if there is none

// Head is the answer to what is checked out.
type Head struct{ Branch, Commit string }

// Logged is the answer to which ids logs of refs name.
type Logged struct {
	IDs      []string
	Complete bool
}

// Missing is the answer to how many commits others lack, and to how many objects
// nothing keeps.
type Missing struct {
	N        int
	Complete bool
}

// Changes is the answer to where two revisions differ.
type Changes struct {
	Paths    []string
	Complete bool
}

// Answers returns all questions with their answers, in the order of their
// spelling. It fails if one of them is not what a recorder writes, or if an
// answer is more than was asked for: a Log that was damaged, or that somebody
// made up, is found out here and not by what follows from it.
func (l *Log) Answers() ([]Answer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make([]Answer, 0, len(l.answers))
	for _, key := range slices.Sorted(maps.Keys(l.answers)) {
		a, err := parse(key)
		if err == nil {
			err = a.fill(l.answers[key])
		}
		if err != nil {
			return nil, fmt.Errorf("%.80s: %w", key, err)
		}
		all = append(all, a)
	}
	return all, nil
}

// parse takes the spelling of a question apart (see question).
func parse(key string) (a Answer, err error) {
	at := strings.Index(key, ` "`)
	if at < 0 {
		return a, errors.New("this is no question")
	}
	a.Method = key[:at]
	rest := key[at:]
	strs, numbers, lists := 0, 0, 0
	for rest != "" {
		rest, _ = strings.CutPrefix(rest, " ")
		switch {
		case strings.HasPrefix(rest, `"`):
			var s string
			if s, rest, err = cutQuoted(rest); err != nil {
				return a, err
			}
			*[]*string{&a.Path, &a.Name}[min(strs, 1)] = s
			strs++
		case strings.HasPrefix(rest, "["):
			var list []string
			if list, rest, err = cutList(rest); err != nil {
				return a, err
			}
			*[]*[]string{&a.From, &a.By}[min(lists, 1)] = list
			lists++
		default:
			word, more, _ := strings.Cut(rest, " ")
			n, err := strconv.Atoi(word)
			if err != nil {
				return a, errors.New("this is no question")
			}
			if numbers == 0 {
				a.Limit = n
			}
			numbers++
			rest = lead(more)
		}
	}
	if want, ok := shapes()[a.Method]; !ok || want != [3]int{strs, numbers, lists} {
		return a, errors.New("this is no question that heed asks")
	}
	return a, nil
}

func lead(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}

// shapes are how many strings, numbers and lists each question has.
func shapes() map[string][3]int {
	return map[string][3]int{
		"lstat": {1}, "readlink": {1}, "list": {1, 1}, "read": {1, 1}, "lines": {2}, "mount": {1}, "denied": {1, 1}, "git": {1},
		"git root": {1}, "git common": {1}, "git head": {1}, "git ref": {2}, "git refs": {2, 1}, "git state": {2},
		"git status": {2, 1}, "git part": {2, 2}, "git config": {2}, "git config keys": {2, 1}, "git hooks": {1},
		"git own": {2}, "git links": {1, 1}, "git changes": {3, 1},
		"git missing": {1, 1, 2}, "git stashes": {1}, "git worktrees": {1}, "git logged": {1, 1}, "git unkept": {1, 1},
	}
}

func cutQuoted(s string) (text, rest string, err error) {
	quoted, err := strconv.QuotedPrefix(s)
	if err == nil {
		text, err = strconv.Unquote(quoted)
	}
	if err != nil {
		return "", "", errors.New("its quotes are not closed")
	}
	return text, s[len(quoted):], nil
}

func cutList(s string) (list []string, rest string, err error) {
	s = s[1:]
	for {
		s, _ = strings.CutPrefix(s, " ")
		if rest, ok := strings.CutPrefix(s, "]"); ok {
			return list, rest, nil
		}
		var text string
		if text, s, err = cutQuoted(s); err != nil {
			return nil, "", err
		}
		list = append(list, text)
	}
}

// fill decodes the answer in the form that its question has.
func (a *Answer) fill(from *answer) (err error) {
	a.Err = from.err
	switch a.Method {
	case "lstat":
		a.Value, err = typed[world.Info](from)
	case "readlink", "git root", "git common", "git ref":
		a.Value, err = typed[string](from)
	case "list":
		err = entries(a, from)
	case "read":
		var text []byte
		text, err = typed[[]byte](from)
		if err == nil && len(text) > max(a.Limit, 0) {
			err = errors.New("the answer is longer than was asked for")
		}
		a.Value = text
	case "lines":
		a.Value, err = typed[world.Lines](from)
	case "mount":
		a.Value, err = typed[world.Mount](from)
	case "git":
		var at found
		at, err = typed[found](from)
		a.Value = Found{at.Dir}
	case "git head":
		var p pair[string, string]
		p, err = typed[pair[string, string]](from)
		a.Value = Head{p.A, p.B}
	case "git missing", "git unkept":
		var p pair[int, bool]
		p, err = typed[pair[int, bool]](from)
		a.Value = Missing{p.A, p.B}
	case "git logged":
		var p pair[[]string, bool]
		p, err = typed[pair[[]string, bool]](from)
		a.Value = Logged{p.A, p.B}
	case "git changes":
		var p pair[[]string, bool]
		p, err = typed[pair[[]string, bool]](from)
		a.Value = Changes{p.A, p.B}
	case "git own", "denied":
		a.Value, err = typed[bool](from)
	case "git refs":
		a.Value, err = typed[[]world.Ref](from)
	case "git state":
		a.Value, err = typed[world.FileState](from)
	case "git status", "git part":
		a.Value, err = typed[world.Status](from)
	case "git stashes":
		a.Value, err = typed[int](from)
	default: // config, config keys, hooks, worktrees
		a.Value, err = typed[[]string](from)
	}
	return err
}

// entries decodes the listing of a directory: at most as long as was asked
// for, sorted, and of plain names.
func entries(a *Answer, from *answer) error {
	list, err := typed[[]world.Entry](from)
	if err != nil {
		return err
	}
	if len(list) > max(a.Limit, 0) {
		return errors.New("the answer is longer than was asked for")
	}
	for _, e := range list {
		if e.Name == "" || e.Name == "." || e.Name == ".." || strings.ContainsAny(e.Name, "/\x00") {
			return fmt.Errorf("%.40q is no name of a file", e.Name)
		}
	}
	byName := func(x, y world.Entry) int { return cmp.Compare(x.Name, y.Name) }
	if !slices.IsSortedFunc(list, byName) {
		return errors.New("the names are not in order")
	}
	a.Value = list
	return nil
}

// typed returns an answer's value, decoding it if it is still JSON.
func typed[T any](a *answer) (v T, err error) {
	if v, ok := a.value.(T); ok {
		return v, nil
	}
	if a.raw == nil {
		return v, errors.New("the answer is of another kind")
	}
	if err := a.decode(&v); err != nil {
		return v, fmt.Errorf("the answer is damaged: %w", err)
	}
	a.value, a.raw = v, nil
	return v, nil
}

// Rewrite returns a copy of a Log in which f was applied to all texts that
// were answered, file contents included. Questions stay as they are.
func (l *Log) Rewrite(f func(string) string) *Log {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := &Log{user: l.user, os: l.os, host: l.host, answers: make(map[string]*answer, len(l.answers))}
	for key, a := range l.answers {
		c := *a
		switch v := a.value.(type) {
		case nil:
		case []byte:
			c.value = []byte(f(string(v)))
			if v == nil {
				c.value = v
			}
		default:
			rv := reflect.New(reflect.TypeOf(v)).Elem()
			rv.Set(reflect.ValueOf(v))
			// The only error is that of the function, which has none.
			_ = mapStrings(rv, func(s string) (string, error) { return f(s), nil })
			c.value = rv.Interface()
		}
		out.answers[key] = &c
	}
	return out
}

// Escape returns a copy of a value, made of structs, slices and maps of
// strings, in which every string survives JSON; Unescape undoes it in place.
func Escape[T any](v T) T { return escaped(reflect.ValueOf(v)).Interface().(T) }

// Unescape undoes Escape.
func Unescape[T any](v *T) error { return mapStrings(reflect.ValueOf(v).Elem(), unescape) }

// Account returns who the recorded session belongs to, and the system and the
// name of the machine.
func (l *Log) Account() (user world.User, os, host string) { return l.user, l.os, l.host }
