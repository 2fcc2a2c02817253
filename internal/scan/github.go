package scan

import (
	"maps"
	"path"
	"strings"

	"go.yaml.in/yaml/v4"
)

// workflow takes the run: steps of a workflow, or of a composite action
// (GitHub docs, "Workflow syntax", "Metadata syntax").
func (f *Found) workflow(file *File) {
	y := f.readYAML(file.Text)
	if y == nil {
		return
	}
	env := githubEnv()
	if runs := get(y.root, "runs"); runs != nil {
		y.steps(get(runs, "steps"), job{name: "action", env: env, shell: "bash", project: file.Project})
		return
	}
	jobs := get(y.root, "jobs")
	if jobs == nil {
		f.problem(0, "", "it has neither jobs nor runs")
		return
	}
	all := job{env: env, project: file.Project}.with(y.root)
	pairs(jobs, func(key, value *yaml.Node) {
		j := all
		j.name = key.Value
		if strings.Contains(strings.ToLower(flat(get(value, "runs-on"))), "windows") && j.shell == "" {
			j.shell = "pwsh"
		}
		y.steps(get(value, "steps"), j.with(value))
	})
}

// githubEnv are default variables of a runner that say where to write: what is
// written there is read by the runner and lost with it.
func githubEnv() map[string]string {
	return map[string]string{
		"CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": "/dev/null", "GITHUB_STEP_SUMMARY": "/dev/null", "GITHUB_STATE": "/dev/null",
		"GITHUB_ENV": "/tmp/github_env", "GITHUB_PATH": "/tmp/github_path", "RUNNER_TEMP": "/tmp",
	}
}

// flat is all text of a node.
func flat(n *yaml.Node) string {
	if n = follow(n); n == nil {
		return ""
	}
	text := n.Value
	if n.Kind == yaml.SequenceNode {
		for _, c := range n.Content {
			text += " " + str(c)
		}
	}
	return text
}

// A job is what steps inherit.
type job struct {
	name, shell, dir string
	project          string // the directory that the runner checks out into
	env              map[string]string
}

// with returns a job with the defaults and variables of a node.
func (j job) with(n *yaml.Node) job {
	run := get(get(n, "defaults"), "run")
	if s := str(get(run, "shell")); s != "" {
		j.shell = s
	}
	if s := str(get(run, "working-directory")); s != "" {
		j.dir = s
	}
	j.env = withEnv(j.env, get(n, "env"))
	return j
}

// withEnv adds variables whose value is known, and takes out those that get
// one that is not.
func withEnv(env map[string]string, n *yaml.Node) map[string]string {
	if n == nil {
		return env
	}
	env = maps.Clone(env)
	pairs(n, func(key, value *yaml.Node) {
		if value != nil && value.Kind == yaml.MappingNode { // GitLab: {value, description}
			value = get(value, "value")
		}
		if value == nil || value.Kind != yaml.ScalarNode || strings.Contains(value.Value, "${{") || strings.Contains(value.Value, "$") {
			delete(env, key.Value)
			return
		}
		env[key.Value] = value.Value
	})
	return env
}

func (y *yamlText) steps(steps *yaml.Node, j job) {
	if steps == nil || steps.Kind != yaml.SequenceNode {
		return
	}
	for _, s := range steps.Content {
		step := follow(s)
		run := get(step, "run")
		if run == nil {
			continue
		}
		name := j.name
		if title := str(get(step, "name")); title != "" {
			name += " / " + title
		}
		if run.Kind != yaml.ScalarNode {
			y.found.problem(y.offset(run), name, "its run: is no text")
			continue
		}
		one := j
		one.name = name
		if s := str(get(step, "shell")); s != "" {
			one.shell = s
		}
		if s := str(get(step, "working-directory")); s != "" {
			one.dir = s
		}
		one.env = withEnv(one.env, get(step, "env"))
		y.step(run, one)
	}
}

// step takes one run: as a script.
func (y *yamlText) step(run *yaml.Node, j job) {
	c := Command{Name: j.name, Steps: true, Place: Project, Dir: path.Clean(j.dir), Env: j.env}
	if j.dir == "" {
		c.Dir = ""
	}
	if strings.Contains(j.dir, "${{") || strings.HasPrefix(c.Dir, "..") {
		c.Dir, c.AnyDir = "", true
	}
	words := shellWords(j.shell)
	program := "bash"
	if len(words) > 0 {
		program = words[0]
	}
	c.Shell = dialectOf(program)
	w := &writer{}
	if runner, ok := language(c.Shell); ok {
		w.put(foreign(runner, run.Value), y.offset(run))
		c.Shell, c.Steps, c.Others = "sh", false, others(w.String())
		y.found.add(w.command(c))
		return
	}
	if setup := githubSetup(c.Shell, words); setup != "" {
		w.put(setup, y.offset(run))
	}
	c.Skip = w.len()
	raw := &writer{}
	y.copy(raw, run)
	if strings.Contains(run.Value, "${{") {
		c.Others = j.expressions(w, raw)
	} else {
		w.slice(raw, 0, raw.len())
	}
	y.found.add(w.command(c))
}

// shellWords are the words of the template that starts a step's shell, from the shell
// on: setup-msys2 starts bash, and script(1) the command behind -c.
func shellWords(template string) []string {
	words := strings.Fields(template)
	switch {
	case len(words) == 0:
	case words[0] == "msys2":
		words[0] = "bash"
	case words[0] == "script":
		for i := range words[1:] {
			if rest := words[i+1:]; words[i] == "-c" || strings.HasSuffix(words[i], "c") && strings.HasPrefix(words[i], "-") {
				rest[0] = strings.Trim(rest[0], `"'`)
				return rest
			}
		}
	}
	return words
}

// githubSetup are the options with which the runner starts a shell.
func githubSetup(dialect string, words []string) string {
	switch {
	case len(words) > 1: // a template of one's own: bash -e {0}
		for _, w := range words[1:] {
			if strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "e") {
				return "set -e\n"
			}
		}
		return ""
	case dialect == "bash" && len(words) == 1:
		return "set -eo pipefail\n"
	case dialect == "bash", dialect == "sh":
		return "set -e\n"
	}
	return ""
}
