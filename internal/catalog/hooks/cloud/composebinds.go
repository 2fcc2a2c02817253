package cloud

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"go.yaml.in/yaml/v4"
)

// composeExec tells of a command in a running service which files of this
// machine it sees there.
func composeExec(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	service, ok := m.Value("container")
	if !ok {
		return
	}
	binds, dir := composeBinds(m, s, service.String())
	if given, ok := m.Value("workdir"); ok {
		dir = given
	}
	for i := range r.Runs {
		r.Runs[i].Wrap.Binds, r.Runs[i].Wrap.Workdir = asBinds(binds), dir
	}
}

// composeBinds are the directories of this machine that a service of the
// project sees, and the directory that its commands start in (Compose file
// reference, "volumes" and "working_dir"). A relative source is below the
// directory of the first file.
func composeBinds(m *catalog.Match, s *catalog.Site, service string) (binds []hostBind, dir value.Value) {
	project, _ := site.KnownValue(m, "directory")
	if files := m.Values("file"); project == "" && len(files) > 0 {
		project = path.Dir(files[0].String())
	}
	for _, text := range composeTexts(m, s) {
		for _, doc := range yamlDocuments(text) {
			if len(doc.Content) == 0 {
				continue
			}
			n := yamlGet(yamlGet(doc.Content[0], "services"), service)
			if at := yamlText(n, "working_dir"); at != "" {
				dir = value.Lit(at)
			}
			if volumes := yamlGet(n, "volumes"); volumes != nil && volumes.Kind == yaml.SequenceNode {
				for _, v := range volumes.Content {
					if b := serviceBind(yamlTarget(v), project); !b.target.Empty() {
						binds = append(binds, b)
					}
				}
			}
		}
	}
	return binds, dir
}

// serviceBind reads SOURCE:TARGET[:MODE], or the long form of it. What is
// interpolated is not known, and no bind.
func serviceBind(n *yaml.Node, project string) hostBind {
	source, target := yamlText(n, "source"), yamlText(n, "target")
	readOnly := yamlTrue(yamlGet(n, "read_only"))
	if n.Kind == yaml.ScalarNode {
		parts := strings.Split(n.Value, ":")
		if len(parts) < 2 {
			return hostBind{}
		}
		source, target = parts[0], parts[1]
		readOnly = len(parts) > 2 && strings.Contains(","+parts[2]+",", ",ro,")
	} else if yamlText(n, "type") != "bind" {
		return hostBind{}
	}
	if strings.Contains(source+target, "$") || !strings.HasPrefix(source, ".") && !strings.HasPrefix(source, "/") {
		return hostBind{}
	}
	if !path.IsAbs(source) {
		if source = path.Join(project, source); !path.IsAbs(source) {
			source = "./" + source
		}
	}
	return hostBind{source: value.Lit(source), target: value.Lit(target), readOnly: readOnly}
}
