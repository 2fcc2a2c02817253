package drive_test

import (
	"testing"

	"github.com/heedsh/heed/internal/scan/drive"
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
