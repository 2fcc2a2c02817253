package scan

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// gitlab takes the scripts of a pipeline: those of every job, and those that
// all jobs share (GitLab docs, "CI/CD YAML syntax reference").
func (f *Found) gitlab(text string) {
	y := f.readYAML(text)
	if y == nil {
		return
	}
	g := &pipeline{yamlText: y}
	g.env = withEnv(map[string]string{"CI": "true", "GITLAB_CI": "true"}, get(y.root, "variables"))
	shared := map[string]*yaml.Node{}
	for _, section := range []string{"before_script", "after_script"} {
		shared[section] = get(y.root, section)
		if n := get(get(y.root, "default"), section); n != nil {
			shared[section] = n
		}
		g.script("default "+section, shared[section], nil, g.env)
	}
	pairs(y.root, func(key, value *yaml.Node) {
		if key.Value == "default" || value == nil || value.Kind != yaml.MappingNode || reserved(key.Value) {
			return
		}
		env := withEnv(g.env, get(value, "variables"))
		before := shared["before_script"]
		if n := get(value, "before_script"); n != nil {
			before = n
			g.script(key.Value+" before_script", n, nil, env)
		}
		g.script(key.Value, get(value, "script"), before, env)
		g.script(key.Value+" after_script", get(value, "after_script"), nil, env)
		g.script(key.Value+" pre_get_sources_script", get(get(value, "hooks"), "pre_get_sources_script"), nil, env)
	})
}

type pipeline struct {
	*yamlText
	env map[string]string
}

// reserved are the keys of the top level that are no jobs.
func reserved(key string) bool {
	return slices.Contains([]string{"include", "stages", "variables", "workflow", "cache", "image", "services", "spec"}, key)
}

// script takes a section as one script: its lines share a session, which
// before has set up.
func (g *pipeline) script(name string, section, before *yaml.Node, env map[string]string) {
	if section == nil {
		return
	}
	w := &writer{}
	w.put("set -eo pipefail\n", g.offset(section))
	g.items(w, name, before, false)
	c := Command{Name: name, Shell: "bash", Steps: true, Place: Project, Env: env, Skip: w.len()}
	g.items(w, name, section, true)
	g.found.add(w.command(c))
}

// items writes the lines of a section. Lists can hold lists, and references to
// other sections, which are looked at where they stand.
func (g *pipeline) items(w *writer, name string, section *yaml.Node, tell bool) {
	var walk func(n *yaml.Node, depth int)
	walk = func(n *yaml.Node, depth int) {
		if n = follow(n); n == nil || depth > maxAliases {
			return
		}
		switch {
		case n.Tag == "!reference":
			if tell && !g.resolves(n) {
				g.found.problem(g.offset(n), name, "it refers to a script of another file: "+strings.TrimSpace(flat(n)))
			}
		case n.Kind == yaml.ScalarNode:
			g.yamlText.copy(w, n)
			w.put("\n", g.offset(n))
		case n.Kind == yaml.SequenceNode:
			for _, c := range n.Content {
				walk(c, depth+1)
			}
		case tell:
			g.found.problem(g.offset(n), name, "a line of the script is no text")
		}
	}
	walk(section, 0)
}

// resolves reports whether a reference leads to something in this file.
func (g *pipeline) resolves(n *yaml.Node) bool {
	at := g.root
	for _, c := range n.Content {
		if at = get(at, str(c)); at == nil {
			return false
		}
	}
	return len(n.Content) > 0
}
