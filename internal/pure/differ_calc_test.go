package pure

import (
	"testing"

	"pgregory.net/rapid"
)

func TestDifferCalc(t *testing.T) {
	t.Parallel()
	s := setting{dir: testDir(t), locale: "C.UTF-8"}
	differ(t, s, func(rt *rapid.T) ([]string, string) {
		return []string{"bc"}, some(rt, "bc", 1, 10, "1", "7", "FF", "A", "10", "+", "-", "*", "/", "%", "^", "(", ")", "\n", ";", "x", "=", "ibase=", "obase=", "16", " ", "2", "x=") + "\n"
	})
	differ(t, s, func(rt *rapid.T) ([]string, string) {
		return []string{"dc"}, some(rt, "dc", 1, 10, "1 ", "7 ", "FF ", "A ", "10 ", "+", "-", "*", "/", "%", "^", "p", "n", "P", "a", "f", "c", "d", "r", "i", "o", "q", "_3 ", "[hi]", "16", " ", "\n", "65 ") + "\n"
	})
	differ(t, s, func(rt *rapid.T) ([]string, string) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"1", "0", "-3", "10", "abc", "", "+", "-", "*", "/", "%", ":", "=", "<", ">=", "!=", "|", "&", "(", ")", "length", "substr", "index", "match", "a.", ".*", `\(b\)`, "a*", "[0-9]*", `.*\(.\)`, "007"}), 1, 7).Draw(rt, "expr")
		return append([]string{"expr"}, words...), ""
	})
	differ(t, s, func(rt *rapid.T) ([]string, string) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "", "=", "!=", "==", "-n", "-z", "!", "1", "2", "-eq", "-lt", "-ge", "-e", "-d", "-f", "-s", "abc", "sub", "empty", "(", ")", "-a", "-o", "-3"}), 0, 5).Draw(rt, "test")
		return append([]string{"test"}, words...), ""
	})
	differ(t, s, func(rt *rapid.T) ([]string, string) {
		paths := rapid.SliceOfN(rapid.SampledFrom([]string{"/", "//", "a", "a/", "/a/b", "a/b//", "", ".", "..", "/a//b/", "b.txt", ".txt", "-a", "-z", "-s.txt", "x/.txt"}), 1, 3).Draw(rt, "paths")
		return append([]string{rapid.SampledFrom([]string{"basename", "dirname"}).Draw(rt, "program")}, paths...), ""
	})
	differ(t, s, func(rt *rapid.T) ([]string, string) {
		doc := rapid.SampledFrom([]string{`{"a":{"b":[1,"x",null,true,{"c":[]}]},"d":"e\u0041\n"}`, `[1,[2,{"a":3}],"s"]`, `"str"`, `null {"a":1} [0]`, `{"a":"b"`, "12.50"}).Draw(rt, "document")
		argv := []string{"jq"}
		if o := some(rt, "options", 0, 2, "r", "c", "S", "j"); o != "" {
			argv = append(argv, "-"+o)
		}
		return append(argv, some(rt, "filter", 1, 4, ".", ".a", ".b", "[0]", "[]", "|", " | ", "length", "keys", ".d", "?", "[-1]", `["a"]`, `."a"`, "@base64")), doc
	})
	for _, shell := range []string{"bash", "dash", "zsh", "mksh"} {
		s := s
		s.shell = shell
		differ(t, s, func(rt *rapid.T) ([]string, string) {
			argv := []string{"echo"}
			for range rapid.IntRange(0, 3).Draw(rt, "words") {
				argv = append(argv, some(rt, "word", 1, 4, "-", "n", "e", "E", "-e", "-n", `\n`, `\x4`, `\x41`, `\0101`, `\c`, `\u41`, `\`, "a", " ", `\1`, `\\`, `\e`))
			}
			return argv, ""
		})
	}
}
