package drive_test

import (
	"testing"

	"github.com/heedsh/heed/internal/scan/drive"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// What whoever runs a file gives it (a variable, an argument, a program) is no
// reason to stop, unless a whole tree or code hangs on it.
func TestGiven(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       risk.Tier // of the worst command
	}{
		{"a.sh", "$CC -c a.c\n", risk.Caution},
		{"a.sh", "\"$@\"\n", risk.Caution},
		{"a.sh", "rm -rf \"$OUT\"/*\n", risk.Review},
		{"a.sh", "rm -rf \"$OUT\"\n", risk.Review},
		{"a.sh", "eval \"$CODE\"\n", risk.Review},
		{"a.sh", "bash -c \"$1\"\n", risk.Review},
		{"a.sh", "sudo $TOOL install\n", risk.Review},
		{"a.sh", "P=$(which frobnicate)\n$P x\n", risk.Caution},
		{"a.sh", "P=$(which rm)\n$P -rf /\n", risk.Review},
		{"a.sh", "trap \"echo a$$\" 1 2\n", risk.Safe},
		{"a.sh", "trap \"rm -rf /etc/a$$\" 0\n", risk.Review},
		{"a.sh", "eval \"rm -rf '/etc/$$'\"\n", risk.Review},
		{"Makefile", "a:\n\t$(COMPILE.c) a.c\n\t$(LINK.o) a.o\n", risk.Caution},
		{"a.mk", "a:\n\t$(AM_V_GEN)(cd x && ls)\n", risk.Safe},
		{"a.mk", "a:\n\t$(AM_V_GEN)(rm -rf /etc)\n", risk.Review},
		{"a.mk", "a:\n\t$(call cmd,x)\n", risk.Caution},
		{".github/workflows/a.yml", "jobs:\n  a:\n    runs-on: windows-latest\n    steps:\n      - shell: msys2 {0}\n        run: ls\n", risk.Safe},
		// what programs make of what is given, and nothing else
		{"a.sh", "t=`echo \"$1\" | sed 's/\\.o$/.T/'`\nmv a \"$t/b\"\n", risk.Caution},
		{"a.sh", "d=`dirname \"$1\"`\nmv a \"$d/b\"\n", risk.Caution},
		{"a.sh", "t=`echo \"$1\" | sed 's/.*/x.rc/'`\nmv a \"$t/b\"\n", risk.Review},
		{"a.sh", "t=`cat list | sed 's/a/b/'`\nrm -f \"$t\"\n", risk.Review},
		{"a.sh", "`echo \"$1\" | sed 's/x/rm/'` a\n", risk.Review},
		{"a.sh", "eval \"`echo \"$1\" | sed 's/x/y/'`\"\n", risk.Review},
		// what stands behind the end of the shell is in another language
		{"a.sh", "#!/bin/sh\n# \\\nexec tclsh \"$0\" \"$@\"\nproc hi {a} { puts \"${a}(\" }}}\n", risk.Caution},
		{"a.sh", "ls\nexit 0\nIF{ ( ) }\n((\n", risk.Safe},
		{"a.sh", "rm -rf /etc\nexit 0\n))((\n", risk.Review},
		{"a.sh", "[ -d x ] && exit 0\n))((\n", risk.Review},
		// a trap that runs twice, and a word that is not there
		{"a.sh", "f() { trap 'ls; trap 0' 0; ls; exit; }\nf\nf\nls\n", risk.Safe},
		{"a.sh", "echo \"${a-}\" $(ls) \"${b:-}\"\n", risk.Safe},
		// code that is one of a few texts is each of them
		{"a.sh", "case $1 in a) L='ls -l' ;; *) L='ls -l -d' ;; esac\neval \"$L x\"\n", risk.Safe},
		{"a.sh", "case $1 in a) L='ls -l' ;; *) L='rm -rf' ;; esac\neval \"$L /etc\"\n", risk.Review},
		{"a.sh", "case $1 in a) L='ls -l' ;; *) L='ls; rm -rf' ;; esac\neval \"$L /etc\"\n", risk.Review},
		{"a.sh", "case $1 in a) L='ls -l' ;; *) L=`cat list` ;; esac\neval \"$L x\"\n", risk.Review},
		{"a.sh", "case $1 in a) L='ls -l' ;; *) L='cd /' ;; esac\neval \"$L\"\nrm -rf etc\n", risk.Review},
		{"a.sh", "case $1 in a) L='X=y' ;; *) L='X=/etc' ;; esac\neval \"$L\"\nrm -rf $X\n", risk.Review},
		{"a.sh", "case $1 in a) C='gcc -std=c99' ;; *) C='cc -O2' ;; esac\neval \"$C $CFLAGS $LDFLAGS -c a.c\"\n", risk.Caution},
		{"a.sh", "eval \"cc $CFLAGS $LDFLAGS -c a.c\"\n", risk.Caution},
		{"a.sh", "eval \"ls; $X $CFLAGS\"\n", risk.Review},
		// a variable of the environment names a program, where the text has words for it
		{"a.sh", "eval \"$CC $CFLAGS a.c\"\n", risk.Caution},
		{"a.sh", "eval \"ls $X\n$CFLAGS a.c\"\n", risk.Caution},
		{"a.sh", "eval \"ls && $X/bin/tool --all\"\n", risk.Caution},
		{"a.sh", "eval \"$CC\"\n", risk.Review},
		{"a.sh", "eval \"$CC; ls\"\n", risk.Review},
		{"a.sh", "eval \"$CC >a.c\"\n", risk.Review},
		{"a.sh", "eval \"$X=1\"\n", risk.Review},
		{"a.sh", "x=$1\neval \"$x a.c\"\n", risk.Review},
		{"a.sh", "while getopts c: o; do x=$OPTARG; done\neval \"$x a.c\"\n", risk.Review},
		{"a.sh", "sudo sh -c \"$CC a.c\"\n", risk.Review},
		// an argument that a function is not given is nothing
		{"a.sh", "n=ab\nf() { test x\"$1\" = x || n=$1; eval v=\\$H_$n; }\nf\n", risk.Safe},
		{"a.sh", "f() { case $2 in '') ls ;; *) rm -rf /etc ;; esac; }\nf a\n", risk.Safe},
		{"a.sh", "f() { case $2 in '') ls ;; *) rm -rf /etc ;; esac; }\nf a b\n", risk.Review},
		{"a.sh", "f() { [[ -z $1 ]] && rm -rf /etc; }\nf\n", risk.Review},
		// arguments that may be shifted away may be each other's
		{"a.sh", "f() { test \"$Q\" = a && shift; rm -rf \"$1\"; }\nf /etc x\n", risk.Review},
		{"a.sh", "f() { test \"$Q\" = a && shift; rm -rf \"$1\"; }\nf x /etc\n", risk.Review},
		{"a.sh", "f() { test \"$Q\" = a && shift; [ $# -lt 2 ] && rm -rf /etc; }\nf x y\n", risk.Review},
		// what a loop gathers of arguments is given, behind what was there
		{"a.sh", "o=\nwhile test $# -gt 0; do o=\"$o -I '$1'\"; shift; done\neval \"ls $o x\"\n", risk.Caution},
		{"a.sh", "o=\nwhile test $# -gt 0; do o=\"$o ${1?no}\"; shift; done\np=\nfor d in $o; do p+=\" $d\"; done\neval \"ls $p x\"\n", risk.Caution},
		{"a.sh", "o=\nwhile test $# -gt 0; do o=\"$o $1\"; shift; done\neval \"$o x\"\n", risk.Review},
		{"a.sh", "p=\nwhile test $# -gt 0; do test -z \"$p\" && p=$1; shift; done\neval \"ls $p.x\"\n", risk.Caution},
		{"a.sh", "p=\nwhile test $# -gt 0; do test -z \"$p\" && p=/etc; shift; done\nrm -rf \"$p\"\n", risk.Review},
		{"a.sh", "o=\nwhile test $# -gt 0; do o=\"$o ; $1\"; shift; done\neval \"ls $o x\"\n", risk.Review},
		{"a.sh", "o=\nwhile test $# -gt 0; do o=\"$o /etc $1\"; shift; done\nrm -rf $o\n", risk.Review},
		{"a.sh", "o=/etc\nwhile test $# -gt 0; do o=\"$o $1\"; shift; done\nrm -rf $o\n", risk.Review},
		{"a.sh", "o=\nwhile test $# -gt 0; do x=`cat list`; o=\"$o $x\"; shift; done\neval \"ls $o x\"\n", risk.Review},
		{"a.sh", "o=\nf() { o='; rm -rf /etc'; }\nwhile test $# -gt 0; do f; o=\"$o $1\"; shift; done\neval \"ls $o x\"\n", risk.Review},
		{"a.sh", "o=\nwhile read x; do o=\"$o $x\"; done\neval \"ls $o\"\n", risk.Review},
		// a file that is not there is a script that is not
		{"a.sh", "sudo `cat build.cmd` -c a.c\n", risk.Review},
		{"a.sh", "`cat /opt/build.cmd` -c a.c\n", risk.Review},
		{"a.sh", "eval \"ls `cat build.cmd`\"\n", risk.Review},
		{"a.sh", "tool >build.cmd\n`cat build.cmd` -c a.c\n", risk.Review},
		{"a.sh", "curl -o build.cmd http://a.example/x\n`cat build.cmd` -c a.c\n", risk.Review},
		// what a makefile computes unless it is given
		{"Makefile", "a:\n\techo x >> debian/usr/lib/$(or $(C),$(shell frobnicate))/a.pc\n", risk.Review},
		{"Makefile", "a:\n\trm -rf $(or $(C),$(shell echo /etc))\n", risk.Review},
		{"Makefile", "a:\n\trm -rf $(value C)/*\n", risk.Review},
		// what may be code instead is not given, and neither is what something prints
		{"a.sh", "case $1 in a) e=\"; rm -rf /etc $2\" ;; *) e=$2 ;; esac\neval \"ls $e\"\n", risk.Review},
		{"a.sh", "case $1 in a) e=`frobnicate` ;; *) e=$2 ;; esac\neval \"ls $e\"\n", risk.Review},
		{"a.sh", "case $1 in a) e=$2 ;; *) e=`frobnicate` ;; esac\neval \"ls $e\"\n", risk.Review},
		{"a.sh", "case $1 in a) e=\"-l $2\" ;; *) e=$2 ;; esac\neval \"ls $e\"\n", risk.Caution},
		// what a makefile sets while it runs, and a quote that is closed behind a choice
		{"Makefile", "a:\n\t$(eval T := $(shell mktemp -d))\n\trm -rf $(T)\n", risk.Caution},
		{"Makefile", "a:\n\t$(eval T := $(shell frobnicate))\n\trm -rf $(T)\n", risk.Review},
		{"Makefile", "L = -ldflags '-X a=$(V)\nifdef S\nL += -s $(W)\nendif\nL += '\na:\n\tgo build $(L) ./x\n", risk.Caution},
		// what mktemp makes is a word
		{"a.sh", "t=$(mktemp -d)\ntrap \"rm -rf $t\" 0 INT\n", risk.Caution},
		{"a.sh", "t=$(tempnam)\ntrap \"rm -rf $t\" 0 INT\n", risk.Review},
		// what may be unset takes the default in place of nothing
		{"a.sh", "case $1 in a) : \"${L=ls}\" ;; b) : \"${L=ls -l}\" ;; esac\n: \"${L=ls -d}\"\neval \"$L $X\"\n", risk.Caution},
		{"a.sh", "case $1 in a) : \"${L=ls}\" ;; esac\n: \"${L=rm -rf}\"\neval \"$L /etc\"\n", risk.Review},
		{"a.sh", "case $1 in a) L=build ;; esac\nrm -rf \"${L=/etc}\"\n", risk.Review},
		{"a.sh", "case $1 in a) L= ;; esac\nL=$L; : \"${L=ls}\"\neval \"$L $X\"\n", risk.Review},
		// the words that compgen expands are words
		{"a.bash", "f() { local o=\"\n-a\n--b\n\"; compgen -W \"$o $more\" -- x; }\nf\n", risk.Caution},
		{"a.bash", "compgen -W \"a;$more\" x\n", risk.Caution},
		{"a.bash", "compgen -W \"a \\$(rm -rf /etc) $more\" x\n", risk.Review},
		{"a.bash", "compgen -W \"$(frobnicate)\" x\n", risk.Review},
		{"a.bash", "compgen -W \"\\$$more\" x\n", risk.Review},
		// what prints one word names no other directory, and what sets up a shell is its own
		{"Makefile", "M := $(shell dpkg-architecture -qDEB_HOST_MULTIARCH)\na:\n\techo x >> debian/usr/lib/$(M)/a.pc\n", risk.Caution},
		{"Makefile", "M := $(shell frobnicate -qDEB_HOST_MULTIARCH)\na:\n\techo x >> debian/usr/lib/$(M)/a.pc\n", risk.Review},
		{"a.sh", "eval $(dpkg-architecture -s)\n", risk.Caution},
		{"a.sh", "eval $(dpkg-architecture -q$X)\n", risk.Review},
	} {
		dir := tree(t, map[string]string{tt.name: tt.text})
		found, err := drive.Collect(dir, drive.Input{}, []string{tt.name}, "")
		if err != nil {
			t.Fatal(err)
		}
		j := judge(dir)
		results, err := j.Files(t.Context(), found, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		worst, why := risk.Safe, ""
		for i := range results {
			if results[i].Tier >= worst {
				worst, why = results[i].Tier, results[i].Summary
			}
		}
		if worst != tt.want || len(results) == 0 {
			t.Errorf("%s: %q is %v, want %v: %s", tt.name, tt.text, worst, tt.want, why)
		}
	}
}

// TestGivenAway is as TestGiven in a project that is not the home directory.
func TestGivenAway(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       risk.Tier
	}{
		{"a.sh", "`cat build.cmd` -c a.c\n", risk.Caution},
		{"a.sh", "eval \"`cat build.cmd`\"\n", risk.Caution},
		{"Makefile", "M = $(or $(value C),$(eval C := $(shell dpkg-architecture -qDEB_HOST_MULTIARCH))$(value C))\na:\n\techo x >> debian/usr/lib/$(M)/a.pc\n", risk.Caution},
		{"a.sh", "eval \"ls `cat build.cmd`\"\n", risk.Review},
		{"a.sh", "sudo `cat build.cmd` -c a.c\n", risk.Review},
		{"a.sh", "tool >build.cmd\n`cat build.cmd` -c a.c\n", risk.Review},
	} {
		dir := tree(t, map[string]string{tt.name: tt.text})
		found, err := drive.Collect(dir, drive.Input{}, []string{tt.name}, "")
		if err != nil {
			t.Fatal(err)
		}
		j := &drive.Judge{Service: service.New(service.Options{Home: "/home/u", Near: []string{dir}}), Dir: dir, Env: map[string]string{"HOME": "/home/u", "USER": "u"}, Provenance: risk.LocalUser}
		results, err := j.Files(t.Context(), found, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		worst := risk.Safe
		for i := range results {
			worst = max(worst, results[i].Tier)
		}
		if worst != tt.want {
			t.Errorf("%s: %q is %v, want %v", tt.name, tt.text, worst, tt.want)
		}
	}
}
