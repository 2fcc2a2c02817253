package scan

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestHostileSizes gives every reader the largest files of the shapes that
// would be too much work if a part of it were not linear. It measures no time:
// work that is not linear would not end before the test's own limit.
func TestHostileSizes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads many megabytes: not in short mode")
	}
	fill := func(head, piece, tail string) string {
		return head + strings.Repeat(piece, (MaxSize-len(head)-len(tail))/len(piece)) + tail
	}
	many := func(piece string) string {
		var b strings.Builder
		for i := 0; b.Len() < MaxSize-2*len(piece); i++ {
			fmt.Fprintf(&b, piece, i)
		}
		return b.String()
	}
	for kind, texts := range map[Kind][]string{
		Makefile: {
			fill("a:\n\t", "$(", ""), fill("a:\n\t", "$(", strings.Repeat(")", 1000)), fill("a: ; x", "\\\n", ""), fill("a:\n", "\t\\\n", ""), fill("a:\n", "\t$(\\\n", ""),
			fill("A=$(A)$(A)$(A)\n", "B=$(A)$(B)$(C)\nC=$(B)$(B)\nx:\n\techo $(A)$(B)$(C)\n", ""), fill("export\n", "a=b\nc:\n\td\n", ""), fill("", "define x\n", ""),
			fill("x := ", "$(shell ", ""), fill("a:\n\t", "$(addprefix a,", strings.Repeat(")", 1000)), fill("", "A+=b\n", ""),
		},
		Dockerfile: {
			fill("RUN a", "\\\n", ""), fill("RUN ", "--a ", ""), fill("", "ENV A=$A$A\n", ""), fill("ENV A=b\n", "ENV A=$A$A\nRUN $A\n", ""), fill("RUN ", "<<A ", ""), fill("RUN <<A\n", "x\n", ""),
			fill("", "ONBUILD ", ""), fill("ENTRYPOINT [\"a\"", ",\"b\"", "]"), fill("", "FROM a\nENV a b\nCMD c\n", ""), fill("", "RUN \\\n# c\n", ""),
			fill("ENV A="+strings.Repeat("a", 1<<15)+"\n", "ENV B=$A\n", ""), many("ENV A%d=b\nRUN c\n"), fill("", "RUN <<A\n", ""),
		},
		Justfile: {
			fill("x := 'a' + ", "'b' + ", "'c'"), fill("a:\n  ", "{{", ""), fill("a:\n  ", "{{b}}", ""), fill("set shell := [\n", "'a',\n", ""), fill("x := ", "`a`", ""), fill("a:\n", "  x \\\n", ""), fill("", "[x]\n", ""),
		},
		Markdown: {
			fill("", "```sh\n", ""), fill("", "> ", "```sh\nls"), fill("```console\n", "$ a\n> b\n", ""), fill("```sh\n", "'", ""), fill("```console\n$ ", "<<A", ""), fill("", "```sh\nls\n```\n", ""), fill("```console\n", "a@b$", ""),
		},
		Workflow: {
			fill("jobs: {a: {steps: [{run: '", "${{ x }}", "'}]}}"), fill("jobs: {a: {steps: [", "{run: x},", "]}}"), fill("jobs:\n a:\n  steps:\n   - run: |\n", "      a b c\n", ""),
			fill("jobs: {a: {steps: [{run: '", "${{", "'}]}}"), fill("runs: {steps: [{shell: python, run: '", "${{ }}", "'}]}}"),
		},
		GitLab:  {fill("a: {script: [", "b,", "]}"), fill("before_script: [x]\n", "a: {script: b}\n", ""), fill("a: {script: ", "[", "")},
		Package: {fill(`{"a":`, "[", ""), fill(`{"scripts":{"a":"b"`, `,"c":"d"`, "}}")},
	} {
		for _, text := range texts {
			t0 := time.Now()
			found := Extract(File{Kind: kind, Name: "x", Text: text})
			t.Logf("%v %s %.40q", time.Since(t0), kind, text)
			if len(found.Commands) > maxCommands || len(found.Problems) > maxCommands {
				t.Errorf("%s %.20q: %d commands, %d problems", kind, text, len(found.Commands), len(found.Problems))
			}
		}
	}
}
