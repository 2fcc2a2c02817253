package gaps_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/gaps"
	"github.com/heedsh/heed/internal/service"
)

func TestFind(t *testing.T) {
	t.Parallel()
	corpus := "frob a\nfrob b | grep x\nls --frob\nls --frob -l\ngit frob\nif true\necho `\nls -l; cat README.md\nblob destroy x\n"
	lines, err := gaps.Read(strings.NewReader(corpus), "corpus")
	if err != nil {
		t.Fatal(err)
	}
	found, err := gaps.Find(t.Context(), lines, service.New(service.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	shell := 0
	for _, g := range found {
		if g.Kind == gaps.Shell {
			shell += g.Count
			continue
		}
		got = append(got, strings.Repeat("I", g.Count)+" "+string(g.Kind)+" "+g.Name+" | "+g.Example)
	}
	want := []string{
		"II program frob | frob a", "II option ls --frob | ls --frob", "I program blob | blob destroy x", "I subcommand git frob | git frob",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if shell < 2 {
		t.Errorf("%d constructs that cannot be parsed, want 2: %v", shell, found)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []gaps.Line
		err        string
	}{
		{"plain lines", "ls\r\n\n  \nprintf 'a\tb'\n", []gaps.Line{{Command: "ls"}, {Command: "printf 'a\tb'"}}, ""},
		{"JSON lines", "{\"cmd\":\"ls\",\"shell\":\"zsh\",\"count\":3,\"id\":7}\n{\"cmd\":\"\"}", []gaps.Line{{"ls", "zsh", 3}, {}}, ""},
		{"a table", "\ufeffsuite\tcommand\tcount\tshell\na\tls -l\t4\tsh\nb\tcd\t1\n", []gaps.Line{{"ls -l", "sh", 4}, {Command: "cd", Count: 1}}, ""},
		{"programs", "program\tcount\nls\t4\n", []gaps.Line{{Command: "ls", Count: 4}}, ""},
		{"tabs without names", "a\tb\n", []gaps.Line{{Command: "a\tb"}}, ""},
		{"a group", "{ ls; }\n", []gaps.Line{{Command: "{ ls; }"}}, ""},
		{"no JSON", "{\"cmd\":\"ls\"}\n{\"cmd\":", nil, "c:2: this line is no JSON object"},
		{"no command", "{\"x\":1}", nil, `c:1: this line has no "cmd"`},
		{"no number", "cmd\tcount\nls\tx\n", nil, "c:2: count"},
		{"a short row", "count\tcmd\n1\n", nil, "c:2: no command"},
	} {
		got, err := gaps.Read(strings.NewReader(tt.text), "c")
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: %v, want %q", tt.name, err, tt.err)
			}
			continue
		}
		if d := cmp.Diff(tt.want, got); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", tt.name, err, d)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("cmd\tcount\nls\t1\n")
	f.Add("{\"cmd\":\"ls\"}\n")
	f.Add("ls\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		lines, err := gaps.Read(strings.NewReader(text), "c")
		if err == nil && len(lines) > strings.Count(text, "\n")+1 {
			t.Errorf("%d commands of %q", len(lines), text)
		}
	})
}
