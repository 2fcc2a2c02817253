package rules_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/detect/rules"
	"github.com/heedsh/heed/internal/detect/sigma"
	"mvdan.cc/sh/v3/syntax"
)

// TestHighIsRare runs the rules for Linux over the commands that are labelled
// BENIGN in the file that HEED_INTENT_POOL names (a JSON object a line, with
// cmd, intent and shell). A rule of level high or critical may hit at most one
// in a thousand of them. The events are made of the words as they are written,
// without evaluating them, which is enough to count.
func TestHighIsRare(t *testing.T) {
	t.Parallel()
	name := os.Getenv("HEED_INTENT_POOL")
	if name == "" {
		t.Skip("HEED_INTENT_POOL names no file")
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	set, err := rules.Pack()
	if err != nil {
		t.Fatal(err)
	}
	counter := counter{set: set, hits: map[int]int{}}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	total, raised := 0, 0
	for lines.Scan() {
		var row struct{ Cmd, Intent, Shell string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Intent != "BENIGN" || row.Shell != "bash" && row.Shell != "sh" {
			continue
		}
		total++
		if counter.command(row.Cmd) {
			raised++
		}
	}
	if err := lines.Err(); err != nil || total < 1000 {
		t.Fatalf("%d commands, %v", total, err)
	}
	t.Logf("%d commands, %d raised by a rule of level high or critical", total, raised)
	for rule, n := range counter.hits {
		if m := set.Meta(rule); (m.Level == "high" || m.Level == "critical") && n*1000 > total {
			t.Errorf("%s is %s and hits %d of %d ordinary commands", m.File, m.Level, n, total)
		}
	}
}

// counter counts the commands that each rule hits.
type counter struct {
	set     *sigma.Set
	matcher sigma.Matcher
	hits    map[int]int
}

// command counts one command, and reports whether a rule raises it.
func (c *counter) command(text string) (raised bool) {
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		return false
	}
	hit := map[int]bool{}
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		var words []string
		for _, w := range call.Args {
			words = append(words, text[w.Pos().Offset():w.End().Offset()])
		}
		for len(words) > 0 {
			c.process(words, hit)
			words = inner(words)
		}
		return true
	})
	for rule := range hit {
		c.hits[rule]++
		level := c.set.Meta(rule).Level
		raised = raised || level == "high" || level == "critical"
	}
	return raised
}

// process matches one program.
func (c *counter) process(words []string, hit map[int]bool) {
	image := words[0]
	if !strings.HasPrefix(image, "/") {
		image = "/usr/bin/" + path.Base(image)
	}
	line := strings.NewReplacer(`"`, "", "'", "", "\\\n", "", " ~/", " /home/dev/").Replace(strings.Join(words, " "))
	ev := sigma.Event{
		{Name: "Image", Value: image},
		{Name: "CommandLine", Value: line},
		{Name: "User", Value: "dev"},
		{Name: "CurrentDirectory", Value: "/home/dev/project"},
		{Name: "ParentImage", Value: "/usr/bin/bash"},
	}
	for _, h := range c.set.Match(&c.matcher, sigma.ProcessCreation("linux"), ev) {
		if !h.Silent {
			hit[h.Rule] = true
		}
	}
}

// inner returns the words of the command that sudo, env and their like start.
func inner(words []string) []string {
	switch path.Base(words[0]) {
	case "sudo", "env", "nohup", "time", "nice", "xargs", "doas":
	default:
		return nil
	}
	for words = words[1:]; len(words) > 0 && (words[0][0] == '-' || strings.Contains(words[0], "=")); words = words[1:] {
	}
	return words
}
