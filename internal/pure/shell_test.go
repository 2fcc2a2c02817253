package pure

import (
	"slices"
	"strings"
	"testing"
)

func echoRows() []row {
	rows := []row{
		{"echo", ""},
		{"echo a b  c", ""},
		{"echo -n a", ""},
		{"echo -n", ""},
		{"echo -nn a", ""},
		{"echo -x a", ""},
		{"echo -- a", ""},
		{"echo a -n", ""},
		{"echo ''", ""},
		{"echo '*'", ""},
		{"echo a\\b", ""},
		{"echo 'a  b'", ""},
	}
	for _, opt := range []string{"", "-e ", "-E ", "-ne ", "-n -e "} {
		for _, esc := range []string{`\n`, `\t`, `\\`, `\a\b\f\v\r`, `\0101`, `\060`, `\0`, `\d`, `\'`, `a\cb`, `\8`, `x\`} {
			rows = append(rows, row{"echo " + opt + "\"" + esc + "\"", ""})
		}
	}
	return rows
}

func printfRows() []row {
	return []row{
		{"printf abc", ""},
		{"printf '%s\\n' a b c", ""},
		{"printf '%s-%s\\n' a b c", ""},
		{"printf 'x\\n' a b", ""},
		{"printf '%s'", ""},
		{"printf ''", ""},
		{"printf '%5s|%-5s|\\n' ab cd", ""},
		{"printf '%.2s|' abc", ""},
		{"printf '%*s|' 5 a", ""},
		{"printf '%-*s|' 5 a", ""},
		{"printf '%*s|' -5 a", ""},
		{"printf '%.*s|' 2 abc", ""},
		{"printf '%d %i\\n' 42 -7", ""},
		{"printf '%05d|%+d|% d|%-5d|' 42 42 42 42", ""},
		{"printf '%x %X %o %#x %#o\\n' 255 255 8 255 8", ""},
		{"printf '%u' -1", ""},
		{"printf '%x' -1", ""},
		{"printf '%5.3d|%.0d|' 7 0", ""},
		{"printf '%c%c' abc d", ""},
		{"printf '%%'", ""},
		{"printf '%s%%\\n' 5", ""},
		{"printf '\\162\\155'", ""},
		{"printf '\\n\\t\\\\'", ""},
		{"printf '%b' 'a\\nb'", ""},
		{"printf '%b|' 'a\\0101'", ""},
		{"printf '%b%s' 'a\\cb' c", ""},
		{"printf '%s' -n", ""},
		{"printf -- '%s' a", ""},
		{"printf '%f %.2f %e %g\\n' 1.5 2.675 12345.678 0.0001", ""},
		{"printf '%g %g %G\\n' 100000 1000000 1e-10", ""},
		{"printf '%8.3f|%-8.1f|%+.0f|' 3.14159 2.5 7", ""},
		{"printf '%08.2f|' -3.14159", ""},
		{"printf '%#.0f %#g\\n' 3 1.5", ""},
		{"printf '%s %s %s\\n' a b", ""},
		{"printf '%d\\n' 1 2 3", ""},
		{"printf '[%s]' '' a", ""},
		{"printf '%-10s%5d\\n' apple 3 pear 10", ""},
		{"printf '%.3s|%10.3s|' abcdef abcdef", ""},
		{"printf '%d' ''", ""},
		{"printf '%05.1f' 9.96", ""},
		{"printf '\\0'", ""},
		{"printf '%e' 0", ""},
	}
}

// numberRows are arguments that zsh evaluates and the others read.
func numberRows() []row {
	return []row{
		{"printf '%d' 0x1f", ""},
		{"printf '%d' 010", ""},
		{"printf '%d' 12abc", ""},
		{"printf '%d' abc", ""},
		{"printf '%d' ' 5'", ""},
		{"printf '%d' '5 '", ""},
		{"printf '%d' +5", ""},
		{"printf \"%d\" \"'a\"", ""},
		{"printf '%d' 99999999999999999999", ""},
		{"printf '%d' -99999999999999999999", ""},
		{"printf '%u' 99999999999999999999", ""},
		{"printf '%d' 08", ""},
		{"printf '%d' 1.5", ""},
		{"printf '%f' abc", ""},
		{"printf '%d' 9223372036854775808", ""},
	}
}

func TestEcho(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"", "bash", "dash", "zsh", "mksh"} {
		s := setting{dir: testDir(t), locale: "C.UTF-8", shell: shell}
		s.checkAll(t, slices.DeleteFunc(echoRows(), func(r row) bool {
			return shell == "mksh" && strings.Contains(r.cmd, `\c`) || shell == "zsh" && strings.Contains(r.cmd, "- ")
		}))
	}
	bash := setting{dir: testDir(t), locale: "C.UTF-8", shell: "bash"}
	bash.checkAll(t, []row{
		{`echo -e \x72\x6d\x4`, ""}, {`echo -e \u0041\u00e9\U0001F600`, ""}, {`echo -e \e\E`, ""}, {`echo -e \x`, ""}, {`echo -e \u`, ""}, {`echo -eE \n`, ""}, {`echo -neE -e \n`, ""}, {`echo -e \101`, ""},
	})
	program := setting{dir: testDir(t), locale: "C.UTF-8"}
	program.checkAll(t, []row{
		{`echo -e \x72\x6d\x4`, ""}, {`echo -e \e\E`, ""}, {`echo -e \x`, ""}, {`echo -e \101`, ""}, {`/bin/echo -e a\tb`, ""},
	})
	dash := setting{dir: testDir(t), locale: "C.UTF-8", shell: "dash"}
	dash.checkAll(t, []row{{`echo \101\x41`, ""}, {`echo -n -n a`, ""}, {`echo -e a`, ""}})
	dash.refuse(t, []row{{`echo \e`, ""}})
}

func TestPrintf(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"", "bash", "dash", "zsh", "mksh"} {
		s := setting{dir: testDir(t), locale: "C.UTF-8", shell: shell}
		s.checkAll(t, printfRows())
		if shell != "zsh" {
			s.checkAll(t, numberRows())
		} else {
			s.refuse(t, numberRows())
		}
	}
	bash := setting{dir: testDir(t), locale: "C.UTF-8", shell: "bash"}
	bash.checkAll(t, []row{
		{`printf \x72\x6d\u00e9\U41\e\E`, ""}, {`printf %q\n 'a b' '' a$b ~x x~ #x {a,b} '!x' a=b @%+:/-_. a=~b`, ""}, {`printf '%5b|' a`, ""}, {`printf '\"'`, ""}, {`printf a\cb`, ""}, {`printf %b \101\x41`, ""}, {`printf '%ld %hhd' 5 6`, ""},
	})
	bash.refuse(t, []row{
		{`printf -v x a`, ""},
		{`printf '%(%Y)T'`, ""},
		{`printf %n`, ""},
		{`printf %z`, ""},
		{`printf %`, ""},
		{`printf '%a' 1`, ""},
		{`printf '%5s' é`, ""},
		{`printf '%c' é`, ""},
		{`printf '%99999999d' 1`, ""},
		{`printf '%.2f' inf`, ""},
		{`printf '%.2f' 0x1p3`, ""},
		{`printf '%.25f' 0.1`, ""},
	})
	program := setting{dir: testDir(t), locale: "C.UTF-8"}
	program.checkAll(t, []row{
		{`printf \x72\x6d\u00e9\e\E`, ""}, {`printf %q\n 'a b' '' a$b ~x x~ #x '!x' a=b @%+:/-_. [ ] a*b`, ""}, {`printf '\"'`, ""}, {`printf a\cb%s x`, ""}, {`printf '%ld' 5`, ""}, {`printf %q "it's"`, ""},
	})
	program.refuse(t, []row{{`printf \u0041`, ""}, {`printf \x`, ""}, {`printf '%05s' a`, ""}, {`printf`, ""}})
}

func TestShellTest(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "dash", "mksh", "zsh"} {
		s := setting{dir: testDir(t), locale: "C", shell: shell}
		s.checkAll(t, []row{
			{"test a = a", ""}, {"[ a = b ]", ""}, {"[ 3 -gt 2 ]", ""}, {"[ ! -e nope ]", ""}, {"[ -d sub ]", ""}, {"test", ""}, {"[ -n x ]", ""}, {"true", ""}, {"false", ""}, {"pwd", ""}, {"pwd -P", ""},
		})
	}
}
