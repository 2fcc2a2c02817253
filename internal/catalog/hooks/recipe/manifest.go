package recipe

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Bounds on reading a project's own description.
const (
	manifestLimit = 1 << 20
	manifestClimb = 20
	scriptsLimit  = 32
)

// A manifest is what a package.json or composer.json says about scripts.
type manifest struct {
	dir, name  string
	scripts    map[string][]string
	workspaces bool   // it names some
	options    string // of node, that .npmrc beside it gives scripts (npm 10, "node-options")
	shell      string // that .npmrc beside it runs scripts with, if it names one (npm 10, "script-shell")
}

// findManifest looks for file in dir and above, as npm and its kin do
// (npm 10, "npm prefix").
func findManifest(s *catalog.Site, dir, file string) (manifest, bool) {
	if s.World == nil || s.World.FS == nil || !path.IsAbs(dir) {
		return manifest{}, false
	}
	dir = path.Clean(dir)
	for range manifestClimb {
		data, err := s.World.FS.ReadFile(path.Join(dir, file), manifestLimit)
		if err == nil {
			return parseManifest(dir, data)
		}
		if !errors.Is(err, world.ErrNotExist) || dir == "/" {
			break
		}
		dir = path.Dir(dir)
	}
	return manifest{}, false
}

// parseManifest reads a manifest. Keys are compared exactly: decoding into a
// struct would fold case, which npm does not.
func parseManifest(dir string, data []byte) (manifest, bool) {
	m := manifest{dir: dir, scripts: map[string][]string{}}
	var doc, scripts map[string]json.RawMessage
	if json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &doc) != nil {
		return m, false
	}
	if raw, ok := doc["name"]; ok && json.Unmarshal(raw, &m.name) != nil {
		m.name = ""
	}
	raw, workspaces := doc["workspaces"]
	m.workspaces = workspaces && string(raw) != "null" && string(raw) != "[]"
	if raw, ok := doc["scripts"]; ok && json.Unmarshal(raw, &scripts) != nil {
		return m, false
	}
	for name, raw := range scripts {
		var one string
		var several []string
		switch {
		case json.Unmarshal(raw, &one) == nil:
			m.scripts[name] = []string{one}
		case json.Unmarshal(raw, &several) == nil:
			m.scripts[name] = several
		}
	}
	return m, true
}

// projectDir is the directory in which a program works: where it was called,
// or where the options in the place arg lead to.
func projectDir(m *catalog.Match, s *catalog.Site, arg string) string {
	dir := s.Dir
	for _, v := range m.Values(arg) {
		text, known := v.Known()
		switch {
		case !known || text == "" || dir == "" && !path.IsAbs(text):
			return ""
		case path.IsAbs(text):
			dir = text
		default:
			dir = path.Join(dir, text)
		}
	}
	return dir
}

// run adds what running a script does: the script itself between its pre and
// post scripts. It reports false if there is no script of that name.
func (p manifest) run(r *catalog.Result, name string, args []value.Value) bool {
	if _, ok := p.scripts[name]; !ok {
		return false
	}
	for _, phase := range []string{"pre" + name, name, "post" + name} {
		given := args
		if phase != name {
			given = nil
		}
		for _, text := range p.scripts[phase] {
			r.Runs = append(r.Runs, scriptRun(text, given, p.dir))
		}
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: value.Lit(name), Kind: risk.KindInspectedScript})
	words := value.Lit(p.options).Split(" ")
	for _, w := range words[:min(len(words), scriptsLimit)] {
		nodeOption(r, w.Prefix(), w)
	}
	if p.shell != "" {
		r.Runs = append(r.Runs, catalog.Reader(value.Lit(p.shell)))
	}
	return true
}

// lifecycle adds the scripts that a package manager runs by itself.
func (p manifest) lifecycle(r *catalog.Result, names ...string) {
	for _, name := range names {
		for _, text := range p.scripts[name] {
			r.Runs = append(r.Runs, scriptRun(text, nil, p.dir))
		}
	}
}

// scriptRun is shell text with words appended. A word that is not known is
// handed over in a variable, so that the text itself stays known.
func scriptRun(text string, args []value.Value, dir string) catalog.Run {
	run := catalog.Run{Kind: catalog.RunShell, Lang: "sh"}
	var b strings.Builder
	b.WriteString(text)
	for i, a := range args {
		b.WriteByte(' ')
		if word, ok := a.Known(); ok && a.Taint() == 0 {
			b.WriteString(shellWord(word))
			continue
		}
		name := "heed_arg_" + strconv.Itoa(i)
		run.Setup = append(run.Setup, catalog.Assignment{Name: name, Value: a})
		b.WriteString(`"${` + name + `}"`)
	}
	run.Text = value.Lit(b.String())
	if dir != "" {
		at := value.Lit(dir)
		run.Dir = &at
	}
	return run
}

// shellWord quotes a word only if a shell would read it as anything else.
func shellWord(s string) string {
	plain := s != ""
	for i := range len(s) {
		c := s[i]
		plain = plain && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_./:=,@+%", c) >= 0)
	}
	if plain {
		return s
	}
	return site.ShellQuote(s)
}

// isLocalBinary reports whether a program of a project's dependencies is
// installed in dir or above.
func isLocalBinary(s *catalog.Site, dir, name string) bool {
	if s.World == nil || s.World.FS == nil || !path.IsAbs(dir) || strings.Contains(name, "/") || name == "" {
		return false
	}
	dir = path.Clean(dir)
	for range manifestClimb {
		info, err := s.World.FS.Lstat(path.Join(dir, "node_modules/.bin", name))
		if err != nil {
			return false
		}
		if info.Kind != world.Missing {
			return true
		}
		if dir == "/" {
			return false
		}
		dir = path.Dir(dir)
	}
	return false
}
