package gitstate

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// Options say whose git it is that would answer.
type Options struct {
	// Home is the user's home directory, for ~/ in configured paths and for
	// the global configuration. Empty: there is none.
	Home string
	// Env holds the environment variables that git would see. Those that
	// matter are listed in git(1), "Environment Variables": XDG_CONFIG_HOME,
	// GIT_DIR, GIT_WORK_TREE, GIT_COMMON_DIR, GIT_INDEX_FILE,
	// GIT_OBJECT_DIRECTORY, GIT_ALTERNATE_OBJECT_DIRECTORIES,
	// GIT_CEILING_DIRECTORIES, GIT_CONFIG_SYSTEM, GIT_CONFIG_GLOBAL,
	// GIT_CONFIG_NOSYSTEM, GIT_CONFIG_COUNT (with _KEY_n and _VALUE_n) and
	// GIT_CONFIG_PARAMETERS. With GIT_DIR set, Find answers with that
	// repository for every directory, as git does; ask a Git without it about
	// targets that are not git's own.
	Env map[string]string
	// SystemConfig is the system-wide configuration file, /etc/gitconfig on
	// most machines. Empty: there is none.
	SystemConfig string
}

// Git reads repositories through a file system. It keeps what it has parsed,
// each with the inode facts of the file it came from, and looks at those facts
// again before every use. It is safe for concurrent use.
type Git struct {
	fs     world.FS
	ranges RangeReader // nil: files are read whole
	dirs   DirStater   // nil: files are looked at one by one
	opt    Options
	print  string // tells one set of options from another in cache keys
	cache  *cache
	pool   *inflaters
	seen   *highWater
}

var _ world.Git = (*Git)(nil)

// New returns a Git that reads through fs, which may be a RangeReader and a
// DirStater too.
func New(fs world.FS, opt Options) *Git {
	g := &Git{cache: newCache(cacheLimit), pool: newInflaters(), seen: &highWater{}}
	return g.With(fs, opt)
}

// With returns a Git for other options (another command's environment) and
// another view of the same machine's files, sharing everything parsed so far.
func (g *Git) With(fs world.FS, opt Options) *Git {
	out := *g
	out.fs = fs
	out.ranges, _ = fs.(RangeReader)
	out.dirs, _ = fs.(DirStater)
	out.opt = opt
	out.opt.Env = gitEnv(opt.Env)
	if out.opt.Home = path.Clean(opt.Home); !path.IsAbs(opt.Home) {
		out.opt.Home = ""
	}
	out.print = fingerprint(out.opt)
	return &out
}

// gitEnv keeps the variables that git reads, in a copy of our own.
func gitEnv(env map[string]string) map[string]string {
	var out map[string]string
	for k, v := range env {
		if strings.HasPrefix(k, "GIT_") || k == "XDG_CONFIG_HOME" {
			if out == nil {
				out = make(map[string]string)
			}
			out[k] = v
		}
	}
	return out
}

func fingerprint(opt Options) string {
	if len(opt.Env) == 0 {
		return opt.Home + "\x00" + opt.SystemConfig
	}
	var b strings.Builder
	b.WriteString(opt.Home + "\x00" + opt.SystemConfig)
	for _, k := range slices.Sorted(maps.Keys(opt.Env)) {
		b.WriteString("\x00" + k + "=" + opt.Env[k])
	}
	return b.String()
}
