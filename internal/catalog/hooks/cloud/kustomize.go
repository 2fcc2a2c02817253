package cloud

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Bounds on kustomizations, which are hostile input: how many are read, and how
// many of what they fetch is named.
const (
	maxKustomizations = 64
	maxKustomized     = 8
)

// kustomize adds what the kustomization of a directory has fetched.
func kustomize(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	name := "dir"
	if m.Given("-k") || m.Given("--kustomize") {
		name = "manifest"
	}
	dirs := m.Values(name)
	if len(dirs) == 0 && !m.Given("-f") && !m.Given("--filename") {
		dirs = []value.Value{value.Lit(".")}
	}
	k := kustomizations{site: s}
	for _, v := range dirs {
		if dir, known := v.Known(); known && site.NetScheme(v) == "" && (path.IsAbs(dir) || s.Dir != "") {
			k.read(dir)
		}
	}
	for _, url := range k.fetched {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: value.Lit(url)})
	}
}

// kustomizedManifests is kustomize for commands that take -k beside -f.
func kustomizedManifests(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	kubeFetch(r)
	if m.Given("-k") || m.Given("--kustomize") {
		kustomize(m, s, r)
	}
}

// kustomizations are those that have been read, and what they have fetched.
type kustomizations struct {
	site    *catalog.Site
	seen    []string
	fetched []string
}

// read looks at the kustomization of a directory and those of the directories
// that it is made of (Kustomize reference, "The Kustomization File").
func (k *kustomizations) read(dir string) {
	dir = path.Clean(dir)
	if len(k.seen) == maxKustomizations || slices.Contains(k.seen, dir) {
		return
	}
	k.seen = append(k.seen, dir)
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		text, ok := site.SiteFile(k.site, value.Lit(path.Join(dir, name)))
		if !ok {
			continue
		}
		for _, doc := range yamlDocuments(text) {
			for _, n := range doc.Content {
				k.fields(dir, n)
			}
		}
		return
	}
}

// fields looks at the fields of a kustomization that name files and
// directories: each may be elsewhere.
func (k *kustomizations) fields(dir string, n *yaml.Node) {
	for _, field := range []string{"resources", "bases", "components", "crds", "configurations", "generators", "transformers", "validators", "patchesStrategicMerge"} {
		for _, item := range yamlList(yamlGet(n, field)) {
			k.item(dir, item)
		}
	}
	for _, field := range []string{"patches", "patchesJson6902", "replacements", "helmCharts", "configMapGenerator", "secretGenerator"} {
		list := yamlGet(n, field)
		if list == nil || list.Kind != yaml.SequenceNode {
			continue
		}
		for _, c := range list.Content {
			files := append(yamlList(yamlGet(c, "files")), yamlList(yamlGet(c, "envs"))...)
			files = append(files, yamlText(c, "path"), yamlText(c, "repo"), yamlText(c, "valuesFile"))
			for _, f := range files {
				if key, file, ok := strings.Cut(f, "="); ok && !strings.ContainsAny(key, "/:?") {
					f = file // NAME=FILE
				}
				if strings.Contains(f, "://") {
					k.fetch(f)
				}
			}
		}
	}
	if at := yamlText(yamlGet(n, "openapi"), "path"); strings.Contains(at, "://") {
		k.fetch(at)
	}
}

// item is a file, a directory with a kustomization, or a repository, which is
// written as a URL, or without a scheme where nothing here is called so.
func (k *kustomizations) item(dir, item string) {
	host, _, deeper := strings.Cut(item, "/")
	switch {
	case item == "" || strings.Contains(item, "\n"): // a patch in place
	case strings.Contains(item, "://"), strings.HasPrefix(item, "git::"), strings.HasPrefix(item, "gh:"), strings.HasPrefix(item, "git@"):
		k.fetch(item)
	case deeper && strings.Contains(strings.Trim(host, "."), ".") && !k.there(path.Join(dir, item)):
		k.fetch(item)
	case !path.IsAbs(item):
		k.read(path.Join(dir, item))
	}
}

func (k *kustomizations) there(name string) bool {
	if k.site.World == nil || k.site.World.FS == nil {
		return false
	}
	if !path.IsAbs(name) {
		name = path.Join(k.site.Dir, name)
	}
	info, err := k.site.World.FS.Lstat(name)
	return err == nil && info.Kind != world.Missing
}

func (k *kustomizations) fetch(url string) {
	if len(k.fetched) < maxKustomized && !slices.Contains(k.fetched, url) {
		k.fetched = append(k.fetched, url)
	}
}
