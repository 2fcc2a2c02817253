package recipe

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/lang/just"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
	"go.yaml.in/yaml/v4"
)

// taskFiles are looked for in this order (taskfile.dev, "Supported file names").
var taskFiles = []string{"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml", "taskfile.dist.yml", "Taskfile.dist.yaml", "taskfile.dist.yaml"}

// A taskfile is what `task` runs tasks of (taskfile.dev, "Schema").
type taskfile struct {
	dir      string
	site     *catalog.Site
	Vars     map[string]any
	Env      map[string]any
	Tasks    map[string]any
	Includes map[string]any
	given    map[string]value.Value // variables of the command line, and those that were evaluated
	args     value.Value            // what stands behind --
	runs     []catalog.Run
	whole    bool // all that it says is read here
	done     map[string]bool
	calls    int
}

// taskHook reads the Taskfile and adds the commands that the tasks come to.
// What is not understood leaves "runs code of this project, not inspected"
// standing, as it does for the other task runners.
func taskHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if s.Name != "task" && s.Name != "go-task" { // the others load code to know their tasks
		if m.Has("list") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: value.Lit("tasks of this project")})
		}
		return
	}
	if m.Has("list") || m.Has("init") || m.Has("help") {
		return
	}
	f := readTaskfile(m, s)
	if f == nil {
		return
	}
	words := m.Values("task")
	if i := slices.IndexFunc(s.Args, func(w value.Value) bool { return site.SameWord(w, "--") }); i >= 0 {
		behind := s.Args[i+1:]
		words = words[:max(0, len(words)-len(behind))]
		f.args = site.JoinedWords(behind)
	}
	understood := f.goals(words)
	r.Effects = slices.DeleteFunc(r.Effects, func(e catalog.Effect) bool { // NAME=VALUE is no task
		name, _, ok := strings.Cut(e.Target.Prefix(), "=")
		return e.Verb == risk.ExecProject && ok && just.IsName(name)
	})
	for i := range r.Effects {
		if understood && r.Effects[i].Kind == risk.NoKind {
			r.Effects[i].Kind = risk.KindInspectedScript
		}
	}
	r.Runs = append(r.Runs, f.runs...)
}

func readTaskfile(m *catalog.Match, s *catalog.Site) *taskfile {
	dir := projectDir(m, s, "dir")
	if given, ok := site.KnownValue(m, "file"); ok {
		text, ok := site.SiteFile(s, value.Lit(given))
		if !path.IsAbs(given) {
			given = path.Join(s.Dir, given)
		}
		return parseTaskfile(s, path.Dir(given), text, ok)
	}
	if s.World == nil || s.World.FS == nil || !path.IsAbs(dir) {
		return nil
	}
	for range manifestClimb {
		for _, name := range taskFiles {
			at := path.Join(dir, name)
			if info, err := s.World.FS.Lstat(at); err == nil && info.Kind != world.Missing {
				text, ok := site.SiteFile(s, value.Lit(at))
				return parseTaskfile(s, dir, text, ok)
			}
		}
		if dir == "/" {
			break
		}
		dir = path.Dir(dir)
	}
	return nil
}

func parseTaskfile(s *catalog.Site, dir, text string, ok bool) *taskfile {
	f := &taskfile{dir: dir, site: s, given: map[string]value.Value{}, done: map[string]bool{}}
	var keys map[string]any
	if !ok || yaml.Unmarshal([]byte(text), f) != nil || yaml.Unmarshal([]byte(text), &keys) != nil {
		return nil
	}
	f.whole = onlyKeys(keys, "version vars env tasks silent output method run interval")
	return f
}

// onlyKeys reports whether a mapping has no other keys than those that are read here, or that
// say how what is done is shown and when it is left out (taskfile.dev, "Schema").
func onlyKeys(m map[string]any, known string) bool {
	for key := range m {
		if !slices.Contains(strings.Fields(known), key) {
			return false
		}
	}
	return true
}

// goals runs the tasks that words name; without any, default.
func (f *taskfile) goals(words []value.Value) bool {
	var names []string
	for _, w := range words {
		text, known := w.Known()
		if name, _, ok := strings.Cut(w.Prefix(), "="); ok && just.IsName(name) {
			f.given[name] = w.Cut(len(name) + 1)
			continue
		}
		if !known {
			return false
		}
		names = append(names, text)
	}
	if len(names) == 0 {
		names = []string{"default"}
	}
	ok := f.whole
	for _, n := range names {
		ok = f.run(n, nil, 0) && ok
	}
	for _, k := range slices.Sorted(maps.Keys(f.Vars)) { // all are evaluated, whoever needs them
		f.variable("."+k, nil)
	}
	return ok
}

// run adds what a task does, its dependencies first.
func (f *taskfile) run(name string, vars map[string]value.Value, depth int) bool {
	raw, found := f.Tasks[name]
	if f.calls++; !found || depth > maxRecipeDepth || f.calls > maxRecipes || len(f.runs) > maxRecipes {
		return false
	}
	if len(vars) == 0 { // with the same variables, once
		if f.done[name] {
			return true
		}
		f.done[name] = true
	}
	t, ok := raw.(map[string]any)
	if !ok { // a command, or a list of them
		t = map[string]any{"cmds": raw}
	}
	local := map[string]value.Value{}
	maps.Copy(local, vars) // of the call; the task's own come before them
	own := asMap(t["vars"])
	for _, k := range slices.Sorted(maps.Keys(own)) {
		local[k] = f.text(own[k], local)
	}
	for _, k := range slices.Sorted(maps.Keys(own)) { // those that name others, whatever their order
		if text, ok := own[k].(string); ok && !strings.Contains(text, "."+k) {
			local[k] = f.template(text, local)
		}
	}
	all := onlyKeys(t, "desc summary cmds cmd deps vars env dir silent status preconditions sources generates method aliases internal requires label prompt ignore_error run interactive prefix")
	for _, d := range asList(t["deps"]) {
		all = f.call(d, local, depth) && all
	}
	cmds := asList(t["cmds"])
	if t["cmd"] != nil {
		cmds = append(cmds, t["cmd"])
	}
	for _, check := range []string{"status", "preconditions"} {
		for _, c := range asList(t[check]) {
			if m := asMap(c); m != nil {
				c = m["sh"]
			}
			cmds = append([]any{c}, cmds...)
		}
	}
	for _, c := range cmds {
		all = f.command(c, t, local, depth) && all
	}
	return all
}

// call runs a dependency: its name, or a mapping with variables.
func (f *taskfile) call(d any, local map[string]value.Value, depth int) bool {
	if name, ok := d.(string); ok {
		return f.run(name, nil, depth+1)
	}
	m := asMap(d)
	name, ok := m["task"].(string)
	if !ok || m["for"] != nil {
		return false
	}
	vars := map[string]value.Value{}
	given := asMap(m["vars"])
	for _, k := range slices.Sorted(maps.Keys(given)) {
		vars[k] = f.text(given[k], local)
	}
	return f.run(strings.TrimPrefix(name, ":"), vars, depth+1)
}

// command adds one command of a task.
func (f *taskfile) command(c any, t map[string]any, local map[string]value.Value, depth int) bool {
	text, ok := c.(string)
	if m := asMap(c); m != nil {
		if !onlyKeys(m, "cmd task vars silent ignore_error defer") {
			return false
		}
		if m["task"] != nil {
			return f.call(m, local, depth)
		}
		if text, ok = m["cmd"].(string); !ok {
			text, ok = m["defer"].(string)
		}
		ok = ok && m["for"] == nil
	}
	if !ok || len(f.runs) > maxRecipes {
		return false
	}
	dir := f.dir
	if at, given := t["dir"].(string); given {
		known, whole := f.template(at, local).Known()
		if !whole {
			return false
		}
		if dir = known; !path.IsAbs(dir) {
			dir = path.Join(f.dir, dir)
		}
	}
	run := recipeRun(f.template(text, local), "bash", dir)
	for _, env := range []map[string]any{f.Env, asMap(t["env"])} {
		for _, k := range slices.Sorted(maps.Keys(env)) {
			run.Setup = append(run.Setup, catalog.Assignment{Name: k, Value: f.text(env[k], local)})
		}
	}
	f.runs = append(f.runs, run)
	return true
}

func asMap(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func asList(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// text is the value of a variable: a text, a number, or what {sh: …} prints.
func (f *taskfile) text(v any, local map[string]value.Value) value.Value {
	switch v := v.(type) {
	case string:
		return f.template(v, local)
	case int, bool, float64:
		return value.Lit(fmt.Sprint(v))
	case map[string]any:
		if command, ok := v["sh"].(string); ok {
			run := recipeRun(f.template(command, local), "bash", f.dir)
			f.runs = append(f.runs, run)
			return value.Unknown(risk.CauseOutput, command)
		}
	}
	return value.Unknown(risk.CauseUnknown, "Taskfile")
}

// template replaces {{.NAME}}; anything else between the braces is not known.
func (f *taskfile) template(s string, local map[string]value.Value) value.Value {
	var b value.Builder
	for {
		i := strings.Index(s, "{{")
		end := strings.Index(s, "}}")
		if i < 0 || end < i {
			break
		}
		b.WriteString(s[:i])
		b.Add(f.variable(strings.Trim(s[i+2:end], "- "), local).WrittenAs(s[i : end+2]))
		s = s[end+2:]
	}
	b.WriteString(s)
	if v := b.Value(); v.Len() <= maxRecipeText {
		return v
	}
	return value.Unknown(risk.CauseOther, "")
}

func (f *taskfile) variable(expr string, local map[string]value.Value) value.Value {
	name, ok := strings.CutPrefix(expr, ".")
	if !ok || !just.IsName(name) {
		return value.Unknown(risk.CauseUnknown, expr)
	}
	if v, ok := local[name]; ok {
		return v
	}
	if v, ok := f.given[name]; ok {
		return v
	}
	if name == "CLI_ARGS" {
		return f.args
	}
	if raw, ok := f.Vars[name]; ok {
		delete(f.Vars, name) // none needs itself
		f.given[name] = f.text(raw, nil)
		return f.given[name]
	}
	if v, ok := site.SiteEnv(f.site, name); ok {
		return v
	}
	switch name {
	case "ROOT_DIR", "TASKFILE_DIR", "USER_WORKING_DIR":
		return value.Lit(f.dir)
	}
	return value.Unknown(risk.CauseUnknown, expr)
}
