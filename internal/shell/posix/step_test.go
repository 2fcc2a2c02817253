package posix

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/shell"
)

// TestSteps: what each step of a line is, and how the line is divided behind it.
func TestSteps(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"a":                {},
		"a || b":           {},
		"f() { a; }; f":    {},
		"cat <<E; b\nx\nE": {},
		"a && b; c":        {"a / b; c", "&& b: a && b / c", "; c"},
		"a\nb # then\nc":   {"a / b # then\nc", "; b: a\nb / c", "; c"},
		"a | b && (cd x; c)": {
			"a | b / (cd x; c)", "&& (cd x; c)",
		},
		"a || b && c; d &": {"a || b / c; d &", "&& c: a || b && c / d &", "; d &"},
		"! a && b":         {"! a / b", "&& b"},
		// What sets the shell up stands in both halves.
		"mkdir x && cd x && make && sudo make install": {
			"mkdir x / cd x && make && sudo make install", "&& cd x: mkdir x && cd x / cd x && make && sudo make install",
			"&& make: mkdir x && cd x && make / cd x && sudo make install", "&& sudo make install",
		},
		"cd build; make; rm -rf *":    {"cd build / cd build; make; rm -rf *", "; make: cd build; make / cd build; rm -rf *", "; rm -rf *"},
		"export A=1; B=$A; c; d":      {"export A=1 / export A=1; B=$A; c; d", "; B=$A: export A=1; B=$A / export A=1; B=$A; c; d", "; c: export A=1; B=$A; c / export A=1; B=$A; d", "; d"},
		"for f in *; do a $f; done;b": {"for f in *; do a $f; done / b", "; b"},
		"printf %s x; b":              {"printf %s x / b", "; b"},
		// Where the halves would not come to the same they stay together.
		"a && cd x; b":                           {"a / cd x; b", "&& cd x: whether `cd x` was reached", "; b"},
		". ./env && b":                           {"what `.` leaves", "&& b"},
		"source ./env && b":                      {"what `source` leaves", "&& b"},
		"x=$(date); b":                           {"what an assignment leaves", "; b"},
		"cd *; b":                                {"what `cd` leaves", "; b"},
		"cd - && b":                              {"cd - / cd - && b", "&& b"},
		"$run; b":                                {"a command whose name is worked out", "; b"},
		"trap 'rm y' EXIT; b":                    {"what `trap` leaves", "; b"},
		"a & b":                                  {"what `&` leaves", "; b"},
		"a; echo $?":                             {"asks with `$?`", "; echo $?"},
		"a; wait":                                {"asks with `wait`", "; wait"},
		"printf -v x y; b $x":                    {"what `printf` leaves", "; b $x"},
		"{ cd x; }; b":                           {"what `cd` leaves", "; b"},
		"if a; then cd x; fi; b":                 {"what `cd` leaves", "; b"},
		"a ${x:=y}; b":                           {"what `${…=…}` leaves", "; b"},
		"a $((i++)); b":                          {"what `++` leaves", "; b"},
		"((i += 2)); b":                          {"what `+=` leaves", "; b"},
		"exec 3>x; b":                            {"what `exec` leaves", "; b"},
		"for f in *; do a; done; echo $f":        {"need the f that is set before", "; echo $f"},
		"[[ $x =~ y ]]; echo ${BASH_REMATCH[0]}": {"need the BASH_REMATCH", "; echo ${BASH_REMATCH[0]}"},
	} {
		steps := Steps(text, "bash")
		if len(steps) != len(want) {
			t.Errorf("%q has %d steps, want %d", text, len(steps), len(want))
			continue
		}
		for i, s := range steps {
			got := shown(text, s)
			if i == 0 {
				_, got, _ = strings.Cut(got, ": ")
			}
			if s.Together == "" && got != want[i] || !strings.Contains(got, want[i]) {
				t.Errorf("%q, step %d: %q, want %q", text, i+1, got, want[i])
			}
		}
	}
	if zsh := Steps("a | while read x; do b; done; c", "zsh"); len(zsh) != 2 || zsh[0].Together == "" {
		t.Errorf("the last of a pipeline is in zsh's own shell: %+v", zsh)
	}
	if bash := Steps("a | while read x; do b; done; c", "bash"); len(bash) != 2 || bash[0].Together != "" {
		t.Errorf("no part of a pipeline is in bash's own shell: %+v", bash)
	}
}

// shown is a step in a line: what joins it, its text, and the halves behind it.
func shown(text string, s shell.Step) string {
	out := strings.TrimSpace(s.After + " " + text[s.Span.Start:s.Span.End])
	switch {
	case s.Together != "":
		out += ": " + s.Together
	case s.First != "":
		out += ": " + s.First + " / " + s.Rest
	case s.After == "":
		out += ": "
	}
	return out
}
