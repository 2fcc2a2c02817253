package system

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// TestFindStart: a start path is tested as what is below it (find(1)), so that
// it is the first argument of a command unless a test surely leaves it out.
func TestFindStart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line string
		self bool
	}{
		{"/srv/a -exec rm -r {} +", true},
		{"/srv/a -execdir rm -r {} ;", true},
		{"/srv/a -okdir rm -r {} ;", true},
		{"/srv/a -mindepth 1 -exec rm -r {} +", false},
		{"/srv/a -exec rm -r {} + -mindepth 2", false},
		{"/srv/a -mindepth 0 -exec rm -r {} +", true},
		{"/srv/a -type f -exec rm -r {} +", false},
		{"/srv/a -type f,d -exec rm -r {} +", true},
		{"/srv/a ! -type d -exec rm -r {} +", false},
		{"/srv/a -not -type f -exec rm -r {} +", true},
		{"/srv/a -name a -exec rm -r {} +", true},
		{"/srv/a/ -name a -exec rm -r {} +", true},
		{"/srv/a -name *.o -exec rm -r {} +", false},
		{"/srv/a -name * -exec rm -r {} +", true},
		{"/srv/a -name [!b] -exec rm -r {} +", true},
		{"/srv/a -name [ -exec rm -r {} +", true},
		{"/srv/a -iname A -exec rm -r {} +", true},
		{". ! -name . -exec rm -r {} +", false},
		{"/ -name / -exec rm -r {} +", true},
		{"/srv/a -path */b* -exec rm -r {} +", false},
		{"/srv/a -ipath */A -exec rm -r {} +", true},
		{"/srv/a -not -path /srv/a -exec rm -r {} +", false},
		{"/srv/a -empty -exec rm -r {} +", false},
		{"/srv/a -mtime +7 -exec rm -r {} +", true},
		{"/srv/a -name x -o -exec rm -r {} +", true},
		{"/srv/a -name a -o -exec rm -r {} +", false},
		{"/srv/a ( -name x -o -name y ) -exec rm -r {} +", false},
		{"/srv/a ( -name x -o -name a ) -exec rm -r {} +", true},
		{"/srv/a ! ( -name x -a -type d ) -exec rm -r {} +", true},
		{"/srv/a -false , -exec rm -r {} +", true},
		{"/srv/a -name x , -type f -exec rm -r {} +", false},
		{"/srv/a -name x -prune -o -type d -exec rm -r {} +", true},
		{"/srv/a ) -exec rm -r {} +", true},
		{"/srv/a -name x " + strings.Repeat("-true ", maxFindTerms-10) + "-exec rm -r {} +", false},
		{"/srv/a -name x " + strings.Repeat("-true ", maxFindTerms) + "-exec rm -r {} +", true}, // not looked into
		{"/srv/a " + strings.Repeat("( ", 1000) + "-exec rm -r {} +", true},
	} {
		_, r := findLine(t, tt.line)
		runs := 1
		if strings.Contains(tt.line, "dir rm") { // and once beside the start path
			runs = 2
		}
		if len(r.Runs) != runs || len(r.Runs[0].Argv) != 3 {
			t.Errorf("find %.60s: %d runs", tt.line, len(r.Runs))
			continue
		}
		if h := r.Runs[0].Argv[2].Holes(); len(h) != 1 || h[0].Self != tt.self {
			t.Errorf("find %.60s: the start path is among the arguments: %v, want %v", tt.line, !tt.self, tt.self)
		}
	}
}

// TestFindPrintsStart: what is printed has the start path in it on the same
// terms.
func TestFindPrintsStart(t *testing.T) {
	t.Parallel()
	for line, self := range map[string]bool{
		"/srv/a": true, "/srv/a -print0": true, "/srv/a -type d": true, "/srv/a -type f": false, "/srv/a -name x -o -print": true,
		"/srv/a -type f -print": false, "/srv/a -mindepth 1": false, "/srv/a -name x -prune -o -type f -print": false,
	} {
		_, r := findLine(t, line)
		if h := r.Stdout.Holes(); len(h) != 1 || h[0].Self != self {
			t.Errorf("find %s: prints the start path: %v, want %v", line, !self, self)
		}
	}
}

// TestFindDir: the command of -execdir runs where the file is, and gets its name.
func TestFindDir(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ line, dir, base string }{
		{"sub -execdir rm {} ;", "/w/sub", "/w/sub"},
		{"../x -okdir rm {} ;", "/x", "/x"},
		{"/srv/a -execdir rm {} +", "/srv/a", "/srv/a"},
		{"sub -exec rm {} ;", "", "sub"},
		{". -execdir rm {} ;", "", "."},
	} {
		_, r := findLine(t, tt.line)
		dir := ""
		if d := r.Runs[0].Dir; d != nil {
			dir = d.String()
		}
		if h := r.Runs[0].Argv[1].Holes(); dir != tt.dir || h[0].Base != tt.base {
			t.Errorf("find %s: in %q below %q, want %q and %q", tt.line, dir, h[0].Base, tt.dir, tt.base)
		}
	}
}

// findLine reads a line in a world whose directories are too large to be listed.
func findLine(t *testing.T, line string) (*catalog.Site, *catalog.Result) {
	t.Helper()
	s := &catalog.Site{Dir: "/w", Walk: func(string, int) bool { return false }, World: &world.World{FS: files{"/w/plain.txt": world.Regular, "/w/sub": world.Dir, "/x": world.Dir, "/srv/a": world.Dir}}}
	for w := range strings.FieldsSeq(line) {
		s.Args = append(s.Args, value.Lit(w))
	}
	p, ok := catalog.New(nil).Lookup("find")
	if !ok {
		t.Fatal("find is not in the catalog")
	}
	m := p.Match(s.Args)
	r := &catalog.Result{Match: m}
	find(m, s, r)
	return s, r
}
