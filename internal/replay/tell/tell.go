package tell

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/heedsh/heed/internal/replay"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/internal/world/record"
	"github.com/heedsh/heed/risk"
)

// A teller writes what was read of a world in the language of package
// fakeworld.
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

// tell writes the world; with whole, all of its environment.
func (t *teller) tell(whole bool) string {
	head := t.head()
	env := t.environment(whole)
	base, _, _, err := fakeworld.Parse(head)
	if err != nil {
		t.unsaid("the account and the directory: %v", err)
		head = ""
		base, _, _, _ = fakeworld.Parse("")
	}
	git := t.gitLines()
	lines := t.statements(base)
	body := t.refined(head+env+git, lines)
	var b strings.Builder
	b.WriteString("world recorded by heed check --record\n")
	for l := range strings.Lines(head + env + git + body) {
		b.WriteString("    " + l)
	}
	return b.String()
}

// head says the machine, the account and the directory.
func (t *teller) head() string {
	var b strings.Builder
	if t.os != "" && t.os != "linux" {
		fmt.Fprintf(&b, "os %s\n", t.os)
	}
	if t.host != "" && !odd(t.host) {
		fmt.Fprintf(&b, "host %s\n", t.host)
	}
	if t.account.Name != "" {
		fmt.Fprintf(&b, "user %s uid %d", quoted(t.account.Name), max(t.account.UID, 0))
		if t.account.Home != "" {
			fmt.Fprintf(&b, " home %s", quoted(t.account.Home))
		}
		b.WriteString("\n")
	}
	for _, name := range slices.Sorted(maps.Keys(t.account.Homes)) {
		if name != t.account.Name && name != "root" && strings.Contains(t.req.Command, "~"+name) {
			fmt.Fprintf(&b, "account %s home %s\n", quoted(name), quoted(t.account.Homes[name]))
		}
	}
	if t.req.Dir != "" {
		fmt.Fprintf(&b, "dir %s\n", quoted(t.req.Dir))
	}
	return b.String()
}

// environment says the variables that the command or a file that was read
// names, or all.
func (t *teller) environment(whole bool) string {
	var b strings.Builder
	_, _, usual, err := fakeworld.Parse(t.head())
	if err != nil {
		return ""
	}
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
		fmt.Fprintf(&b, "env %s=%s\n", name, strconv.Quote(text))
	}
	for _, name := range slices.Sorted(maps.Keys(usual)) {
		if _, ok := t.req.Env[name]; !ok {
			fmt.Fprintf(&b, "unset %s\n", name)
		}
	}
	return b.String()
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
var plain = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_./~@%+:,-]+$`) })

func odd(word string) bool { return !plain().MatchString(word) }

func quoted(word string) string {
	if odd(word) {
		return strconv.Quote(word)
	}
	return word
}

// name writes a path as short as it can be told.
func (t *teller) name(p string) string {
	if rest, ok := strings.CutPrefix(p, strings.TrimSuffix(t.req.Dir, "/")+"/"); ok && t.req.Dir != "" && !odd(rest) && !strings.HasPrefix(rest, "~") {
		if !strings.ContainsAny(rest, "./") { // it could be a word of the language
			rest = "./" + rest
		}
		return rest
	}
	return quoted(p)
}
