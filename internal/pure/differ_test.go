package pure

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A differRun is a random command line with its standard input.
type differRun struct {
	argv  []string
	stdin string
}

// differ compares generated runs with the real program, the same ones every
// time. HEED_DIFFER sets how many to try instead of 80. A run that is not
// computed says nothing, so at least some must be.
func differ(t *testing.T, s setting, gen func(*rapid.T) ([]string, string)) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts many programs")
	}
	count := 80
	if n, err := strconv.Atoi(os.Getenv("HEED_DIFFER")); err == nil {
		count = n
	}
	runs := rapid.Custom(func(rt *rapid.T) differRun {
		argv, stdin := gen(rt)
		return differRun{argv, stdin}
	})
	t.Run(s.program("runs"), func(t *testing.T) { differAll(t, s, runs, count) })
}

// differAll compares so many runs.
func differAll(t *testing.T, s setting, runs *rapid.Generator[differRun], count int) {
	t.Helper()
	computed := 0
	var missing []string
	for seed := range count {
		r := runs.Example(seed)
		got, ok := Run(s.input(r.argv, r.stdin))
		if !ok {
			continue
		}
		want, status, found := s.real(t, r.argv, r.stdin)
		if name := s.program(r.argv[0]); !found {
			if !slices.Contains(missing, name) {
				missing = append(missing, name)
			}
			continue
		}
		computed++
		if !bytes.Equal(got.Stdout, want) || got.Status != status {
			t.Errorf("%q on %q:\nreal     %q status %d\ncomputed %q status %d", r.argv, r.stdin, want, status, got.Stdout, got.Status)
		}
	}
	t.Logf("%d of %d computed", computed, count)
	if computed == 0 && len(missing) == 0 {
		t.Error("nothing was computed")
	}
	if len(missing) > 0 {
		lacks(t, missing...)
	}
}

// some draws a few of the strings and joins them.
func some(rt *rapid.T, label string, low, high int, parts ...string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), low, high).Draw(rt, label), "")
}

func text(rt *rapid.T) string {
	return some(rt, "text", 0, 14, "a", "b", "ab", "A", " ", "\n", ".", "-", "12", "_", ":", "aab", "\t", "x")
}

func regexParts(extended bool) []string {
	if extended {
		return []string{"a", "b", "x", ".", "*", "+", "?", "|", "(", ")", "[ab]", "[^a]", "^", "$", "{2}", "{1,2}", `\.`, `\w`, "[[:digit:]]", "-", " ", `\b`, "ab", "(a|b)", "(ab)*", `\<`, `\>`, `\+`, "1"}
	}
	return []string{"a", "b", "x", ".", "*", `\+`, `\?`, `\|`, `\(`, `\)`, "[ab]", "[^a]", "^", "$", `\{2\}`, `\{1,2\}`, `\.`, `\w`, "[[:digit:]]", "-", " ", `\b`, "ab", `\(a\|b\)`, `\(ab\)*`, `\<`, `\>`, "+", "(", "1"}
}

func TestDifferGrep(t *testing.T) {
	t.Parallel()
	s := setting{dir: testDir(t), locale: "C.UTF-8"}
	differ(t, s, func(rt *rapid.T) ([]string, string) {
		extended := rapid.Bool().Draw(rt, "extended")
		argv := []string{"grep", some(rt, "options", 0, 2, "-o ", "-v ", "-i ", "-c ", "-n ", "-x ", "-w ", "-m1 ", "-A1 ", "-B1 ", "-q ")}
		argv = append(argv[:1], strings.Fields(argv[1])...)
		if extended {
			argv = append(argv, "-E")
		}
		return append(argv, "-e", some(rt, "regexp", 1, 6, regexParts(extended)...)), text(rt)
	})
}

func TestDifferSed(t *testing.T) {
	t.Parallel()
	s := setting{dir: testDir(t), locale: "C.UTF-8"}
	differ(t, s, func(rt *rapid.T) ([]string, string) {
		extended := rapid.Bool().Draw(rt, "extended")
		script := fmt.Sprintf("s/%s/%s/%s", some(rt, "regexp", 1, 6, regexParts(extended)...),
			some(rt, "replacement", 0, 4, "&", `\1`, `\2`, "x", "[", "]", `\n`, `\U`, `\u`, `\L`, `\E`, `\&`, "-"), some(rt, "flags", 0, 2, "g", "p", "I", "2", "M"))
		if extended {
			return []string{"sed", "-E", script}, text(rt)
		}
		return []string{"sed", script}, text(rt)
	})
}

func TestDifferSedScript(t *testing.T) {
	t.Parallel()
	s := setting{dir: testDir(t), locale: "C.UTF-8"}
	differ(t, s, func(rt *rapid.T) ([]string, string) {
		commands := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) string {
			addr := rapid.SampledFrom([]string{"", "", "", "1", "2", "$", "/a/", "/b/", "2,3", "1,/a/", "/a/,/b/", "/a/,3", "2,$", "0~2", "1~2", "/x/,+1", "2,~2", "0,/a/", "$!", "2!", "/a/!", "3,1", "/a/,$"}).Draw(rt, "address")
			return addr + rapid.SampledFrom([]string{"p", "d", "n", "N", "h", "H", "g", "G", "x", "D", "P", "=", "q", "Q", "s/a/X/", "s/a/[&]/g", "s/\\n/,/g", "y/ab/BA/", "z", "q3", "t", "b", "{p;d}", "{n;p}", "s//Y/", "a t\n", "i t\n", "c t\n", "bz", "tz"}).Draw(rt, "command")
		}), 1, 5).Draw(rt, "script")
		script := strings.Join(commands, ";") + "\n:z\nP"
		argv := []string{"sed", script}
		if rapid.Bool().Draw(rt, "quiet") {
			argv = []string{"sed", "-n", script}
		}
		return argv, text(rt)
	})
}

func TestDifferPrintf(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"", "bash", "dash", "zsh"} {
		s := setting{dir: testDir(t), locale: "C.UTF-8", shell: shell}
		differ(t, s, func(rt *rapid.T) ([]string, string) {
			format := some(rt, "format", 0, 5, "%", "%%", "%s", "%d", "%5d", "%-5s|", "%05d", "%x", "%#o", "%c", "%b", "%q", "%+d", "% d", "%.3d", "%8.3f", "%e", "%g", "%.2s", "%*d", "%.*f", "%u", `\n`, `\101`, `\x41`, `\t`, "a", `\\`, `\0`, "%i", "%G", "%X", `\e`, `\c`, "%-8.2e|", "%#x", "%+.1f", `\1`)
			argv := []string{"printf", format}
			for range rapid.IntRange(0, 4).Draw(rt, "n") {
				argv = append(argv, some(rt, "argument", 0, 2, "1", "-7", "42", "abc", "0x1f", "3.5", "", `\n`, `\101`, "a b", "'a", "'", "$x", "1e3", "010", "99999999999", "~", "*"))
			}
			return argv, ""
		})
	}
}

func TestDifferText(t *testing.T) {
	t.Parallel()
	s := setting{dir: testDir(t), locale: "C.UTF-8"}
	differ(t, s, func(rt *rapid.T) ([]string, string) {
		set := func(name string) string {
			return some(rt, name, 1, 4, "a", "b", "a-c", "x-z", "[:lower:]", "[:upper:]", "[:digit:]", "[:space:]", `\n`, `\101`, "[a*]", "[x*2]", "-", "[", "]", `\\`, "A-Z", "[=a=]", "0-9", `\-`, "1")
		}
		argv := []string{"tr"}
		if o := some(rt, "options", 0, 2, "c", "d", "s", "t"); o != "" {
			argv = append(argv, "-"+o)
		}
		argv = append(argv, set("first"))
		if rapid.Bool().Draw(rt, "two") {
			argv = append(argv, set("second"))
		}
		if strings.HasPrefix(argv[1], "-") && len(argv) > 1 && argv[1] == "-" {
			argv[1] = "a"
		}
		return argv, text(rt)
	})
	differ(t, s, func(rt *rapid.T) ([]string, string) {
		argv := []string{"sort"}
		for range rapid.IntRange(0, 3).Draw(rt, "n") {
			argv = append(argv, rapid.SampledFrom([]string{"-r", "-n", "-u", "-f", "-b", "-d", "-i", "-s", "-V", "-h", "-t:", "-k1", "-k2", "-k2,2", "-k1.2", "-k1.2,1.3", "-k2n", "-k2nr,2", "-k1b,1", "-k2b", "-k1,1r", "-k2,1", "-k1.3b,2.1b", "-c"}).Draw(rt, "option"))
		}
		return argv, text(rt) + "\n" + some(rt, "more", 0, 10, "a\n", "10\n", "9 b\n", "B\n", "a:1\n", "a:02\n", " x\n", "-1\n", "1.5\n", "2K\n", "\n", "v1.10\n", "v1.9\n", "v1.9~a.gz\n", "a b c\n")
	})
	differ(t, s, func(rt *rapid.T) ([]string, string) {
		list := some(rt, "list", 1, 4, "1", "2", "-", ",", "3", "2-3", "4-")
		argv := []string{"cut", rapid.SampledFrom([]string{"-c", "-b", "-f", "-d:f", "-sd:f", "-d f"}).Draw(rt, "mode") + list}
		if o := rapid.SampledFrom([]string{"", "", "--complement", "--output-delimiter=/", "-s", "-z"}).Draw(rt, "option"); o != "" {
			argv = append(argv, o)
		}
		return argv, text(rt)
	})
}

func TestDifferTools(t *testing.T) {
	t.Parallel()
	s := setting{dir: testDir(t), locale: "C.UTF-8"}
	lines := []string{
		"head -n1", "head -n-1", "head -c3", "head -c-3", "tail -n1", "tail -n+2", "tail -c2", "tail -c+2", "tac", "rev", "nl", "nl -ba", "fold -w3", "fold -sw4", "expand -t3", "uniq", "uniq -c", "uniq -d", "uniq -u", "uniq -D", "uniq -i", "uniq -f1", "uniq -s1", "uniq -w1",
		"cat -A", "cat -n", "cat -b", "cat -s", "cat -sn", "paste -sd,", "paste - -", "paste -d:, - - -", "wc -l", "wc -w", "wc -c", "wc -L", "base64", "base64 -w5", "base64 -d", "base64 -di", "base32", "base32 -d", "xxd", "xxd -p", "xxd -r -p", "xxd -c5 -g2", "od", "od -c", "od -An -tx1", "od -tx2", "od -td4", "od -a", "hexdump -C", "cksum", "md5sum", "tac -s a", "tac -s ab", "basenc --base16", "xxd -b", "xxd -r", "tail -1", "expand -i", "openssl base64", "openssl base64 -d", "openssl base64 -d -A",
	}
	differ(t, s, func(rt *rapid.T) ([]string, string) {
		cmd := rapid.SampledFrom(lines).Draw(rt, "command")
		in := text(rt)
		switch {
		case strings.Contains(cmd, "-d"):
			in = some(rt, "code", 0, 8, "cm0g", "LXJm", "IC8=", "\n", "=", "YQ==", "AAAA", "*", " ", "ME======", "MFRA", "GG===", "MFRGG===", "MZXW6YTB")
		case strings.Contains(cmd, "-r"):
			in = some(rt, "hex", 0, 8, "72", "6d", "6D", " ", "\n", "7", "g", "00000000: 7273  rs\n", "0x")
		}
		return strings.Fields(cmd), in
	})
	differ(t, s, func(rt *rapid.T) ([]string, string) {
		argv := []string{"seq"}
		if o := rapid.SampledFrom([]string{"", "", "-w", "-s,", "-f%03g", "-f%.2f"}).Draw(rt, "option"); o != "" {
			argv = append(argv, o)
		}
		for range rapid.IntRange(1, 3).Draw(rt, "n") {
			argv = append(argv, rapid.SampledFrom([]string{"1", "2", "5", "10", "-3", "0.5", "1.25", "0", "08", "-0.1", "3.0", "12"}).Draw(rt, "number"))
		}
		return argv, ""
	})
}

func TestDifferAwk(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"original-awk", "mawk", "gawk"} {
		s := setting{dir: testDir(t), locale: "C", names: map[string]string{"awk": program}}
		differ(t, s, func(rt *rapid.T) ([]string, string) {
			expr := some(rt, "expression", 1, 9, "$1", "$2", "$0", "NF", "NR", " ", " + ", "-", "*", "\"a\"", "\"1\"", "1", "2", "10", "(", ")", " ~ ", "/a/", " ? ", " : ", "x", "x++", "++x", "!", " == ", " < ", "length", "substr($0,2)", "length($1)", "index($0,\"a\")", "toupper($1)", " && ", " || ", " in a", "a[1]", "a[$1]++", "$NF", "x = ", "$(1)", "%", "^", ",", "int(2.5)", "sub(/a/,\"b\")", "gsub(/[ab]/,\"<&>\")", "\" \"", "3.14")
			stmt := rapid.SampledFrom([]string{"print %s", "print (%s)", "%s", "x = %s; print x", "if (%s) print \"y\"; else print \"n\"", "printf \"%%s|%%d\\n\", %s", "$2 = %s; print; print NF", "a[NR] = %s; print a[NR]", "print; %s"}).Draw(rt, "statement")
			body := fmt.Sprintf(stmt, expr)
			rule := rapid.SampledFrom([]string{"{%s}", "END{%s}", "NR>1{%s}", "/a/{%s}", "BEGIN{%s}"}).Draw(rt, "rule")
			return []string{"awk", fmt.Sprintf(rule, body)}, text(rt)
		})
	}
}
