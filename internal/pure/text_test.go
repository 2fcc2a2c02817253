package pure

import "testing"

const (
	fruit = "apple 3\npear 10\nfig 2\napple 3\nPear 1\n"
	table = "a:b:c\nd:e\nnone\n::\nx:y:z:w\n"
	mixed = "one\n\n\ttwo\x01\x80\n\n\n\nthree"
)

func textRows() []row {
	return []row{
		{"cat", mixed}, {"cat -n", mixed}, {"cat -b", mixed}, {"cat -s", mixed}, {"cat -E", mixed},
		{"cat -T", mixed}, {"cat -v", mixed}, {"cat -A", mixed}, {"cat -e", mixed}, {"cat -t", mixed},
		{"cat -bs", mixed}, {"cat --number --squeeze-blank", mixed}, {"cat --show-a", mixed},
		{"cat abc noeol num", ""}, {"cat -n noeol - abc", "x\n"}, {"cat -", "x"}, {"cat /dev/null", ""},
		{"cat ./sub/../abc", ""}, {"cat -u -- abc", ""}, {"cat -nb abc", "q"},

		{"head", mixed}, {"head -n2", fruit}, {"head -n 2", fruit}, {"head -2", fruit}, {"head -n -2", fruit},
		{"head -c5", fruit}, {"head -c -5", fruit}, {"head --lines=1", fruit}, {"head --bytes 3", fruit},
		{"head -n1 abc num", ""}, {"head -qn1 abc num", ""}, {"head -v -n1", "a\nb\n"}, {"head -n 0", fruit},
		{"head -n9", "a\nb"}, {"head -c 1k", "abc"}, {"head -n1 -z", "a\nb"}, {"head -1 abc", ""},
		{"tail", mixed}, {"tail -n2", fruit}, {"tail -2", fruit}, {"tail -n +2", fruit}, {"tail +2", fruit},
		{"tail -c5", fruit}, {"tail -c +5", fruit}, {"tail -n1", "a\nb"}, {"tail -n +0", fruit}, {"tail -n 0", fruit},
		{"tail -n1 abc noeol num", ""}, {"tail -q -n1 abc num", ""}, {"tail -c1", "ab\n"}, {"tail --lines=+2", fruit},
		{"tail -n -1", fruit}, {"tail -5c", fruit},

		{"tac", fruit}, {"tac", "a\nb"}, {"tac", ""}, {"tac abc num", ""}, {"tac -s :", "a:b:c"}, {"tac -s :", "a:b:c:"},
		{"rev", "abc\nhello world\nx"}, {"rev", ""}, {"rev abc", ""},

		{"tr a-z A-Z", fruit}, {"tr '[:lower:]' '[:upper:]'", fruit}, {"tr '[a-z]' '[A-Z]'", "[abc]"},
		{"tr -d aeiou", fruit}, {"tr -d '\\n'", fruit}, {"tr -cd '[:digit:]'", fruit}, {"tr -s ' '", "a   b  c"},
		{"tr -s a-z", "aabbccdd  ee"}, {"tr -s 'a-z' 'A-Z'", "aabbcc"}, {"tr -ds a b", "aabbaabb"},
		{"tr A-Za-z N-ZA-Mn-za-m", "Hello, World"}, {"tr '\\101' x", "ABC"}, {"tr abc x", "aabbccdd"},
		{"tr -t abc x", "abc"}, {"tr '\\0' x", "a\x00b"}, {"tr ab 'x*'", "aabb"}, {"tr abc '[x*]'", "abcd"},
		{"tr abcd '[x*2]y'", "abcd"}, {"tr -c 'a-z\\n' _", "Hello World 12\n"}, {"tr -c a-z '[_*]'", "Hello World"},
		{"tr '[=a=]' b", "aba"}, {"tr a-c '\\n\\t\\\\'", "abc"}, {"tr -- -a +b", "a-a"}, {"tr a- x-", "a-b"},
		{"tr -C a-z x", "aBc"}, {"tr --delete a", "banana"}, {"tr '!-~' 'P-~!-O'", "Hello World"}, {"tr '[:space:]' _", "a b\tc\n"},
		{"tr -d '[:punct:]'", "a.b,c!"}, {"tr -sc a-z ' '", "ab12cd..ef"}, {"tr 'a\\-z' 123", "a-z"}, {"tr '\\200-\\377' x", "a\x80\xff"},

		{"cut -c1", fruit}, {"cut -c 2-4", fruit}, {"cut -c-3", fruit}, {"cut -c3-", fruit}, {"cut -b1,3", fruit},
		{"cut -d: -f1", table}, {"cut -d: -f2-", table}, {"cut -d: -f-2", table}, {"cut -d : -f 1,3", table},
		{"cut -sd: -f1", table}, {"cut -d: -f3,1", table}, {"cut -d: -f1 --complement", table},
		{"cut -d: -f1,3 --output-delimiter=--", table}, {"cut -c1-2,3-4 --output-delimiter=.", "abcdef\n"},
		{"cut -c1-3,2-4 --output-delimiter=.", "abcdef\n"}, {"cut -f2", "a\tb\tc\nd\n"}, {"cut -c1 abc num", ""},
		{"cut -d ' ' -f2", fruit}, {"cut --fields=1 --delimiter=:", table}, {"cut -c2-3 --complement", "abcdef\n"},
		{"cut -d: -f1", "a:b"}, {"cut -zd: -f2", "a:b\x00c:d\x00"}, {"cut -d: -f2", ""}, {"cut -d: -f '1 3'", table},

		{"paste -sd,", "a\nb\nc\n"}, {"paste -s", "a\nb\n"}, {"paste - -", "1\n2\n3\n"}, {"paste -d: - - -", "1\n2\n3\n4\n"},
		{"paste abc num", ""}, {"paste -d '\\n' abc num", ""}, {"paste -s -d ',;' abc num", ""}, {"paste -d '' abc num", ""},
		{"paste abc noeol", ""}, {"paste -s", ""}, {"paste -d '\\0' abc num", ""}, {"paste - abc", "x\n"},
	}
}

func sortRows() []row {
	return []row{
		{"sort", fruit}, {"sort -u", fruit}, {"sort -r", fruit}, {"sort -f", fruit}, {"sort -fu", fruit},
		{"sort -k2", fruit}, {"sort -k2n", fruit}, {"sort -nk2", fruit}, {"sort -k2,2nr -k1", fruit}, {"sort -k2nr", fruit},
		{"sort -t: -k2", table}, {"sort -t : -k 3", table}, {"sort -t: -k2,2 -s", table}, {"sort -n", "10\n9\n-1\n1.5\n\nx\n 3\n007\n"},
		{"sort -rn", "10\n9\n-1\n1.5\n\nx\n"}, {"sort -h", "1K\n2M\n500\n1G\n-3K\n"}, {"sort -V", "v1.10\nv1.9\nv1.2\nv1.2.1\na-2.tar.gz\na-10.tar.gz\n"},
		{"sort -M", "mar\nJan\nfeb\nx\n"}, {"sort -d", "a-b\nab\na c\n"}, {"sort -b", "  b\na\n c\n"}, {"sort -k1.2", "ab\nca\nbc\n"},
		{"sort -k1.2,1.3", "abc\ncab\nbca\n"}, {"sort -s -k1,1", fruit}, {"sort -c", "a\nb\n"}, {"sort -c", "b\na\n"}, {"sort -C -u", "a\na\n"},
		{"sort abc num", ""}, {"sort", "b\na"}, {"sort -k2b,2", "x  b\ny a\n"}, {"sort --reverse --numeric-sort", "1\n2\n"}, {"sort -z", "b\x00a\x00"},
		{"sort -k 2,2 -k 1,1r", "a 1\nb 1\nc 0\n"}, {"sort -t, -k2n,2 -k1", "b,1\na,1\nc,0\n"}, {"sort -ru", fruit}, {"sort -nu", "01\n1\n2\n"}, {"sort -i", "a\x01b\nab\naa\n"},

		{"uniq", "a\na\nb\na\n"}, {"uniq -c", "a\na\nb\na"}, {"uniq -d", "a\na\nb\n"}, {"uniq -u", "a\na\nb\n"}, {"uniq -i", "a\nA\nb\n"},
		{"uniq -f1", "1 a\n2 a\n3 b\n"}, {"uniq -s1", "1a\n2a\n3b\n"}, {"uniq -w1", "ab\nac\nb\n"}, {"uniq -D", "a\na\nb\n"}, {"uniq -cd", "a\na\nb\n"},
		{"uniq", ""}, {"uniq abc", ""}, {"uniq -z", "a\x00a\x00"},

		{"wc -l", fruit}, {"wc -w", fruit}, {"wc -c", fruit}, {"wc -m", "é\n"}, {"wc -L", "a\tb\nxyz\n"}, {"wc -l", "no newline"},
		{"wc abc", ""}, {"wc -l abc num", ""}, {"wc -lc abc", ""}, {"wc -l abc", ""}, {"wc -c -", "abc"}, {"wc abc num noeol", ""}, {"wc -L abc num", ""},
	}
}

func layoutRows() []row {
	return []row{
		{"nl", mixed[:5] + "b\n"}, {"nl -ba", "a\n\nb\n"}, {"nl -bn", "a\n"}, {"nl -w3 -s:", "a\n\nb\n"}, {"nl -nln", "a\nb\n"}, {"nl -nrz -v5 -i2", "a\nb\n"},
		{"nl abc num", ""}, {"nl", "a"}, {"nl --number-width=2", "a\n"},
		{"fold -w3", "abcdefgh\nij\n"}, {"fold -3", "abcdefgh"}, {"fold -sw6", "the quick brown fox\n"}, {"fold -bw4", "a\tbcd\n"}, {"fold -w10", "a\tb\tc\n"}, {"fold", "x"},
		{"fold -s -w 5", "aaaaaaaaa bb\n"}, {"fold -w 1", "ab\b\rc\n"},
		{"expand", "a\tb\n\tc"}, {"expand -t4", "a\tb\n"}, {"expand -t 2,5", "a\tb\tc\td\n"}, {"expand -i", "\ta\tb\n"}, {"expand --tabs=3", "\t"},
		{"seq 5", ""}, {"seq 2 5", ""}, {"seq 1 2 9", ""}, {"seq 5 -1 1", ""}, {"seq -s, 3", ""}, {"seq -w 8 11", ""}, {"seq 0.5 0.25 1.5", ""},
		{"seq -f %03g 3", ""}, {"seq -f 'x%.2fy' 1 2", ""}, {"seq 3 1", ""}, {"seq -2 2", ""}, {"seq -w -1 10", ""}, {"seq -s ' ' 1 3", ""}, {"seq 1 0.5 2", ""},
		{"seq -s '' 3", ""}, {"seq --separator=- 3", ""}, {"seq -w 1 0.1 1.3", ""}, {"seq 1 3.7", ""}, {"seq 1.0 3", ""}, {"seq -w 1 3.75", ""}, {"seq -w 0.1 2", ""},
	}
}

func nameRows() []row {
	return []row{
		{"basename /a/b/c.txt", ""}, {"basename /a/b/c.txt .txt", ""}, {"basename /a/b/", ""}, {"basename /", ""}, {"basename ''", ""},
		{"basename .txt .txt", ""}, {"basename -a a/b c/d", ""}, {"basename -s .c a.c b/d.c", ""}, {"basename -z a/b", ""}, {"basename a///", ""},
		{"basename --suffix=.h x.h", ""}, {"basename -- -x", ""}, {"basename //", ""},
		{"dirname /a/b/c", ""}, {"dirname a", ""}, {"dirname /", ""}, {"dirname a/b/ c", ""}, {"dirname ''", ""}, {"dirname /a", ""}, {"dirname a//b", ""}, {"dirname -z a/b", ""}, {"dirname //a", ""},
		{"pwd", ""}, {"realpath abc", ""}, {"realpath .", ""}, {"realpath sub/../num", ""}, {"realpath -e abc", ""}, {"realpath -sm nope/../x", ""}, {"readlink -f abc", ""},
		{"readlink -fn sub", ""}, {"printenv GREETING", ""}, {"printenv NOPE", ""}, {"printenv NOPE GREETING", ""}, {"printenv -0 GREETING", ""},
		{"true", ""}, {"false", ""}, {"true a b", ""}, {"tee", "xyz"}, {"tee -a", "xyz"},
		{"iconv -f utf-8 -t utf-16le", "hi é\n"}, {"iconv -f UTF-16LE -t UTF-8", "h\x00i\x00"}, {"iconv -f latin1 -t utf8", "\xe9"}, {"iconv --from-code=utf8 --to-code=ascii", "abc"},
		{"test a", ""}, {"test ''", ""}, {"test a = a", ""}, {"test a != a", ""}, {"test 3 -lt 10", ""}, {"test 3 -ge 10", ""}, {"test ! a", ""}, {"test -n ''", ""},
		{"test -z ''", ""}, {"test -e abc", ""}, {"test -d sub", ""}, {"test -f sub", ""}, {"test -f abc", ""}, {"test -s empty", ""}, {"test -e nope", ""}, {"test ! -e nope", ""},
		{"test a == a", ""}, {"test ! 1 -eq 1", ""}, {"[ a = b ]", ""}, {"[ -d sub ]", ""}, {"[ ]", ""},
		{"expr 1 + 2", ""}, {"expr 7 '*' 6", ""}, {"expr 7 / 2", ""}, {"expr -7 / 2", ""}, {"expr -7 % 3", ""}, {"expr 3 - 3", ""}, {"expr length abcd", ""},
		{"expr substr hello 2 3", ""}, {"expr substr hello 9 3", ""}, {"expr index hello l", ""}, {"expr abc : 'a.'", ""}, {"expr abc : '.*\\(b\\)'", ""}, {"expr match abc b", ""},
		{"expr '(' 1 + 2 ')' '*' 3", ""}, {"expr a '|' b", ""}, {"expr '' '|' b", ""}, {"expr 0 '&' 1", ""}, {"expr 10 '>' 9", ""}, {"expr a '<' b", ""}, {"expr 1 = 01", ""},
		{"expr 99999999999999999999 + 1", ""}, {"expr + length", ""}, {"expr x : x*", ""}, {"expr /a/b/c : '.*/\\(.*\\)'", ""}, {"expr hello : 'x'", ""}, {"expr 5", ""},
		{"bc", "1+2\n3*4;5-7\n"}, {"bc", "2^10\n7/2\n-7/2\n-7%3\n(1+2)*3\n"}, {"bc", "obase=16;255\n"}, {"bc", "ibase=16\nFF\nA\n"}, {"bc", "ibase=2;1010\n"}, {"bc -q", "x=5\nx*x\n"},
		{"bc", "2^3^2\n1 + 2 * 3\n- 3 - -2\n"}, {"bc", "quit\n1\n"},
		{"dc -e '2 3 + p'", ""}, {"dc", "16i 72 P"}, {"dc -e '5 3 - n'", ""}, {"dc -e '[hi] P'", ""}, {"dc -e '16o 255 p'", ""}, {"dc -e '1 2 3 f'", ""}, {"dc -e '2 10 ^ p'", ""}, {"dc -e '65 a p'", ""}, {"dc -e '_5 2 / p'", ""}, {"dc -e '1 2 r f c 7 p q 8 p'", ""}, {"dc", "1919758624 P\n"},
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for _, locale := range []string{"C", "C.UTF-8"} {
		s := setting{dir: testDir(t), locale: locale}
		s.checkAll(t, textRows())
		s.checkAll(t, sortRows())
		s.checkAll(t, layoutRows())
		s.checkAll(t, nameRows())
	}
	s := setting{dir: testDir(t), locale: "C.UTF-8"}
	s.checkAll(t, []row{{"rev", "héllo\nwörld"}, {"sort -f", "é\na\n"}})
}
