package pure

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRunPipeline(t *testing.T) {
	t.Parallel()
	for _, stages := range [][]string{
		{"echo cm0gLXJmIC8=", "base64 -d"},
		{"printf '\\162\\155\\040\\055\\162\\146\\040\\057'"},
		{"echo '/ fr- mr'", "rev", "tr -d '\\n'"},
		{"echo 726d202d7266202f", "xxd -r -p"},
		{"echo ez -es /", "tr a-z n-za-m", "tr -d '\\n'"},
		{"echo OJWSALLSMYQC6===", "base32 -d"},
		{"echo 'xm -xf /'", "sed s/x/r/g", "head -c8"},
		{"echo rm:-rf:/", "awk -F: '{printf \"%s %s %s\", $1, $2, $3}'"},
		{"echo 8245928655720965490", "awk '{printf \"%c%c -rf /\", 114, 109}'"},
		{"echo 'run, mum, -rf, /'", "sed -E 's/^(r).., (m).., (-rf), (.)$/\\1\\2 \\3 \\4/'", "tr -d '\\n'"},
	} {
		var out []byte
		for i, stage := range stages {
			o, ok := Run(Input{Argv: words(t, stage), Stdin: out, HasStdin: i > 0, Dir: "/", Shell: "bash"})
			if !ok {
				t.Fatalf("%s: not computed", stage)
			}
			out = o.Stdout
		}
		if string(out) != "rm -rf /" {
			t.Errorf("%q: %q", stages, out)
		}
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	var asked []string
	in := Input{
		Argv: []string{"cat", "b", "./x/../b", "/etc/c", "b"}, Dir: "/home/u",
		ReadFile: func(p string) ([]byte, error) {
			asked = append(asked, p)
			return []byte(p + "\n"), nil
		},
		RealPath: func(p string) (string, bool) {
			if p == "/home/u/x" {
				return "/srv/data/x", true
			}
			return p, true
		},
	}
	out, ok := Run(in)
	if !ok {
		t.Fatal("not computed")
	}
	if diff := cmp.Diff([]string{"/home/u/b", "/srv/data/b", "/etc/c"}, out.Files); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"/home/u/b", "/srv/data/b", "/etc/c", "/home/u/b"}, asked); diff != "" {
		t.Error(diff)
	}
	in.ReadFile = func(string) ([]byte, error) { return nil, errors.New("secret") }
	if _, ok := Run(in); ok {
		t.Error("a file that cannot be read was computed")
	}
	in.ReadFile = nil
	if _, ok := Run(in); ok {
		t.Error("computed without a reader")
	}
	in.Argv = []string{"cat", "dir/"}
	if _, ok := Run(in); ok {
		t.Error("computed a directory")
	}
}

func TestKnown(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"base64": true, "/usr/bin/base64": true, "/tmp/base64": false, "./base64": false, "rm": false, "yes": false, "date": false,
		"python3": false, "[": true, "sed": true, "gsed": true, "egrep": true, "": false, "/": false, "tee": true, "env": false, "hostname": false,
	} {
		if got := Known(name); got != want {
			t.Errorf("Known(%q) = %v", name, got)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	s := setting{dir: testDir(t), locale: "C.UTF-8"}
	s.refuse(t, []row{
		{"cat nope", ""},
		{"cat sub", ""},
		{"cat --help", ""},
		{"cat -q", "x"},
		{"cat -E", "a\r\n"},
		{"head -n x", "a"},
		{"tail -f abc", ""},
		{"tail -r", "a"},
		{"tac -r", "a"},
		{"tac -s ''", "a"},
		{"tr a", "a"},
		{"tr z-a b", "a"},
		{"tr -d a b", "a"},
		{"tr a ''", "a"},
		{"tr a '[:digit:]'", "a"},
		{"tr '[:foo:]' a", "a"},
		{"tr '\\400' a", "a"},
		{"tr a b c", "a"},
		{"cut -c1", "é"},
		{"cut -c0", "a"},
		{"cut -c3-1", "a"},
		{"cut -d:: -f1", "a"},
		{"cut -f1 -c1", "a"},
		{"cut", "a"},
		{"cut -sc1", "a"},
		{"sort -o x", "a\n"},
		{"sort -R", "a\n"},
		{"sort -m", "a\n"},
		{"sort -nd", "a\n"},
		{"sort -k0", "a\n"},
		{"sort -g", "a\n"},
		{"sort -t ''", "a\n"},
		{"uniq a b", ""},
		{"uniq --group", "a"},
		{"wc", "a"},
		{"wc -lw", "a"},
		{"wc -w", "\x01"},
		{"wc -l --total=never", "a"},
		{"nl", "\\:\\:\n"},
		{"nl -bpx", "a"},
		{"fold -w0", "a"},
		{"fold", "é"},
		{"seq", ""},
		{"seq a", ""},
		{"seq 1 0 2", ""},
		{"seq 1 1e3", ""},
		{"seq -f %d 3", ""},
		{"seq 99999999", ""},
		{"basename", ""},
		{"basename a b c", ""},
		{"dirname", ""},
		{"realpath nope", ""},
		{"realpath", ""},
		{"readlink abc", ""},
		{"printenv", ""},
		{"pwd x", ""},
		{"true --help", ""},
		{"tee abc", "x"},
		{"base64 -D", "YQ=="},
		{"base64 a b", ""},
		{"basenc", "a"},
		{"basenc --z85", "abcd"},
		{"basenc --base16 -d", "6"},
		{"base32 -d", "ME"},
		{"xxd -r -p", "zz"},
		{"xxd -i", "a"},
		{"xxd -e", "a"},
		{"xxd abc out", ""},
		{"xxd -r", "00000004: 6162\n"},
		{"od -t f4", "abcd"},
		{"od -t x1z", "a"},
		{"od -c -x", "a"},
		{"od +1", "a"},
		{"od -j9", "a"},
		{"hexdump", "ab"},
		{"hexdump -x", "ab"},
		{"hexdump -e '16/1 \"%02x\"'", "ab"},
		{"hexdump -e '1/1 \"%02x\"'", "aa"},
		{"gzip", "x"},
		{"gzip -c", "x"},
		{"gzip -d abc", ""},
		{"gunzip abc", ""},
		{"gunzip", "not gzip"},
		{"gzip -t", "x"},
		{"bunzip2", "x"},
		{"openssl enc -aes-256-cbc", "x"},
		{"openssl base64 -d", "YQ=="},
		{"openssl base64 -d", "YQ\n"},
		{"openssl dgst", "x"},
		{"openssl base64 -out x", "x"},
		{"uudecode", "begin 644 x\n`\nend\n"},
		{"uudecode -p", "junk"},
		{"md5sum -c", "x"},
		{"sha256sum nope", ""},
		{"iconv -t utf16", "a"},
		{"iconv -f utf8 -t ascii", "é"},
		{"iconv -f utf8 -t ascii//TRANSLIT", "é"},
		{"test -x abc", ""},
		{"test -t 1", ""},
		{"test a -nt b", ""},
		{"test 1 -eq x", ""},
		{"test a b", ""},
		{"test a -a b -o c", ""},
		{"[ a", ""},
		{"expr", ""},
		{"expr 1 +", ""},
		{"expr 1 / 0", ""},
		{"expr a + 1", ""},
		{"expr abcd : '\\(a\\|ab\\)\\(c\\|bcd\\)'", ""},
		{"bc", "1.5\n"},
		{"bc", "scale=2;1/3\n"},
		{"bc -l", "1\n"},
		{"bc", "1/0\n"},
		{"bc", "9^9999\n"},
		{"bc", "define f(x){return x;}\n"},
		{"bc", "1"},
		{"dc -e '1 0 /'", ""},
		{"dc -e '[p]x'", ""},
		{"dc -e '!id'", ""},
		{"dc -e '1.5p'", ""},
		{"rm -rf x", ""},
		{"date", ""},
		{"whoami", ""},
		{"yes", ""},
		{"uname", ""},
		{"env", ""},
		{"/tmp/cat", "x"},
	})
	if _, ok := Run(Input{Argv: []string{"cat"}, Dir: "/"}); ok {
		t.Error("read a standard input that is not known")
	}
	if _, ok := Run(Input{}); ok {
		t.Error("computed an empty argv")
	}
	if _, ok := Run(Input{Argv: []string{"echo", "a\x00b"}}); ok {
		t.Error("computed an argument with a NUL")
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	with := func(name, value string) func(string) (string, bool) {
		return func(n string) (string, bool) { return value, n == name }
	}
	for _, tt := range []struct {
		cmd, name, value string
		ok               bool
	}{
		{"head -n1", "POSIXLY_CORRECT", "", false},
		{"grep a", "GREP_OPTIONS", "-v", false},
		{"gunzip", "GZIP", "-c", false},
		{"bc", "BC_ENV_ARGS", "-l", false},
		{"sort", "LC_ALL", "en_US.UTF-8", false},
		{"sort", "LC_ALL", "C.UTF-8", true},
		{"sort -n", "LANG", "C", true},
		{"rev", "LANG", "de_DE", true},
		{"printf %.1f 1.5", "LANG", "de_DE.UTF-8", false},
		{"printf %.1f 1.5", "LC_NUMERIC", "en_US.UTF-8", true},
		{"seq 1 0.5 2", "LC_ALL", "fr_FR.UTF-8", false},
		{"tr a b", "LANG", "tr_TR.UTF-8", false},
		{"echo é", "LC_ALL", "ja_JP.SJIS", false},
		{"echo é", "LC_ALL", "ja_JP.UTF-8", true},
	} {
		in := Input{Argv: words(t, tt.cmd), Stdin: []byte("a B\n"), HasStdin: true, Env: with(tt.name, tt.value)}
		if _, ok := Run(in); ok != tt.ok {
			t.Errorf("%s with %s=%s: %v", tt.cmd, tt.name, tt.value, ok)
		}
	}
}

// Hostile input must end in "not computed", with little memory.
func TestBounds(t *testing.T) {
	t.Parallel()
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	if _, err := w.Write(make([]byte, 64<<20)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a", 1<<20)
	s := setting{dir: testDir(t), locale: "C"}
	s.refuse(t, []row{
		{"gunzip", bomb.String()},
		{"seq 999999999", ""},
		{"seq 0.1 0.0001 9999999", ""},
		{"printf '%65536s' " + strings.Repeat("a ", 60000), ""},
		{"sed ':a;s/^/a/;ba'", "a\n"},
		{"sed ':a;G;h;ba'", "aa\n"},
		{"sed 's/a*b\\|a/x/g'", long},
		{"grep -oE '(a+b)|a'", long},
		{"awk 'BEGIN{for(;;)x=x \"a\"}'", ""},
		{"awk 'BEGIN{x=\"aaaaaaaa\";for(;;)x=x x}'", ""},
		{"awk 'BEGIN{while(1);}'", ""},
		{"awk 'BEGIN{$99999999=1}'", ""},
		{"expr " + strings.Repeat("( ", 250) + "1", ""},
		{"bc", strings.Repeat("(", 5000) + "1\n"},
		{"bc", "x=9^999\nx=x*x\nx=x*x\nx=x*x\nx=x*x\n"},
		{"grep -E '" + strings.Repeat("(", 1000) + "'", "a"},
		{"grep -E '((((a{200}){200}){200}){200})'", "a"},
		{"jq .", strings.Repeat("[", 100000)},
		{"awk 'BEGIN{" + strings.Repeat("{", 1000) + "}'", ""},
		{"awk '" + strings.Repeat("(", 5000) + "'", ""},
		{"tr a '[b*999999999]'", "a"},
		{"sort -k99999999999", "a\n"},
		{"dc -e '" + strings.Repeat("9", 2000) + "p'", ""},
		{"expand -t99999999", "\t"},
		{"awk -f prog", ""},
	})
	if _, ok := Run(Input{Argv: []string{"cat"}, Stdin: []byte("12345"), HasStdin: true, Limit: 4}); ok {
		t.Error("output beyond the limit")
	}
	if _, ok := Run(Input{Argv: []string{"cat"}, Stdin: []byte("1234"), HasStdin: true, Limit: 4}); !ok {
		t.Error("output at the limit")
	}
	if _, ok := Run(Input{Argv: []string{"cat"}, Stdin: make([]byte, maxInput+1), HasStdin: true}); ok {
		t.Error("input beyond the bound")
	}
}

// The package may not touch the machine itself.
func TestImports(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatalf("the files of this package: %v, %v", files, err)
	}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{`"os"`, `"os/exec"`, `"net"`, `"time"`, `"math/rand"`, `"syscall"`} {
			if bytes.Contains(b, []byte("\t"+bad)) {
				t.Errorf("%s imports %s", f, bad)
			}
		}
	}
}

// A file that sort writes is told where that is asked for, and refused elsewhere: only
// where the order is surely that of the locale.
func TestSortInto(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		cmd, locale, into string
		ok                bool
	}{
		{"sort -o b b", "C", "/w/b", true},
		{"sort b --output=b", "C.UTF-8", "/w/b", true},
		{"sort -uob b", "C", "/w/b", true},
		{"sort b", "C", "", true},
		{"sort -o b -o c b", "C", "", false},
		{"sort -c -o b b", "C", "", false},
		{"sort -m -o b b", "C", "", false},
		{"sort -o b b", "et_EE.UTF-8", "", false},
	} {
		in := Input{Argv: words(t, tt.cmd), Dir: "/w", Into: true, Env: func(name string) (string, bool) { return tt.locale, name == "LC_ALL" }, ReadFile: func(string) ([]byte, error) { return []byte("s\nz\nt\n"), nil }}
		out, ok := Run(in)
		if ok != tt.ok || out.Into != tt.into {
			t.Errorf("%s in %s: %v, %q", tt.cmd, tt.locale, ok, out.Into)
		}
		if in.Into = false; tt.into != "" {
			if _, ok := Run(in); ok {
				t.Errorf("%s writes where nobody asks for that", tt.cmd)
			}
		}
	}
}
