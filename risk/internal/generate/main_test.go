package main

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"made\n\tfs.write: Makes {target}{end}, twice | Makes something\n", ""},
		{"made\n\tfs.write [T1485 ASI02]\n\tworkspace\n", ""},
		{"made\n", `"made" goes with no verb`},
		{"made\n\tfs.eat\n", `kinds.txt:2: "fs.eat" is no verb`},
		{"made\n\tfs.write\nmade\n\tfs.read\n", `"made" is declared twice`},
		{"a b\n\tfs.write\na-b\n\tfs.read\n", "are both called KindAB"},
		{"made\n\tfs.write: makes {target}\n", "kinds.txt:2: the phrase begins with no verb"},
		{"made\n\tfs.write: Makes {thing}\n", "has a slot that risk.Slots does not list"},
		{"made\n\tfs.write: Makes {target\n", "has a slot that risk.Slots does not list"},
		{"made\n\tfs.write: Makes it.\n", "kinds.txt:2:"},
		{"made\n\tfs.write: Makes it | \n", "kinds.txt:2:"},
	} {
		_, err := parse(tt.text)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.want)
		}
	}
}

func TestParseNouns(t *testing.T) {
	t.Parallel()
	got, err := parseNouns("# no noun\ncode = awk m4\n\nthe tests\n")
	if want := []string{"awk code", "m4 code", "the tests"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for text, want := range map[string]string{
		"tests\n":                `nouns.txt:1: "tests" is no noun`,
		"the {tests}\n":          "nouns.txt:1:",
		"the tests\nthe tests\n": "is declared twice",
		"awk code\ncode = awk\n": "is declared twice",
	} {
		if _, err := parseNouns(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
