package pure

import "testing"

const lines5 = "one\ntwo\nthree\nfour\nfive\n"

func grepRows() []row {
	log := "error: disk\nok\nwarn: error 42\nERROR x\nerrors\nfoo_error bar\n"
	return []row{
		{"grep error", log}, {"grep -i error", log}, {"grep -v error", log}, {"grep -n error", log}, {"grep -c error", log}, {"grep -o error", log}, {"grep -q error", log}, {"grep nope", log}, {"grep -w error", log}, {"grep -x ok", log}, {"grep -xv ok", log},
		{"grep -E 'error|ok'", log}, {"grep 'error\\|ok'", log}, {"grep -E '^(ok|warn)'", log}, {"grep -oE '[0-9]+'", log}, {"grep -oi 'err[a-z]*'", log}, {"grep -F 'error:'", log}, {"grep -F .", "a.b\nab\n"}, {"grep -m1 error", log}, {"grep -m 2 -n error", log},
		{"grep -e error -e ok", log}, {"grep -f pats", "eta\nmma\nzz\n"}, {"grep -A1 ok", log}, {"grep -B1 ok", log}, {"grep -C1 warn", log}, {"grep -nA1 error", log}, {"grep -A 1 -B 1 ok", "ok\na\nb\nc\nd\nok\ne\n"}, {"grep -h a abc num", ""}, {"grep a abc noeol", ""}, {"grep -l a abc num", ""}, {"grep -L a abc num", ""},
		{"grep -H a abc", ""}, {"grep -c a abc num", ""}, {"grep -s error", log}, {"grep '^$'", "a\n\nb\n"}, {"grep ''", "a\nb"}, {"grep -v '^#'", "# x\ny\n"}, {"grep -E 'a{2,3}'", "a\naa\naaaa\n"}, {"grep 'a\\{2\\}'", "a\naa\n"}, {"grep -o 'a*'", "baac\n"}, {"grep '[[:digit:]]'", log},
		{"grep '\\bok\\b'", log}, {"grep '\\<error\\>'", log}, {"grep -E '\\w+: \\w+'", log}, {"grep -oE '\\w+$'", log}, {"grep '[^a-z]'", "abc\nab1\n"}, {"grep '*a'", "*a\na\n"}, {"grep '\\.'", "a.b\nab\n"}, {"grep -E 'a\\+'", "a+\naa\n"}, {"grep 'a+'", "a+\naa\n"}, {"egrep 'x|y'", "x\nz\n"}, {"fgrep a.b", "a.b\naxb\n"},
		{"grep -o '[^,]*'", "a,b,,c\n"}, {"grep --count error", log}, {"grep --only-matching --ignore-case ERROR", log}, {"grep --color=auto ok", log}, {"grep -n '' ", "a\nb\n"}, {"grep -on b", "abab\nb\n"}, {"grep -E '(a|ab)(c|bcd)'", "abcd\n"}, {"grep -oE '(a|ab)(c|bcd)?'", "abcd ab a\n"}, {"grep -Ev 'a|b'", "a\nc\n"},
		{"grep -xF ok", log}, {"grep -ic error", log}, {"grep -wo a", "a b a-b aa\n"}, {"grep -A1 -c ok", log}, {"grep -m1 -c error", log}, {"grep -y ok", "OK\n"}, {"grep -a ok", log}, {"grep -E '^.{3}$'", "abc\nabcd\n"}, {"grep '\\(ab\\)*c'", "ababc\n"}, {"grep -e -x", "-x\n"}, {"grep -- -x", "-x\n"}, {"grep [a-c]", "d\nb\n"}, {"grep '[]x]'", "]\n"}, {"grep '[^]x]'", "]\nab\n"}, {"grep 'a.c'", "a.c\nabc\nac\n"},
	}
}

func sedRows() []row {
	return []row{
		{"sed 's/o/0/'", lines5}, {"sed 's/o/0/g'", lines5}, {"sed -n 's/o/0/p'", lines5}, {"sed 's/E/x/I'", lines5}, {"sed 's/e/x/2'", "eee\n"}, {"sed 's/e/x/2g'", "eeee\n"}, {"sed 's/o/[&]/'", lines5}, {"sed 's/\\(.\\)\\(.\\)/\\2\\1/'", lines5}, {"sed -E 's/(.)(.)/\\2\\1/'", lines5}, {"sed -r 's/([a-z]+)/<\\1>/'", lines5},
		{"sed 2d", lines5}, {"sed '2,4d'", lines5}, {"sed '$d'", lines5}, {"sed '/t/d'", lines5}, {"sed '/two/,/four/d'", lines5}, {"sed -n '2p'", lines5}, {"sed -n '2,4p'", lines5}, {"sed -n '$p'", lines5}, {"sed -n '$='", lines5}, {"sed -n '/t/p'", lines5}, {"sed '2!d'", lines5}, {"sed '2,3!d'", lines5}, {"sed '1~2d'", lines5}, {"sed -n '0~2p'", lines5}, {"sed -n '2,+1p'", lines5}, {"sed -n '2,~4p'", lines5}, {"sed '0,/one/d'", lines5}, {"sed '1,/one/d'", lines5}, {"sed '3,1p'", lines5}, {"sed -n '/o/,/o/p'", lines5},
		{"sed 2q", lines5}, {"sed 2q7", lines5}, {"sed 2Q", lines5}, {"sed 'y/abc/xyz/'", "aabbcc\n"}, {"sed 'y/a\\/b/123/'", "a/b\n"}, {"sed =", "a\nb\n"}, {"sed '1i\\\nfoo'", lines5}, {"sed '1i foo'", lines5}, {"sed '$a end'", lines5}, {"sed '2c changed'", lines5}, {"sed '2,3c changed'", lines5}, {"sed '2,3!c x'", lines5}, {"sed -e '1a\\' -e '  x'", lines5}, {"sed 'a x\\\ny'", "1\n"},
		{"sed n", lines5}, {"sed 'n;d'", lines5}, {"sed N", lines5}, {"sed 'N;s/\\n/ /'", lines5}, {"sed '$!N;P;D'", lines5}, {"sed ':a;N;$!ba;s/\\n/,/g'", lines5}, {"sed G", lines5}, {"sed -n '1!G;h;$p'", lines5}, {"sed 'x'", lines5}, {"sed -n 'H;${x;s/\\n/,/g;p}'", lines5}, {"sed '1{h;d};$G'", lines5}, {"sed '/two/{s/t/T/;p}'", lines5}, {"sed '/two/{n;d}'", lines5}, {"sed -e 's/o/0/' -e 's/e/3/'", lines5}, {"sed -f prog abc", ""}, {"sed 's/x/y/;t;s/$/!/'", "x\nz\n"}, {"sed 'bend;d;:end'", "a\n"}, {"sed ':x;s/^.\\{1,4\\}$/ &/;tx'", "a\nabc\n"}, {"sed 's/a/b/;T;s/$/./'", "a\nc\n"},
		{"sed 's|/|_|g'", "/a/b\n"}, {"sed 's,a\\,b,X,'", "a,b\n"}, {"sed 's/\\//-/g'", "a/b\n"}, {"sed 's/[0-9]\\+/N/g'", "a12b3\n"}, {"sed 's/^/> /'", lines5}, {"sed 's/$/ </'", lines5}, {"sed 's/^[ \\t]*//'", "  \ta b\n"}, {"sed 's/[[:space:]]*$//'", "a  \n"}, {"sed 's/.*\\///'", "/a/b/c\n"}, {"sed 's/\\..*//'", "a.b.c\n"}, {"sed 's/.*/\\U&/'", "abc\n"}, {"sed 's/\\b./\\u&/g'", "hello big world\n"}, {"sed -E 's/(^|_)([a-z])/\\U\\2/g'", "foo_bar_baz\n"}, {"sed 's/.*/\\L\\u&/'", "HELLO\n"}, {"sed 's/\\(a\\)\\(b\\)/\\u\\1\\E\\2/'", "ab\n"}, {"sed 's/a/x\\ty\\nz/'", "a\n"}, {"sed 's/a/1\\\n2/'", "a\n"}, {"sed 's/x*/-/g'", "abc\n"}, {"sed 's/b*/X/2'", "abc\n"}, {"sed 's/a*/x/g'", "baaac\n"}, {"sed 's/a\\|b/X/g'", "abc\n"}, {"sed -E 's/a|b/X/g'", "abc\n"}, {"sed -E 's/a{2}/X/'", "aaa\n"}, {"sed -E 's/(foo)?bar/[\\1]/'", "bar foobar\n"}, {"sed 's/\\<t/T/g'", "to the cat\n"}, {"sed 's/e\\>/E/g'", "one eve ex\n"},
		{"sed ''", "a\nb"}, {"sed p", "a\nb"}, {"sed 's/b/c/'", "a\nb"}, {"sed '$a x'", "a\nb"}, {"sed -n '/a/,$p'", "x\na\nb"}, {"sed '/^$/d'", "a\n\nb\n"}, {"sed '/a/!s/b/c/'", "ab\nb\n"}, {"sed -s -n '$p' abc noeol num", ""}, {"sed -n '$p' abc num", ""}, {"sed -s '1d' abc num", ""}, {"sed '' noeol num", ""}, {"sed --quiet --expression=p", "a\n"}, {"sed '#n\np'", "a\n"}, {"sed '#comment\ns/a/b/ # more'", "a\n"}, {"sed '/a/{p;p};p'", "a\nb\n"}, {"sed '{p};p'", "a\n"}, {"sed -n '/2/,/4/{//!p}'", "1\n2\n3\n4\n5\n"}, {"sed 's/a/b/;s//c/'", "aa\n"}, {"sed '/a/s//x/g'", "banana\n"}, {"sed 's/[^,]*,//2'", "a,b,c,d\n"}, {"sed 's/[]]/x/'", "a]\n"}, {"sed 's/[\\/]/x/'", "a/b\n"}, {"sed 's/[\\n]/x/'", "a\\b\n"}, {"sed 'N;s/[\\n]/x/'", "a\nb\n"}, {"sed 's/\\x41/b/'", "A\n"}, {"sed 's/a\\.b/X/'", "axb a.b\n"}, {"sed -E 's/\\(x\\)/y/'", "(x)\n"}, {"sed 's/(x)/y/'", "(x)\n"}, {"sed -E 's/^(.*) (.*)$/\\2 \\1/'", "a b c\n"}, {"sed 's/\\([^:]*\\):\\([^:]*\\).*/\\2:\\1/'", "a:b:c\n"}, {"sed -E 's/([0-9]+)-([0-9]+)/\\2-\\1/g'", "1-2 33-44\n"},
		{"sed 'N;s/^b/X/M'", "a\nb\n"}, {"sed 'N;s/a$/X/M'", "a\nb\n"}, {"sed 'N;s/a$/X/'", "a\nb\n"}, {"sed z", "abc\n"}, {"sed '2,/x/d'", lines5}, {"sed -n '\\,t,p'", lines5}, {"sed '/T/Id'", lines5}, {"sed -n 'P'", lines5}, {"sed '1d;n;d'", lines5}, {"sed -n '2{p;q}'", lines5}, {"sed '$!d'", lines5}, {"sed '1!G;h;$!d'", lines5}, {"sed -n -e '/one/{n;p}'", lines5}, {"sed 's/o/&&/gp;s/e/E/'", lines5}, {"sed '1N;N;D'", lines5}, {"sed D", "a\nb\n"}, {"sed 's/\\n*\\(a\\)*\\(a\\)*b*\\(ab\\)*/\\3/'", "aaab\n"},
	}
}

func TestGrep(t *testing.T) {
	t.Parallel()
	for _, locale := range []string{"C", "C.UTF-8"} {
		s := setting{dir: testDir(t), locale: locale}
		s.checkAll(t, grepRows())
	}
	utf := setting{dir: testDir(t), locale: "C.UTF-8"}
	utf.checkAll(t, []row{{"grep -o .", "é\n"}, {"grep é", "é\n"}, {"grep -c '^.$'", "é\n"}, {"grep -o '[^,][^,]*'", "é,b\n"}})
	utf.refuse(t, []row{
		{"grep -r a", ""}, {"grep -P a", "a\n"}, {"grep '\\(a\\)\\1'", "aa\n"}, {"grep --color=always a", "a\n"}, {"grep a nope", ""}, {"grep a", "a\x00b\n"}, {"grep a", "a\xff\n"}, {"grep -b a", "a\n"}, {"grep '\\w'", "é\n"}, {"grep '[[=a=]]'", "a\n"}, {"grep -E 'a{1,2'", "a\n"}, {"grep -E '*a'", "a\n"},
	})
}

func TestSed(t *testing.T) {
	t.Parallel()
	for _, locale := range []string{"C", "C.UTF-8"} {
		s := setting{dir: testDir(t), locale: locale}
		s.checkAll(t, sedRows())
	}
	utf := setting{dir: testDir(t), locale: "C.UTF-8"}
	utf.checkAll(t, []row{{"sed s/./x/g", "é\n"}, {"sed 's/.*,//'", "é,b\n"}, {"sed 's/é/e/'", "é\n"}})
	unknown := setting{dir: testDir(t), locale: "en_US.UTF-8"}
	unknown.checkAll(t, []row{{"sed 's/.*,//'", "é,b\n"}, {"sed 's/é/e/'", "é\n"}, {"sed 's/[^,]*,//'", "é,b\n"}, {"sed 's/[[:space:]]*$//'", "é \n"}})
	unknown.refuse(t, []row{{"sed s/./x/g", "é\n"}, {"sed 's/x*/-/g'", "éa\n"}, {"sed 's/[A-z]//'", "a\n"}, {"sed 's/.//'", "é\n"}})
	utf.refuse(t, []row{
		{"sed w/tmp/x", "a\n"}, {"sed 's/a/b/w /tmp/x'", "a\n"}, {"sed e", "a\n"}, {"sed 's/a/id/e'", "a\n"}, {"sed -i s/a/b/ abc", ""}, {"sed 'r abc'", "a\n"}, {"sed l", "a\n"}, {"sed F", "a\n"}, {"sed 's/\\(a\\)\\1/b/'", "aa\n"}, {"sed 's/\\(a\\|ab\\)\\(c\\|bcd\\)/\\1/'", "abcd\n"}, {"sed -z p", "a"}, {"sed ':a;ba'", "a\n"}, {"sed --posix p", "a\n"}, {"sed 's/a/b/x'", "a\n"}, {"sed '{p'", "a\n"}, {"sed bnowhere", "a\n"}, {"sed G", "a\nb"}, {"sed -n 's/a/\\x26/p'", "a\n"}, {"sed 's|a\\|b|x|'", "a\n"},
	})
}
