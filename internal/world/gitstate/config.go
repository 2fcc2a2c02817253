package gitstate

import (
	"path"
	"slices"
	"strings"
)

// A config is a repository's whole configuration as it stood when it was read.
type config struct {
	values map[string][]string
	keys   []string // sorted
	deps   []dep
	own    map[string]bool // keys whose last value is from the repository's files
	branch *string         // what the current branch was, if a condition asked
	set    settings
}

// settings are the values that change how the work tree is read.
type settings struct {
	fileMode     bool // core.fileMode: the executable bit counts
	trustCTime   bool // core.trustCtime
	fullStat     bool // core.checkStat is not "minimal"
	symlinks     bool // core.symlinks: links are links
	ignoreCase   bool // core.ignoreCase
	excludesFile string
	hooksPath    string
}

// config returns the configuration, read again only if a file changed.
func (r *repo) config() *config {
	if c := r.settled.Load(); c != nil {
		return c
	}
	c := r.loadConfig()
	if _, once := r.g.fs.(Settler); once && c.branch == nil {
		r.settled.Store(c)
	}
	return c
}

func (r *repo) loadConfig() *config {
	r.g.lookHome()
	key := cacheKey{kind: kindConfig, path: r.configKey}
	if v, _, ok := r.g.cache.get(key, stamp{}); ok {
		c := v.(*config)
		if r.g.fresh(c.deps) && (c.branch == nil || *c.branch == r.currentBranch()) {
			return c
		}
	}
	l := &configLoader{g: r.g, r: r}
	l.all()
	c := newConfig(l.out)
	c.deps, c.branch = l.deps, l.branch
	c.set = r.settings(c)
	r.g.cache.put(key, stamp{}, c, nil, int64(64*len(l.out)))
	return c
}

func newConfig(entries []configEntry) *config {
	c := &config{values: make(map[string][]string), own: make(map[string]bool)}
	for _, e := range entries {
		if e.bare {
			e.value = "true"
		}
		if _, ok := c.values[e.key]; !ok {
			c.keys = append(c.keys, e.key)
		}
		c.values[e.key] = append(c.values[e.key], e.value)
		if e.own {
			c.own[e.key] = true
		} else {
			delete(c.own, e.key)
		}
	}
	slices.Sort(c.keys)
	return c
}

// last returns the value that counts.
func (c *config) last(key string) (string, bool) {
	v := c.values[key]
	if len(v) == 0 {
		return "", false
	}
	return v[len(v)-1], true
}

func (c *config) bool(key string, otherwise bool) bool {
	if v, ok := c.last(key); ok {
		if b, ok := configBool(v); ok {
			return b
		}
	}
	return otherwise
}

// settings picks what matters here, with git-config(1)'s defaults.
func (r *repo) settings(c *config) settings {
	s := settings{
		fileMode:   c.bool("core.filemode", true),
		trustCTime: c.bool("core.trustctime", true),
		fullStat:   true,
		symlinks:   c.bool("core.symlinks", true),
		ignoreCase: c.bool("core.ignorecase", false),
	}
	if v, ok := c.last("core.checkstat"); ok && asciiLower(v) == "minimal" {
		s.fullStat = false
	}
	base := r.root
	if base == "" {
		base = r.gitDir
	}
	if v, ok := c.last("core.excludesfile"); ok {
		if v != "" {
			s.excludesFile = absolute(base, r.g.expandHome(v))
		}
	} else if dir := r.g.xdgConfig(); dir != "" {
		s.excludesFile = path.Join(dir, "ignore")
	}
	s.hooksPath = join(r.commonDir, "hooks")
	if v, ok := c.last("core.hookspath"); ok && v != "" {
		s.hooksPath = absolute(base, r.g.expandHome(v))
	}
	return s
}

// Config returns the values of key, the one that counts last. A key without a
// value is "true".
func (r *repo) Config(key string) []string {
	return slices.Clone(r.config().values[normalKey(key)])
}

// Own reports whether the last value of a configuration key is from the
// repository's own files, or what they include.
func (r *repo) Own(key string) bool { return r.config().own[normalKey(key)] }

// ConfigKeys lists the keys that are set and begin with prefix.
func (r *repo) ConfigKeys(prefix string, limit int) []string {
	keys := r.config().keys
	prefix = normalPrefix(prefix)
	from, _ := slices.BinarySearch(keys, prefix)
	n := 0
	for _, k := range keys[from:] {
		if !strings.HasPrefix(k, prefix) || n >= limit {
			break
		}
		n++
	}
	return keys[from : from+n : from+n] // which nobody changes
}

// normalPrefix lowers the section of a prefix; what follows may be a subsection.
func normalPrefix(prefix string) string {
	if i := strings.IndexByte(prefix, '.'); i >= 0 {
		return asciiLower(prefix[:i]) + prefix[i:]
	}
	return asciiLower(prefix)
}
