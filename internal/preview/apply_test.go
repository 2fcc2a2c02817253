//go:build linux && (amd64 || arm64)

package preview

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// world makes what the tests begin with.
const world = `
printf 'one\ntwo\nthree\n' >a; printf 'b\n' >b; chmod 640 b; printf 'x' >x.sh
mkdir -p d/e/f g empty; printf 1 >d/1; printf 2 >d/e/2; printf 3 >d/e/f/3; printf g >g/g
printf h >h1; ln h1 h2; ln -s a s; ln -s nowhere dangling; ln -s d dl
mkfifo pipe; printf 'A\000B' >bin
`

// TestSameAsForReal runs each script for real in one place, and previews and applies it in
// another: the preview leaves everything as it was, and both are the same then.
func TestSameAsForReal(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, who account) {
		for _, test := range []struct {
			name, script string
			want         []string
		}{
			{"nothing", "cat a >/dev/null; ls", nil},
			{"made and gone", "echo x >y; rm y; mkdir z; rmdir z", nil},
			{"create", "echo x >n; mkdir -p m/o; echo p >m/o/p; echo q >m/q; chmod 600 n; mkdir -m 700 v", []string{"created directory work/m 2 files", "created file work/n", "created directory work/v"}},
			{"change", "sed -i s/two/TWO/ a; echo more >>b; printf 'A\\000C' >bin", []string{"changed file work/a", "changed file work/b", "changed file work/bin"}},
			{"delete", "rm a; rm -r d; rmdir empty; rm s pipe", []string{"deleted file work/a", "deleted directory work/d 3 files", "deleted directory work/empty", "deleted pipe work/pipe", "deleted link work/s"}},
			{"rename a file", "mv a z", []string{"deleted file work/a", "created file work/z"}},
			{"rename over", "mv a b", []string{"deleted file work/a", "changed file work/b 0640 -> 0644"}},
			{"rename a directory", "mv d z", []string{"deleted directory work/d 3 files", "created directory work/z 3 files"}},
			{"replace a directory", "rm -r d; mkdir d; echo 1 >d/1; echo n >d/n", []string{"changed file work/d/1", "deleted directory work/d/e 2 files", "created file work/d/n"}},
			{"replace below", "rm -r d/e; mkdir -p d/e/f; printf 3 >d/e/f/3", []string{"deleted file work/d/e/2", "attributes file work/d/e/f/3"}},
			{"a directory for a file", "rm a; mkdir a; echo x >a/x", []string{"replaced directory work/a was file 1 files"}},
			{"a file for a directory", "rm -r d; echo d >d", []string{"replaced file work/d was directory 3 files"}},
			{"a link for a directory", "rm -r g; ln -s d g", []string{"replaced link work/g was directory 1 files d"}},
			{"a directory for a link", "rm dl; mkdir dl", []string{"replaced directory work/dl was link"}},
			{"a link for a file", "ln -sf b a", []string{"replaced link work/a was file b"}},
			{"links", "ln -sfn b s; ln -s a t; rm dangling", []string{"deleted link work/dangling", "changed link work/s b", "created link work/t a"}},
			{"through a link", "echo new >>s; echo 4 >dl/4", []string{"changed file work/a", "created file work/d/4"}},
			{"modes", "chmod 755 x.sh; chmod 700 d; chmod 2755 g; chmod 000 b; umask 077; echo s >n", []string{"attributes file work/b 0640 -> 0000", "attributes directory work/d 0755 -> 0700", "attributes directory work/g 0755 -> 2755", "created file work/n", "attributes file work/x.sh 0644 -> 0755"}},
			{"a closed directory", "mkdir -p c/d; echo x >c/d/x; chmod 000 c/d/x c/d; chmod 500 c", []string{"created directory work/c 1 files"}},
			{"closed after a change", "echo 5 >d/5; chmod 555 d", []string{"attributes directory work/d 0755 -> 0555", "created file work/d/5"}},
			{"a read-only tree goes", "chmod -R u-w d; chmod -R u+w d; rm -r d", []string{"deleted directory work/d 3 files"}},
			{"the top", "chmod 700 ~", []string{"attributes directory {home} 0755 -> 0700"}},
			{"times", "touch -d 2020-01-01 a", []string{"attributes file work/a"}},
			{"a new name", "ln b z", []string{"created file work/z work/b"}},
			{"new names of a new file", "echo x >y; ln y z; mkdir m; echo 1 >m/1; ln m/1 m/2", []string{"created directory work/m 2 files", "created file work/y", "created file work/z work/y"}},
			{"a new name of what changed", "echo x >>b; ln b z", []string{"changed file work/b", "created file work/z work/b"}},
			{"one of two names deleted", "rm h1", []string{"deleted file work/h1"}},
			{"both deleted", "rm h1 h2", []string{"deleted file work/h1", "deleted file work/h2"}},
			{"pipes", "mkfifo q", []string{"created pipe work/q"}},
			{"the home", "echo x >~/new; mkdir -p ~/.config/x; echo y >~/.config/x/y", []string{"created directory .config 1 files", "created file new"}},
			{"odd names", "echo x >$'a\\nb'; echo x >'c:d,e=f'; mkdir -- '-r'; echo x >'-r/\"'", []string{"created directory work/-r 1 files", "created file work/a\nb", "created file work/c:d,e=f"}},
			{"names of any bytes", "mv a $'\\xff\\n'; mkdir $'d\\xfe'; echo x >$'d\\xfe/\\xfd'; ln -s $'\\xfc' l; echo x >>$'\\xff\\n';", []string{"deleted file work/a", "created directory work/d\ufffd 1 files", "created link work/l \ufffd", "created file work/\ufffd\n"}},
			{"git", "git init -q; git add a; git -c user.name=u -c user.email=e@x commit -qm m --date=@0 >/dev/null; rm -rf .git", nil},
		} {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				really, p := newPlace(t, who), newPlace(t, who)
				really.sh(world)
				p.sh(world)
				before := p.tree()
				really.command("/bin/bash", "-c", test.script).Run()
				o := p.preview(&errand{Script: test.script})
				if d := cmp.Diff(before, p.tree()); d != "" {
					t.Fatalf("the preview changed what is there:\n%s", d)
				}
				got := lines(p, o.Changes)
				if d := cmp.Diff(test.want, got); d != "" {
					t.Errorf("changes, wanted (-) and got (+):\n%s", d)
				}
				if o = p.preview(&errand{Script: test.script, Apply: true}); o.Failed != "" {
					t.Fatalf("applying: %s", o.Failed)
				}
				want, applied := really.tree(), p.tree()
				if d := cmp.Diff(want, applied); d != "" {
					t.Errorf("for real (-) and applied (+):\n%s", d)
				}
			})
		}
	})
}

// TestXattrs: extended attributes are compared and applied, whatever bytes they have.
func TestXattrs(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, who account) {
		p := newPlace(t, who)
		self := os.Getenv(selfEnv)
		p.sh(world + self + " label a")
		o := p.preview(&errand{Script: self + " label b; " + self + " label x.sh; echo >>x.sh; sed -i s/one/ONE/ a", Apply: true})
		if o.Failed != "" || len(o.Changes) != 3 || !o.Changes[1].Attrs || o.Changes[1].Kind != Attributes {
			t.Errorf("%+v, failed: %q", o.Changes, o.Failed)
		}
		for name, want := range map[string]string{"a": "", "b": label, "x.sh": label} {
			got, err := xattrs(p.work + "/" + name)
			if err != nil || got["user.heed"] != want {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	})
}

// TestOverwritten: a file of several names keeps them, which is the one change that is not
// made in one step.
func TestOverwritten(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, who account) {
		p := newPlace(t, who)
		p.sh(world)
		o := p.preview(&errand{Script: "echo longer >h1", Apply: true})
		if len(o.Changes) != 1 || o.Changes[0].Linked != 1 || o.Failed != "" {
			t.Errorf("%+v", o)
		}
		tree := p.tree()
		if tree["work/h1"] != tree["work/h2"] || !strings.Contains(tree["work/h2"], "longer") {
			t.Errorf("%s\n%s", tree["work/h1"], tree["work/h2"])
		}
	})
}

// TestMoved: where somebody else changed what a command changes, nothing is applied.
func TestMoved(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, who account) {
		const script = "sed -i s/two/TWO/ a; rm -r d; rm b; mkdir m; echo n >n; chmod 700 g; rm s; echo x >empty/new"
		for _, test := range []struct{ name, between, path string }{
			{"content", "echo y >>a", "a"},
			{"content of the same size and time", "touch -r a t; printf 'one\\nTWO\\nthree\\n' >a; touch -r t a; rm t", "a"},
			{"another file", "cp -p a t; mv t a", "a"},
			{"gone", "rm b", "b"},
			{"mode", "chmod 600 b", "b"},
			{"in a directory", "echo y >d/e/new", "d"},
			{"changed in a directory", "echo y >d/e/2", "d"},
			{"made", "echo y >n", "n"},
			{"made as a directory", "mkdir m", "m"},
			{"mode of a directory", "chmod 711 g", "g"},
			{"a link", "ln -sfn b s", "s"},
			{"its directory", "mkdir e2; mv e2 moved; mv empty e2; mv moved empty", "empty/new"},
		} {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				p := newPlace(t, who)
				p.sh(world)
				o := p.preview(&errand{Script: script, Between: test.between, Apply: true})
				if d := cmp.Diff([]string{p.work + "/" + test.path}, o.Paths); d != "" {
					t.Errorf("%s: %s", o.Failed, d)
				}
				after := p.tree()
				q := newPlace(t, who)
				q.sh(world + test.between)
				if d := cmp.Diff(q.tree(), after); d != "" {
					t.Errorf("something was applied:\n%s", d)
				}
			})
		}
	})
}

// TestMovedMeanwhile: the same while the command runs.
func TestMovedMeanwhile(t *testing.T) {
	t.Parallel()
	p := newPlace(t, accounts()[0])
	p.sh(world)
	go func() {
		time.Sleep(400 * time.Millisecond)
		os.WriteFile(p.work+"/a", []byte("other\n"), 0o644)
	}()
	o := p.preview(&errand{Script: "sleep 1; echo x >>b; rm a", Apply: true})
	if d := cmp.Diff([]string{p.work + "/a"}, o.Paths); d != "" {
		t.Errorf("%s: %s", o.Failed, d)
	}
}

// TestKilled ends an apply at every point of it. Each file is then as it was or as it will
// be, and who resumes makes all of them one or all of them the other.
func TestKilled(t *testing.T) {
	t.Parallel()
	const script = `
		sed -i s/two/TWO/ a; echo more >>b; chmod 600 b; rm -r d; rm s; mkdir -p m/o; echo p >m/o/p; chmod 500 m/o; echo n >n; ln n n2; rm x.sh; mkdir x.sh
		chmod 700 g; rm g/g; mv bin moved; ln -sfn b dl; rmdir empty; echo in-place >h1; touch -d 2020-01-01 pipe; ln -s a t; echo >y; chmod 000 y
		for i in 1 2 3 4 5 6; do echo $i >new$i; done`
	each(t, func(t *testing.T, who account) {
		old, all := newPlace(t, who), newPlace(t, who)
		old.sh(world)
		all.sh(world)
		whole := all.preview(&errand{Script: script, Apply: true})
		if whole.Failed != "" || whole.Points < 50 {
			t.Fatalf("%d points, failed: %q", whole.Points, whole.Failed)
		}
		was, want := old.tree(), all.tree()
		finished := 0
		for at := 1; at <= whole.Points; at++ {
			p := newPlace(t, who)
			p.sh(world)
			if _, ended := p.drive(&errand{Script: script, Apply: true, KillAt: at}); ended {
				t.Fatalf("point %d was not reached", at)
			}
			for name, is := range p.tree() {
				base := filepath.Base(name)
				if is == was[name] || is == want[name] || strings.HasPrefix(base, temporary) || strings.Contains(name, "/"+temporary) {
					continue
				}
				// A staged name counts among the names of its file, and an overwritten file is the exception.
				if base == "h1" || base == "h2" || base == "n" || base == "n2" {
					continue
				}
				t.Errorf("point %d: %s is %s", at, name, is)
			}
			o := p.preview(&errand{Resume: true})
			if o.Failed != "" {
				t.Fatalf("point %d: resuming: %s", at, o.Failed)
			}
			got := p.tree()
			switch {
			case cmp.Equal(got, want):
				finished++
			case !cmp.Equal(got, was):
				t.Fatalf("point %d, did %v: neither as it was nor as it will be:\n%s", at, o.Did, cmp.Diff(want, got))
			}
			p.clean()
			os.RemoveAll(p.top)
		}
		t.Logf("%d points, finished from %d of them, taken back from the others", whole.Points, finished)
		if finished < whole.Points/3 || finished == whole.Points {
			t.Errorf("%d of %d were finished", finished, whole.Points)
		}
	})
}

// clean fails if a journal is left.
func (p *place) clean() {
	p.t.Helper()
	left, err := filepath.Glob(p.home + "/.local/state/heed/preview/*" + suffix)
	if err != nil || len(left) > 0 {
		p.t.Errorf("left: %v, %v", left, err)
	}
}

// TestResumed: another apply finishes what was left, and a conflict on the way is named.
func TestResumed(t *testing.T) {
	t.Parallel()
	p := newPlace(t, accounts()[0])
	p.sh(world)
	const script = "echo A >a; echo B >b; echo C >x.sh"
	whole := newPlace(t, accounts()[0])
	whole.sh(world)
	points := whole.preview(&errand{Script: script, Apply: true}).Points
	// Behind the journal's removal and three times cleaning up: before the third rename.
	if _, ended := p.drive(&errand{Script: script, Apply: true, KillAt: points - 4}); ended {
		t.Fatal("it was not killed")
	}
	p.sh("echo other >x.sh")
	o := p.preview(&errand{Resume: true})
	if !strings.Contains(o.Failed, "all was applied but for these") || !slices.Equal(o.Paths, []string{p.work + "/x.sh"}) {
		t.Errorf("%+v", o)
	}
	p.sh("test $(cat a) = A && test $(cat b) = B && test $(cat x.sh) = other && ! ls -A | grep heed-preview")
	p.clean()
}
