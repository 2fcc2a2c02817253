package scan

import (
	"fmt"
	"strings"
	"testing"
)

// TestDockerfileCommands says which command the last of a file is, with the
// variables V and W and the directory that it has.
func TestDockerfileCommands(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"RUN a \\\n  b":                             "a \\\n  b in /",
		"RUN a 'b \\\n  c'":                         "a 'b   c' in /", // the builder takes the escape out, quoted or not
		"RUN a # b \\\n  c":                         "a # b   c in /", // so that the comment goes on
		"RUN a \\\\\nRUN b":                         "b in /",
		"# x=y\n# escape=`\nRUN a `\nRUN b":         "b in /",
		"RUN cat<<E\nRUN b":                         "b in /", // a word of its own asks for a here-document
		"RUN cat << E\nRUN b\nE":                    "cat << E\nRUN b\nE in /",
		"RUN <<E\nRUN b":                            "b in /",
		"RUN --security='insecure' a":               "a in / insecure",
		"ENV V='$HOME'\nRUN a":                      "a in / V=$HOME",
		"ENV V=\\$HOME\nRUN a":                      "a in / V=$HOME",
		"ENV V=\"$HOME/b\"\nRUN a":                  "a in / V=/root/b",
		"ENV V \"b c\"\nRUN a":                      "a in / V=b c",
		"ENV V=b\\\nc\nRUN a":                       "a in / V=bc",
		"ENV V=${W:-b}\nRUN a":                      "a in / V=b",
		"ENV W=c V=1\nENV V=2 W=${W}$V\nRUN a":      "a in / V=2 W=c1",
		"ENV W=\nENV V=${W:-b}${W-c}${W:+d}\nRUN a": "a in / V=b W=",
		"ENV V=$NOT\nRUN a":                         "a in /",
		"ENV V=b\nENV V=${V%c}\nRUN a":              "a in /",
		"ARG V=b\nFROM c\nRUN a":                    "a in /",
		"WORKDIR /b c\nWORKDIR \"d\"\nRUN a":        "a in /b c/d",
		"WORKDIR ${X\nRUN a":                        "a in / or elsewhere",
		"ENTRYPOINT [\"a\"]\nCMD [\"b c\"]":         "a 'b c' in /",
		"ENTRYPOINT a\nCMD [\"b\"]":                 "a in /",
		"HEALTHCHECK --timeout=1s CMD [\"a\"]":      "a in /",
		"ONBUILD RUN <<E\na\nE":                     "a\n in /",
	} {
		found := Extract(File{Kind: Dockerfile, Name: "Dockerfile", Text: text})
		check(t, text, found)
		if len(found.Commands) == 0 {
			t.Errorf("%q has no command", text)
			continue
		}
		c := &found.Commands[len(found.Commands)-1]
		got := c.Text + " in " + c.Dir
		if c.AnyDir {
			got += " or elsewhere"
		}
		for _, name := range []string{"V", "W"} {
			if value, set := c.Env[name]; set {
				got += fmt.Sprintf(" %s=%s", name, value)
			}
		}
		if c.Insecure {
			got += " insecure"
		}
		if got != want {
			t.Errorf("%q\n\tgot  %q\n\twant %q", text, got, want)
		}
	}
}

// TestDockerfileRefused are files that no builder takes: that is reported.
func TestDockerfileRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"FROM a\nRAN b\n", "FROM a\nRUN <<E\nb\n", "FROM a\nENV b=${{c}}\n", "FROM a\nRUN [\"b\", 1]\n"} {
		found := Extract(File{Kind: Dockerfile, Name: "Dockerfile", Text: text})
		if len(found.Problems) != 1 || found.Problems[0].Offset < len("FROM a\n") || !strings.HasPrefix(found.Problems[0].Why, "it cannot be read as a Dockerfile: ") {
			t.Errorf("%q: %+v", text, found.Problems)
		}
	}
}
