// Command generate writes the tables of kinds and of nouns, and their page in
// the documentation, from kinds.txt and nouns.txt. It refuses a word that is
// declared twice, goes with no verb, or has a phrase that no sentence can fill.
package main

import (
	"fmt"
	"go/format"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/generate"
	"github.com/heedsh/heed/risk"
)

func main() {
	generate.Main("go generate ./risk", made)
}

const (
	source    = "kinds.txt"
	things    = "nouns.txt"
	table     = "kindtable.go"
	nounTable = "nountable.go"
	page      = "../docs/words.md"
)

func made() (map[string][]byte, error) {
	text, err := os.ReadFile(source)
	if err != nil {
		return nil, fmt.Errorf("reading the declared words: %w", err)
	}
	kinds, err := parse(string(text))
	if err != nil {
		return nil, err
	}
	text, err = os.ReadFile(things)
	if err != nil {
		return nil, fmt.Errorf("reading the nouns: %w", err)
	}
	nouns, err := parseNouns(string(text))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{page: []byte(document(kinds, nouns))}
	for name, code := range map[string]string{table: render(kinds), nounTable: renderNouns(nouns)} {
		if files[name], err = format.Source([]byte(code)); err != nil {
			return nil, fmt.Errorf("formatting %s: %w", name, err)
		}
	}
	return files, nil
}

type kind struct {
	id, name  string
	workspace bool
	uses      []use
}

type use struct{ verb, attack, asi, says string }

// parse reads kinds.txt: a word at the start of a line, with the name of its
// constant behind " = " where that is not made from the word; below it,
// indented, a line a verb: the verb, ids in brackets, and a phrase behind a
// colon; and "workspace" if a workspace's spec may say the word.
func parse(text string) ([]kind, error) {
	line := regexp.MustCompile(`^\t([a-z.]+)(?: \[(T[0-9.]+) (ASI[0-9]+)\])?(?:: (.+))?$`)
	var all []kind
	for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		at := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: %s", source, i+1, fmt.Sprintf(format, args...))
		}
		switch m := line.FindStringSubmatch(l); {
		case l == "" || strings.HasPrefix(l, "#"):
		case !strings.HasPrefix(l, "\t"):
			id, name, given := strings.Cut(l, " = ")
			if !given {
				name = constant(id)
			}
			all = append(all, kind{id: id, name: name})
		case len(all) == 0 || m == nil:
			return nil, at("want a tab, a verb, [T… ASI…] and : phrase, or workspace")
		case m[1] == "workspace":
			all[len(all)-1].workspace = true
		case !slices.Contains(risk.Verbs(), risk.Verb(m[1])):
			return nil, at("%q is no verb", m[1])
		case !fillable(m[4]):
			return nil, at("the phrase begins with no verb, or has a slot that risk.Slots does not list")
		default:
			k := &all[len(all)-1]
			k.uses = append(k.uses, use{m[1], m[2], m[3], m[4]})
		}
	}
	slices.SortFunc(all, func(a, b kind) int { return strings.Compare(a.id, b.id) })
	names := map[string]string{}
	for i, k := range all {
		switch {
		case i > 0 && all[i-1].id == k.id:
			return nil, fmt.Errorf("%s: %q is declared twice", source, k.id)
		case len(k.uses) == 0:
			return nil, fmt.Errorf("%s: %q goes with no verb", source, k.id)
		case names[k.name] != "":
			return nil, fmt.Errorf("%s: %q and %q are both called %s: name one with ` = `", source, names[k.name], k.id, k.name)
		}
		names[k.name] = k.id
	}
	return all, nil
}

// fillable reports whether a sentence can be made from a phrase: it begins
// with a capital letter, ends without a full stop, and has only slots that are
// known.
func fillable(phrases string) bool {
	for phrase := range strings.SplitSeq(phrases, " | ") {
		if phrase == "" {
			return phrases == ""
		}
		if phrase[0] < 'A' || phrase[0] > 'Z' || strings.HasSuffix(phrase, ".") {
			return false
		}
		for _, m := range regexp.MustCompile(`\{([^}:]*)[^}]*\}?`).FindAllStringSubmatch(phrase, -1) {
			if !strings.HasSuffix(m[0], "}") || !slices.Contains(risk.Slots(), m[1]) {
				return false
			}
		}
	}
	return true
}

// parseNouns reads nouns.txt: a noun a line, and the languages of code.
func parseNouns(text string) ([]string, error) {
	var nouns []string
	for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		languages, isCode := strings.CutPrefix(l, "code = ")
		switch {
		case l == "" || strings.HasPrefix(l, "#"):
		case isCode:
			for _, language := range strings.Fields(languages) {
				nouns = append(nouns, language+" code")
			}
		case !regexp.MustCompile(`^[A-Za-z'.-]+( [A-Za-z'.-]+)+$`).MatchString(l):
			return nil, fmt.Errorf("%s:%d: %q is no noun of several plain words", things, i+1, l)
		default:
			nouns = append(nouns, l)
		}
	}
	slices.Sort(nouns)
	for i := 1; i < len(nouns); i++ {
		if nouns[i] == nouns[i-1] {
			return nil, fmt.Errorf("%s: %q is declared twice", things, nouns[i])
		}
	}
	return nouns, nil
}

func renderNouns(nouns []string) string {
	var b strings.Builder
	b.WriteString("// Code generated from nouns.txt by go generate; DO NOT EDIT.\n\npackage risk\n\nvar nounRows = [...]string{\n")
	for _, n := range nouns {
		fmt.Fprintf(&b, "%q,\n", n)
	}
	b.WriteString("}\n")
	return b.String()
}

// constant makes the name of a word's constant.
func constant(id string) string {
	var b strings.Builder
	b.WriteString("Kind")
	for _, w := range regexp.MustCompile(`[A-Za-z0-9]+|\*`).FindAllString(id, -1) {
		if w == "*" {
			w = "each"
		}
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

func render(kinds []kind) string {
	var b strings.Builder
	b.WriteString("// Code generated from kinds.txt by go generate; DO NOT EDIT.\n\npackage risk\n\n// The kinds.\nconst (\n")
	for i, k := range kinds {
		value := ""
		if i == 0 {
			value = " Kind = iota + 1"
		}
		fmt.Fprintf(&b, "%s%s // %s\n", k.name, value, k.id)
	}
	b.WriteString(")\n\nvar kindRows = [...]kindRow{\n{},\n")
	for _, k := range kinds {
		fmt.Fprintf(&b, "{%q, %t, []kindUse{", k.id, k.workspace)
		for _, u := range k.uses {
			fmt.Fprintf(&b, "{%q, %q, %q, %q},", u.verb, u.attack, u.asi, u.says)
		}
		b.WriteString("}},\n")
	}
	b.WriteString("}\n")
	return b.String()
}

func document(kinds []kind, nouns []string) string {
	var b strings.Builder
	b.WriteString(`# Words

<!-- Written from risk/kinds.txt and risk/nouns.txt by go generate ./risk. -->

An effect has a verb and, where the verb does not say enough, a kind: the ` + "`detail`" + ` of the JSON, of specs
([catalog.md](catalog.md)) and of pattern rules ([patterns.md](patterns.md)). These are all kinds, with the verbs that they
go with, and how such an effect is told where the verb's own phrase does not serve. Who needs another one adds it to
` + "`risk/kinds.txt`" + `. A workspace's own spec may say those marked with a star; its other words are dropped.

| kind | goes with |
|---|---|
`)
	for _, k := range kinds {
		star := ""
		if k.workspace {
			star = " *"
		}
		var verbs []string
		for _, u := range k.uses {
			verbs = append(verbs, strings.TrimSpace("`"+u.verb+"` "+shown(u.says)))
		}
		fmt.Fprintf(&b, "| %s%s | %s |\n", strings.ReplaceAll(k.id, "*", `\*`), star, strings.Join(verbs, "; "))
	}
	b.WriteString(`
## Things

What a spec may name as a literal target of several words (` + "`target: \"=the tests\"`" + `), beside paths. Sentences show them
without quotation marks. Who needs another one adds it to ` + "`risk/nouns.txt`" + `.

`)
	b.WriteString(strings.Join(nouns, " · ") + "\n")
	return b.String()
}

// shown is the first phrase of a use as its page shows it.
func shown(says string) string {
	first, _, _ := strings.Cut(says, " | ")
	return strings.ReplaceAll(first, "{end}", "")
}
