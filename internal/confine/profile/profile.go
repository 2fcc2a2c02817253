package profile

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/confine/grant"
	"github.com/heedsh/heed/internal/strictyaml"
	"go.yaml.in/yaml/v4"
)

//go:embed profiles/*.yaml
var files embed.FS

// mostPaths is how many paths one list may have.
const mostPaths = 200

// A Profile is what a file says. In its lists stand absolute paths, paths that begin with
// ~/ or workspace/, and the words workspace, caches and secrets.
type Profile struct {
	Summary string   `yaml:"summary"`
	Read    []string `yaml:"read"`
	Hide    []string `yaml:"hide"`    // of what may be read
	Secrets []string `yaml:"secrets"` // of what is hidden, what may be read
	Write   []string `yaml:"write"`
	Names   []string `yaml:"names"` // single names that may be made, changed and removed
	Keep    []string `yaml:"keep"`  // of what may be written, what stays as it is
	Net     string   `yaml:"net"`
	Hosts   []string `yaml:"hosts"` // HOST:PORT, where the net is hosts
	Sockets bool     `yaml:"sockets"`
	Signals bool     `yaml:"signals"`
}

// ErrNone is under the error of a name that no profile has.
var ErrNone = errors.New("there is no profile")

// Names lists the built-in profiles.
func Names() []string { return []string{"agent", "build"} }

// Text is the file of a built-in profile.
func Text(name string) ([]byte, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("%w %.40q", ErrNone, name)
	}
	return files.ReadFile("profiles/" + name + ".yaml")
}

// Parse reads the file of a profile.
func Parse(name string, text []byte) (*Profile, error) {
	p := &Profile{}
	l, err := yaml.NewLoader(bytes.NewReader(text), yaml.WithKnownFields())
	if err == nil {
		err = l.Load(p)
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, strictyaml.Placed(err))
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

func (p *Profile) check() error {
	if !slices.Contains(grant.Nets(), grant.Net(p.Net)) {
		return fmt.Errorf("net: %.40q: want none, loopback, hosts or any", p.Net)
	}
	if (grant.Net(p.Net) == grant.Hosts) != (len(p.Hosts) > 0) {
		return errors.New("hosts: are those of net: hosts, and it has to have some")
	}
	if len(p.Hosts) > mostPaths {
		return fmt.Errorf("hosts: has more than %d", mostPaths)
	}
	for _, h := range p.Hosts {
		if _, err := grant.Host(h); err != nil {
			return fmt.Errorf("hosts: %w", err)
		}
	}
	if len(p.Read) == 0 {
		return errors.New("read: is not said; [/] is everything")
	}
	for key, list := range map[string][]string{"read": p.Read, "hide": p.Hide, "secrets": p.Secrets, "write": p.Write, "names": p.Names, "keep": p.Keep} {
		if len(list) > mostPaths {
			return fmt.Errorf("%s: has more than %d paths", key, mostPaths)
		}
		for _, word := range list {
			if _, err := expand(word, grant.Where{Home: "/home/u", Workspaces: []string{"/w"}}); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
			if (key == "write" || key == "names") && path.Clean(word) == "/" {
				return fmt.Errorf("%s: not everything can be let be written", key)
			}
		}
	}
	return nil
}

// A CacheDir is where a package manager keeps what it can get again.
type CacheDir struct {
	Path    string
	Program string // which makes it, "" if it is there from the start
}

// cacheDirs are those of a home. Sources: their manuals (npm-cache, go help environment, The
// Cargo Book, pip cache, Maven, Gradle, Yarn, pnpm, NuGet).
func cacheDirs() []CacheDir {
	return []CacheDir{
		{".cache", "sh"}, // many programs
		{".npm", "npm"},
		{".pnpm-store", "pnpm"},
		{".local/share/pnpm", "pnpm"},
		{".yarn", "yarn"},
		{"go/pkg", "go"},
		{".config/go/telemetry", "go"},
		{".cargo/registry", "cargo"},
		{".cargo/git", "cargo"},
		{".m2/repository", "mvn"},
		{".gradle", "gradle"},
		{".ivy2", "sbt"},
		{".sbt", "sbt"},
		{".nuget/packages", "dotnet"},
		{".bundle", "bundle"},
		{".gem", "gem"},
		{".bun/install/cache", "bun"},
		{".deno", "deno"},
		{"Library/Caches", ""}, // macOS has made it
	}
}

// Cache is the word for the cache of a package manager that a path lies in, "" if it
// lies in none.
func Cache(p, home string) string {
	for _, c := range cacheDirs() {
		if home != "" && grant.Below(p, path.Join(home, c.Path)) {
			return "~/" + c.Path
		}
	}
	return ""
}

// CacheDirs are the places of a home where package managers keep what they can get again.
func CacheDirs(home string) []CacheDir {
	if home == "" {
		return nil
	}
	out := cacheDirs()
	for i := range out {
		out[i].Path = path.Join(home, out[i].Path)
	}
	return out
}

// Caches are their paths.
func Caches(home string) []string {
	var out []string
	for _, c := range CacheDirs(home) {
		out = append(out, c.Path)
	}
	return out
}

// expand makes paths of a word.
func expand(word string, w grant.Where) ([]string, error) {
	home := func(rest string) []string {
		if w.Home == "" {
			return nil
		}
		return []string{path.Join(w.Home, rest)}
	}
	if slices.Contains(strings.Split(word, "/"), "..") {
		return nil, fmt.Errorf("%.80q: .. leads elsewhere", word)
	}
	switch rest, below := strings.CutPrefix(word, "~/"); {
	case below:
		return home(rest), nil
	case word == "~":
		return home(""), nil
	case word == "workspace":
		return w.Workspaces, nil
	case word == "secrets":
		return w.Secrets, nil
	case word == "caches":
		return Caches(w.Home), nil
	case path.IsAbs(word):
		return []string{path.Clean(word)}, nil
	}
	if rest, below := strings.CutPrefix(word, "workspace/"); below {
		var out []string
		for _, ws := range w.Workspaces {
			out = append(out, path.Join(ws, rest))
		}
		return out, nil
	}
	return nil, fmt.Errorf("%.80q: want a path that begins with /, ~/ or workspace/, or workspace, caches or secrets", word)
}

// Grant is what the profile grants for a home and workspaces.
func (p *Profile) Grant(w grant.Where) (grant.Grant, error) {
	g := grant.Grant{Net: grant.Net(p.Net), Sockets: p.Sockets, Signals: p.Signals, Terminal: true}
	for _, h := range p.Hosts {
		if err := g.AddHost(h); err != nil {
			return g, fmt.Errorf("hosts: %w", err)
		}
	}
	for list, words := range map[*[]string][]string{&g.Read: p.Read, &g.Hidden: p.Hide, &g.Secrets: p.Secrets, &g.Write: p.Write, &g.Names: p.Names, &g.Keep: p.Keep} {
		for _, word := range words {
			paths, err := expand(word, w)
			if err != nil {
				return g, err
			}
			*list = append(*list, paths...)
		}
	}
	if slices.Contains(p.Hide, "secrets") {
		g.Search = grant.Least(w).Search
	}
	return g, nil
}
