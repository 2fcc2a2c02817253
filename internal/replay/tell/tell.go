package tell

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/internal/replay"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/madeup"
	"github.com/heedsh/heed/internal/world/record"
	"github.com/heedsh/heed/risk"
)

// A teller says what was read of a world in the statements of package madeup.
type teller struct {
	req     risk.Request
	account world.User
	os      string
	host    string
	files   map[string]*file
	repos   map[string]*repository // by git directory
	mounts  map[string]world.Mount // by where they are
	notes   []string
	order   []string         // the names in files, sorted
	counted map[string]int64 // bytes of files that are told only because they were counted
}

// A file is what was read of one path.
type file struct {
	info   *world.Info
	link   string
	text   *string // its contents
	begin  string  // the line that was asked for, if its contents were not
	listed []world.Entry
	state  world.FileState
	stated bool
	kind   world.Kind // from a listing, where nothing else is known
	more   int        // it stands for so many files
}

func newTeller(r *replay.Record, answers []record.Answer) *teller {
	t := &teller{req: r.Request, files: map[string]*file{}, repos: map[string]*repository{}, mounts: map[string]world.Mount{}, counted: map[string]int64{}}
	t.account, t.os, t.host = r.World.Account()
	for i := range answers {
		a := &answers[i]
		if strings.HasPrefix(a.Method, "git") {
			t.git(a)
			continue
		}
		t.file(a)
	}
	for _, f := range slices.Clone(t.names()) {
		for _, e := range t.files[f].listed {
			at := t.at(path.Join(f, e.Name))
			at.kind = e.Kind
		}
	}
	return t
}

func (t *teller) unsaid(format string, args ...any) {
	if note := fmt.Sprintf(format, args...); !slices.Contains(t.notes, note) {
		t.notes = append(t.notes, note)
	}
}

func (t *teller) at(name string) *file {
	f := t.files[name]
	if f == nil {
		f = &file{}
		t.files[name] = f
	}
	return f
}

// names are the paths that were read, sorted.
func (t *teller) names() []string {
	if len(t.order) != len(t.files) {
		t.order = slices.Sorted(maps.Keys(t.files))
	}
	return t.order
}

// maxTold is how many lines of a file are told.
const maxTold = 1000

// below are the paths below a directory.
func (t *teller) below(dir string) []string {
	prefix := strings.TrimSuffix(dir, "/") + "/"
	all := t.names()
	from, _ := slices.BinarySearch(all, prefix)
	to := from
	for to < len(all) && strings.HasPrefix(all[to], prefix) {
		to++
	}
	return all[from:to]
}

// file takes an answer about files in.
func (t *teller) file(a *record.Answer) {
	if !path.IsAbs(a.Path) || a.Path == "/" && a.Method != "list" {
		return
	}
	if a.Err != nil && a.Method != "list" {
		if a.Method == "lstat" {
			t.unsaid("that %s could not be looked at: %v", a.Path, a.Err)
		}
		return
	}
	switch v := a.Value.(type) {
	case world.Info:
		t.at(a.Path).info = &v
	case string: // of a link
		t.at(a.Path).link = v
	case world.Lines:
		if v.N > 0 {
			t.at(a.Path).begin = strings.Repeat(a.Name+v.First+"\n", min(v.N, maxTold))
		}
	case []byte:
		text := string(v)
		t.at(a.Path).text = &text
	case []world.Entry:
		if f := t.at(a.Path); len(v) > len(f.listed) {
			f.listed = v
		}
		if a.Err != nil {
			t.unsaid("that %s could not be listed in full: %v", a.Path, a.Err)
		}
	case world.Mount:
		t.mounts[v.Point] = v
	}
}

// tell says the world; with whole, all of its environment.
func (t *teller) tell(whole bool) []madeup.Statement {
	head := t.head()
	env := t.environment(head, whole)
	base, _, _, err := madeup.Make(head)
	if err != nil {
		t.unsaid("the account and the directory: %v", err)
		head = nil
		base, _, _, _ = madeup.Make(nil) // the usual machine can be made
	}
	before := slices.Concat(head, env, t.gitLines())
	return slices.Concat(before, t.refined(before, t.statements(base)))
}

// head says the machine, the account and the directory.
func (t *teller) head() []madeup.Statement {
	var out []madeup.Statement
	say := func(words ...string) { out = append(out, madeup.Say(words...)) }
	if t.os != "" && t.os != "linux" {
		say("os", t.os)
	}
	if t.host != "" && !odd(t.host) {
		say("host", t.host)
	}
	if t.account.Name != "" {
		who := []string{"user", t.account.Name, "uid", strconv.Itoa(max(t.account.UID, 0))}
		if t.account.Home != "" {
			who = append(who, "home", t.account.Home)
		}
		say(who...)
	}
	for _, name := range slices.Sorted(maps.Keys(t.account.Homes)) {
		if name != t.account.Name && name != "root" && strings.Contains(t.req.Command, "~"+name) {
			say("account", name, "home", t.account.Homes[name])
		}
	}
	if t.req.Dir != "" {
		say("dir", t.req.Dir)
	}
	return out
}

// environment says the variables that the command or a file that was read
// names, or all. head says whose it is.
func (t *teller) environment(head []madeup.Statement, whole bool) []madeup.Statement {
	_, _, usual, err := madeup.Make(head)
	if err != nil {
		return nil
	}
	var out []madeup.Statement
	for _, name := range slices.Sorted(maps.Keys(t.req.Env)) {
		text := t.req.Env[name]
		if was, ok := usual[name]; ok && was == text {
			continue
		}
		if !whole && usual[name] == "" && name != "TMPDIR" && !t.named(name) {
			continue
		}
		if strings.ContainsAny(name, " \t#\"\x00=") || name == "" {
			t.unsaid("a variable with the name %q", name)
			continue
		}
		out = append(out, madeup.Set("env", name, text))
	}
	for _, name := range slices.Sorted(maps.Keys(usual)) {
		if _, ok := t.req.Env[name]; !ok {
			out = append(out, madeup.Say("unset", name))
		}
	}
	return out
}

// named reports whether the command or a file that was read has a variable's
// name in it.
func (t *teller) named(name string) bool {
	if holdsWord(t.req.Command, name) {
		return true
	}
	for _, f := range t.files {
		if f.text != nil && holdsWord(*f.text, name) {
			return true
		}
	}
	return false
}

// holdsWord reports whether a name stands in text, and not within a longer one.
func holdsWord(text, name string) bool {
	part := func(b byte) bool {
		return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
	}
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 || name == "" {
			return false
		}
		from, to := at+i, at+i+len(name)
		if (from == 0 || !part(text[from-1])) && (to == len(text) || !part(text[to])) {
			return true
		}
		at = from + 1
	}
}

// plain words need no quotes.
var plain = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_./~@%+:,-]+$`) }}

func odd(word string) bool { return !plain.Get().MatchString(word) }

// word is a path as short as it can be told.
func (t *teller) word(p string) madeup.Word {
	if rest, ok := strings.CutPrefix(p, strings.TrimSuffix(t.req.Dir, "/")+"/"); ok && t.req.Dir != "" && !odd(rest) && !strings.HasPrefix(rest, "~") {
		if !strings.ContainsAny(rest, "./") { // it could be a word of the language
			rest = "./" + rest
		}
		return madeup.Word{Text: rest}
	}
	return madeup.Word{Text: p, Quoted: odd(p)}
}
