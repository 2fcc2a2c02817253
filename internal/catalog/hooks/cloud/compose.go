package cloud

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// composeFiles are looked for in this order (Compose file reference, "Compose
// application model").
var composeFiles = []string{"compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"}

// maxVolumes is how many volumes are named.
const maxVolumes = 4

// composeConfig shows the files of variables that a Compose file names for its services: they
// stand in what it prints (docker compose config, "renders the actual data model").
func composeConfig(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("names") {
		return
	}
	for _, v := range m.Values("file") { // one of a repository or a registry (docker compose, "-f")
		if site.NetScheme(v) != "" || strings.HasPrefix(v.Prefix(), "git@") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: v})
		}
	}
	dir, _ := site.KnownValue(m, "directory")
	for _, text := range composeTexts(m, s) {
		if !m.Has("raw") && interpolates(text) {
			showsDefaults(m, s, dir, r)
		}
		for _, file := range envFiles(text) {
			if !path.IsAbs(file) {
				file = path.Join(dir, file)
			}
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: value.Lit(file), Shown: true})
		}
	}
}

// interpolates reports whether a Compose file names variables, whose values stand in its
// place in what is printed: $NAME and ${NAME}, while $$ is a dollar (Compose file reference,
// "Interpolation").
func interpolates(text string) bool {
	for {
		_, rest, some := strings.Cut(text, "$")
		if !some || rest == "" {
			return false
		}
		if c := rest[0]; c == '{' || c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return true
		}
		text = strings.TrimPrefix(rest, "$")
	}
}

// showsDefaults shows the files that have the values of variables: those that are named,
// or .env in the project's directory (docker compose, "--env-file").
func showsDefaults(m *catalog.Match, s *catalog.Site, dir string, r *catalog.Result) {
	files := m.Values("env-file")
	if name := path.Join(dir, ".env"); len(files) == 0 {
		if kind, ok := site.KindAt(s, name); ok && kind != world.Regular {
			return
		}
		files = []value.Value{value.Lit(name)}
	}
	for _, file := range files {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: file, Shown: true})
	}
}

// maxEnvFiles is how many files of variables are looked at.
const maxEnvFiles = 16

// envFiles lists the files that the element env_file names: one, several in brackets, or those
// in the lines below that begin with a dash, as paths or as "path:" (Compose file reference, "env_file").
func envFiles(text string) []string {
	var files []string
	add := func(names string) {
		for name := range strings.FieldsFuncSeq(names, func(r rune) bool { return strings.ContainsRune("[], \t\"'", r) }) {
			if len(files) < maxEnvFiles && !strings.ContainsAny(name, "$:") {
				files = append(files, name)
			}
		}
	}
	below := -1 // where env_file stands whose list goes on
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimRight(line, " \t\r\n"), " #")
		bare := strings.TrimLeft(line, " ")
		if _, names, ok := strings.Cut(line, "env_file:"); ok {
			below = -1
			if strings.TrimSpace(names) == "" {
				below = len(line) - len(bare)
			}
			if before, _, ended := strings.Cut(names, "}"); ended { // the end of a service in braces
				names = before
			}
			if list, _, ended := strings.Cut(names, "]"); ended {
				names = list
			} else if strings.Contains(strings.TrimSpace(line), "{") { // one name, and other elements behind it
				names, _, _ = strings.Cut(names, ",")
			}
			add(names)
			continue
		}
		switch at := len(line) - len(bare); {
		case below < 0 || bare == "":
		case at < below || at == below && !strings.HasPrefix(bare, "-"):
			below = -1
		default:
			item := strings.TrimSpace(strings.TrimPrefix(bare, "-"))
			if key, _, ok := strings.Cut(item, ": "); !ok || key == "path" {
				add(strings.TrimPrefix(item, "path:"))
			}
		}
	}
	return files
}

// composeVolumes names the volumes that go with the containers.
func composeVolumes(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if !m.Has("volumes") {
		return
	}
	var names []string
	for _, text := range composeTexts(m, s) {
		names = append(names, ownVolumes(text)...)
	}
	switch {
	case len(names) == 0:
	case len(names) == 1:
		r.Where = "volume " + names[0]
	case len(names) > maxVolumes:
		r.Where = "volumes " + strings.Join(names[:maxVolumes], ", ") + ", …"
	default:
		r.Where = "volumes " + strings.Join(names, ", ")
	}
}

// composeTexts are the Compose files that a command is given, or the first
// that lies in the project's directory.
func composeTexts(m *catalog.Match, s *catalog.Site) []string {
	dir, _ := site.KnownValue(m, "directory")
	given := m.Values("file")
	files := composeFiles
	if len(given) > 0 {
		files = nil
		for _, f := range given {
			files = append(files, f.String())
		}
	}
	var texts []string
	for _, f := range files {
		if !path.IsAbs(f) {
			f = path.Join(dir, f)
		}
		text, ok := site.SiteFile(s, value.Lit(f))
		if !ok {
			continue
		}
		if texts = append(texts, text); len(given) == 0 {
			break
		}
	}
	return texts
}

// ownVolumes lists the volumes that a Compose file makes: the keys of its
// element volumes that are not external. Compose files are written in block
// style; in any other nothing is found, and no volume is named.
func ownVolumes(text string) []string {
	var names []string
	inside, indent := false, -1
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimRight(line, " \t\r\n"), " #")
		bare := strings.TrimLeft(line, " ")
		at := len(line) - len(bare)
		switch {
		case bare == "" || bare[0] == '#':
		case at == 0:
			inside, indent = bare == "volumes:", -1
		case !inside:
		case indent < 0 || at == indent:
			indent = at
			if name, _, ok := strings.Cut(bare, ":"); ok {
				names = append(names, strings.Trim(name, `"'`))
			}
		case at > indent && strings.ReplaceAll(bare, " ", "") == "external:true" && len(names) > 0:
			names = names[:len(names)-1]
		}
	}
	return names
}
