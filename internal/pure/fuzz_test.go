package pure

import (
	"bytes"
	"strings"
	"testing"
)

// fuzzRun runs a command line on arbitrary words: it must not panic, must keep
// to the limit and must answer the same twice.
func fuzzRun(t *testing.T, in Input) {
	in.Dir, in.HasStdin, in.Limit = "/", true, 1<<16
	in.ReadFile = func(string) ([]byte, error) { return []byte("a b\nc\n"), nil }
	out, ok := Run(in)
	again, okAgain := Run(in)
	if ok != okAgain || !bytes.Equal(out.Stdout, again.Stdout) || out.Status != again.Status {
		t.Fatalf("%q: two answers", in.Argv)
	}
	if len(out.Stdout) > in.Limit {
		t.Fatalf("%q: %d bytes", in.Argv, len(out.Stdout))
	}
}

func FuzzTr(f *testing.F) {
	for _, s := range []string{"a-z", "[:upper:]", "[a*]", `\101-\132`, "[=a=]", "[x*010]", "z-a", `\`, "[", "[:"} {
		f.Add("", s, "A-Z", []byte("hello"))
		f.Add("-cs", s, s, []byte("hello\x00\xff"))
	}
	f.Fuzz(func(t *testing.T, option, one, two string, in []byte) {
		fuzzRun(t, Input{Argv: []string{"tr", option, one, two}, Stdin: in})
		fuzzRun(t, Input{Argv: []string{"tr", "-d", one}, Stdin: in})
	})
}

func FuzzPrintf(f *testing.F) {
	for _, s := range []string{"%s", "%*.*f", "%b%q", `\x41\101\u0041`, "%-+ #05.3d", "%%%", "%c", "%5$s", "%ld", `\c%s`, "%e%g"} {
		f.Add(s, "1e400", `\0101\c`, "bash")
		f.Add(s, "-0x1f", "'a", "zsh")
	}
	f.Fuzz(func(t *testing.T, format, a, b, shell string) {
		fuzzRun(t, Input{Argv: []string{"printf", format, a, b}, Shell: shell, Interp: true})
		fuzzRun(t, Input{Argv: []string{"printf", format, a, b}})
		fuzzRun(t, Input{Argv: []string{"echo", format, a}, Shell: shell, Interp: true})
	})
}

func FuzzSed(f *testing.F) {
	for _, s := range []string{"s/a/b/g", ":a;N;$!ba;s/\\n/,/g", "1,/x/{p;d}", "y/abc/xyz/", "a\\\ntext", "s/\\(.\\)/\\u\\1/2g", "$!N;P;D", "0,/a/c x", "/[/]/p", "s,a\\,b,,", "}", "2,~4!{", "s//x/"} {
		f.Add(s, []byte("abc\nxyz\n"))
	}
	f.Fuzz(func(t *testing.T, script string, in []byte) {
		fuzzRun(t, Input{Argv: []string{"sed", script}, Stdin: in})
		fuzzRun(t, Input{Argv: []string{"sed", "-nE", script}, Stdin: in})
	})
}

func FuzzAwk(f *testing.F) {
	for _, s := range []string{"{print $1}", "BEGIN{for(i=0;i<3;i++)printf \"%d\",i}", "/a/,/b/", "{gsub(/a/,\"&&\");a[$1]++}END{print a[1]}", "!s[$0]++", "{if(NF>1){$2=\"\"}else next;print}", "{print (1,2) in a, -x^2 y}", "function f(){}", "{do{x=x\"a\"}while(length(x)<9);print x}", "{split($0,a,/,/)}", "\"a"} {
		f.Add(s, []byte("a b\n1 2\n"))
	}
	f.Fuzz(func(t *testing.T, program string, in []byte) {
		fuzzRun(t, Input{Argv: []string{"awk", program}, Stdin: in})
		fuzzRun(t, Input{Argv: []string{"awk", "-F", program, "{print $2}"}, Stdin: in})
	})
}

func FuzzRegexp(f *testing.F) {
	for _, s := range []string{"a*", `\(a\|b\)*c\{2,3\}`, "^(a|ab)(c|bcd)$", "[]a-z[:digit:]^]", `\<w\>`, "[[.a.]]", "a**", "(((", `\1`, "é[^,]*", "a{1,1000}"} {
		f.Add(s, []byte("abcd foo, bar\n"))
	}
	f.Fuzz(func(t *testing.T, pattern string, in []byte) {
		for _, extended := range []bool{false, true} {
			for _, d := range []reDialect{{}, {sed: true}, {awk: true}, {fold: true, lines: true}} {
				d.extended = extended
				j := newJob(Input{}, "grep")
				p, err := j.compileRE(pattern, d)
				if err != nil {
					continue
				}
				matches, err := p.find(j, in, -1)
				if err != nil {
					continue
				}
				for _, m := range matches {
					if m[0] < 0 || m[1] < m[0] || m[1] > len(in) {
						t.Fatalf("%q: match %v of %d bytes", pattern, m, len(in))
					}
				}
			}
		}
		fuzzRun(t, Input{Argv: []string{"grep", "-o", "-e", pattern}, Stdin: in})
	})
}

func FuzzAny(f *testing.F) {
	for _, s := range []string{
		"sort -k1.2,3n -t:", "cut -d: -f1,3-", "base64 -d", "base32 -d -i", "xxd -r", "xxd -r -p", "od -tx2", "hexdump -C", "uudecode -p", "gunzip", "bunzip2", "openssl base64 -d", "jq .a[0]", "bc", "dc", "expr a : b", "seq 1 0.1 2", "nl -ba",
		"fold -sw3", "expand -t2,4", "paste -d\\n - -", "uniq -c", "wc -L", "tail -c+2", "basename a/b .c", "iconv -f utf-16le -t utf-8", "test a = b", "rev", "tac -s a", "sort -V", "basenc --base2lsbf -d", "seq -w 5", "head -c-1",
	} {
		f.Add(s, []byte("a:b:c\n"))
	}
	f.Fuzz(func(t *testing.T, cmd string, in []byte) {
		if argv := strings.Fields(cmd); len(argv) > 0 {
			fuzzRun(t, Input{Argv: argv, Stdin: in})
		}
	})
}
