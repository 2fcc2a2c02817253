package workspace

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// maxManifest is how much of a manifest is read for what it makes, in bytes.
const maxManifest = 64 << 10

// makes reports whether a manifest makes the directory name in dir: one of its
// commands writes there, or clears it away to write it anew, a target or the
// configured output has the name, or a script that builds the package beside it
// has it by custom. That it is spoken of is not enough: sources are, too.
func (s *Space) makes(fs *overlay.FS, file, dir, name string) bool {
	data, err := fs.ReadFile(file, maxManifest)
	if err != nil {
		return false
	}
	beside := path.Dir(file) == dir
	written := name
	if !beside {
		written = strings.TrimPrefix(path.Join(dir, name), path.Dir(file)+"/")
	}
	switch path.Base(file) {
	case "package.json":
		var manifest struct {
			Scripts    map[string]string
			Workspaces json.RawMessage
		}
		if json.Unmarshal(data, &manifest) != nil {
			return false
		}
		custom := name == "build" || name == "dist" || name == "out" || name == ".output"
		if custom && manifest.Scripts["build"] != "" && (beside || len(manifest.Workspaces) > 0) {
			return true
		}
		for _, script := range manifest.Scripts {
			if commandMakes(script, written) || name == "coverage" && coverage(script) {
				return true
			}
		}
		return false
	case "tsconfig.json":
		_, after, ok := strings.Cut(string(data), `"outDir"`)
		value, _, _ := strings.Cut(strings.TrimLeft(after, " :\t\n\""), `"`)
		return ok && path.Clean(value) == written
	}
	for line := range strings.Lines(string(data)) {
		if lineMakes(line, written) {
			return true
		}
	}
	return false
}

// coverage reports whether a command measures what its tests run, and writes a
// directory of that name (Jest, nyc, c8 and Vitest: "coverage" by default).
func coverage(command string) bool {
	return slices.ContainsFunc(strings.Fields(command), func(w string) bool {
		return w == "--coverage" || w == "--coverage=true" || w == "nyc" || w == "c8" || w == "coverage"
	})
}

// lineMakes reports whether a line of a makefile or the like makes a directory
// of this name: as a command, as the target of a rule, or as the value of a
// variable that is named after what is built.
func lineMakes(line, name string) bool {
	line = strings.TrimSpace(strings.TrimLeft(line, "\t @-"))
	if strings.HasPrefix(line, "#") {
		return false
	}
	if variable, value, ok := strings.Cut(line, "="); ok && !strings.ContainsAny(strings.TrimRight(variable, " :?+"), " \t(") {
		variable = strings.ToUpper(variable)
		built := slices.ContainsFunc([]string{"OUT", "BUILD", "DIST", "OBJ", "TARGET", "GEN"}, func(w string) bool { return strings.Contains(variable, w) })
		return built && names(strings.TrimSpace(value), name)
	}
	if targets, _, ok := strings.Cut(line, ":"); ok && !strings.ContainsAny(targets, "\"'$();") {
		return slices.ContainsFunc(strings.Fields(targets), func(w string) bool { return names(w, name) && !strings.HasPrefix(line, ".PHONY") })
	}
	return commandMakes(line, name)
}

// clearing are programs whose operands a project makes itself, or makes anew:
// nobody has a script delete a source.
var clearing = []string{"mkdir", "rm", "rimraf", "rmdir", "del-cli", "del", "trash", "mkdirp", "mkdist"}

// commandMakes reports whether one of the commands in a line of shell text
// writes a directory of this name, or clears it away.
func commandMakes(line, name string) bool {
	for command := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ';' || r == '&' || r == '|' }) {
		words := strings.Fields(command)
		for len(words) > 1 && (words[0] == "shx" || words[0] == "npx" || words[0] == "cross-env" || strings.Contains(words[0], "=")) {
			words = words[1:]
		}
		for i, w := range words {
			if !output(words, i) {
				continue
			}
			if option, value, ok := strings.Cut(w, "="); ok && strings.HasPrefix(option, "-") {
				w = value
			}
			if names(strings.Trim(strings.TrimLeft(w, ">"), `"'`), name) {
				return true
			}
		}
	}
	return false
}

// output reports whether a word of a command is where it puts what it makes.
func output(words []string, i int) bool {
	w := words[i]
	option, _, attached := strings.Cut(w, "=")
	switch {
	case i == 0:
		return false
	case slices.Contains(clearing, words[0]):
		return !strings.HasPrefix(w, "-")
	case strings.HasPrefix(w, ">"), strings.HasSuffix(words[i-1], ">"):
		return true
	case attached && strings.HasPrefix(option, "-"):
		return outputOption(option)
	case words[0] == "cp" || words[0] == "install" || words[0] == "cpx" || words[0] == "copyfiles":
		return i == len(words)-1 && i > 1
	}
	return outputOption(words[i-1])
}

// outputOption reports whether an option by its name says where something is
// put.
func outputOption(option string) bool {
	switch option {
	case "-o", "-d", "-B", "--prefix", "--target-dir", "--declarationDir":
		return true
	}
	name := strings.ToLower(strings.TrimLeft(option, "-"))
	return strings.HasPrefix(option, "-") && (strings.HasPrefix(name, "out") || strings.HasPrefix(name, "dist") || strings.HasPrefix(name, "dest") || strings.Contains(name, "directory") && strings.Contains(name, "coverage"))
}

// names reports whether a path is a directory of this name, or leads into it.
func names(written, name string) bool {
	written = strings.TrimPrefix(written, "./")
	return written == name || strings.HasPrefix(written, name+"/")
}

// precious are kinds of files that no build writes: databases and their copies,
// states, keys, documents and drafts of people.
var precious = []string{
	".db", ".db3", ".sqlite", ".sqlite3", ".duckdb", ".mdb", ".rdb", ".dump", ".bak", ".backup", ".tfstate", ".tfvars",
	".kdbx", ".kdb", ".pem", ".key", ".p12", ".pfx", ".ppk", ".jks", ".keystore", ".gpg", ".ovpn",
	".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx", ".odt", ".ods", ".odp", ".psd", ".xcf", ".blend",
}

// repositories are the names of directories that hold the history of a work
// tree.
var repositories = []string{".git", ".hg", ".svn", ".jj", ".bzr", "_darcs"}

// Bounds of a look for what is precious.
const (
	preciousDeep    = 4
	preciousEntries = 30000
)

// holdsPrecious reports whether a directory holds what cannot be made again,
// whatever is made there: a repository, a database, a state, a key. In one that
// is a tool's own, packages bring keys and databases of theirs.
func (s *Space) holdsPrecious(fs *overlay.FS, dir string, own bool) bool {
	left := preciousEntries
	return s.preciousBelow(fs, dir, own, preciousDeep, &left)
}

func (s *Space) preciousBelow(fs *overlay.FS, dir string, own bool, deep int, left *int) bool {
	entries, err := fs.ReadDir(dir, max(*left, 1))
	*left -= len(entries) + 1
	if err != nil || *left <= 0 { // what was not looked at may be anything, but for a tool's own directory
		return !own
	}
	if bare(entries) {
		return true
	}
	for _, e := range entries {
		full := path.Join(dir, e.Name)
		if slices.Contains(repositories, e.Name) || !own && e.Kind == world.Regular && s.isPrecious(full) {
			return true
		}
		if e.Kind == world.Dir && deep > 0 && s.preciousBelow(fs, full, own, deep-1, left) {
			return true
		}
	}
	return false
}

// bare reports whether these are the names in a repository without a work tree
// (gitrepository-layout(5)).
func bare(entries []world.Entry) bool {
	found := 0
	for _, e := range entries {
		if e.Name == "HEAD" && e.Kind == world.Regular || (e.Name == "objects" || e.Name == "refs") && e.Kind == world.Dir {
			found++
		}
	}
	return found == 3
}

// isPrecious reports whether a file is of a kind that no tool writes where it
// puts what it makes: a database, a state, a key, as they are or packed.
func (s *Space) isPrecious(name string) bool {
	base := path.Base(name)
	ext := strings.ToLower(path.Ext(base))
	if packed := []string{".gz", ".bz2", ".xz", ".zst", ".zip", ".old", ".1"}; slices.Contains(packed, ext) {
		ext = strings.ToLower(path.Ext(strings.TrimSuffix(base, path.Ext(base))))
		if ext == ".sql" || ext == ".tar" && strings.Contains(strings.ToLower(base), "backup") {
			return true
		}
	}
	return slices.Contains(precious, ext) || s.Scope(name) == risk.IsSecret
}
