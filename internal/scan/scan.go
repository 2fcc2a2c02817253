package scan

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/splice"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// A Kind is a kind of file that holds commands.
type Kind string

// The kinds.
const (
	Shell      Kind = "shell"
	Makefile   Kind = "makefile"
	Package    Kind = "package.json"
	Workflow   Kind = "github"
	GitLab     Kind = "gitlab"
	Dockerfile Kind = "dockerfile"
	Justfile   Kind = "justfile"
	Markdown   Kind = "markdown"
)

// Kinds lists the kinds in the order of the documentation.
func Kinds() []Kind {
	return []Kind{Shell, Makefile, Package, Workflow, GitLab, Dockerfile, Justfile, Markdown}
}

// MaxSize is how large a file may be, in bytes.
const MaxSize = 1 << 20

// maxCommands is how many commands are taken out of one file.
const maxCommands = 5000

// A Place says where a command's directory is counted from.
type Place uint8

// The places.
const (
	Project Place = iota // the top of the project: where people and CI start
	Beside               // the directory of the file
	Image                // a container image: not on this machine
)

// A Command is a command, or a script, that a file holds.
type Command struct {
	Text  string
	Shell string // the dialect, or the name of another language
	Name  string // of the job, target, stage or section that holds it
	// Steps says that Text is a script, to be judged statement by statement.
	// Its first Skip bytes only set up the session.
	Steps bool
	Skip  int
	Place Place
	// Dir is counted from Place; it is not known if AnyDir is set.
	Dir    string
	AnyDir bool
	Env    map[string]string // what the file sets
	// Script says that Text is the whole file, so that its $0 is the file.
	Script bool
	// Insecure says that the command has the rights of the machine that builds
	// the image.
	Insecure bool
	Others   []Foreign
	Marks    []Mark // in the order of At
	// Parts are what is not known of the text before a shell reads it
	// (internal/splice).
	Parts []value.Value
}

// Shown returns a part of the command as the file writes it.
func (c *Command) Shown(start, end int) string { return splice.Shown(c.Text[start:end], c.Parts) }

// Foreign is text in a command that anybody can write: what others write there
// becomes code.
type Foreign struct {
	Name       string // the expression
	Start, End int    // in Text
}

// A Mark says which byte of the file a byte of a command stands for.
type Mark struct {
	At, File int
	// Fixed says that all that follows, up to the next mark, was put in for
	// the byte at File.
	Fixed bool
}

// Offset returns the byte of the file that a byte of the command stands for.
func (c *Command) Offset(at int) int {
	i, found := slices.BinarySearchFunc(c.Marks, at, func(m Mark, at int) int { return m.At - at })
	if !found {
		i--
	}
	switch {
	case i < 0 && len(c.Marks) == 0:
		return 0
	case i < 0:
		return c.Marks[0].File
	case c.Marks[i].Fixed:
		return c.Marks[i].File
	}
	return c.Marks[i].File + at - c.Marks[i].At
}

// A Problem is a part of a file that could not be read as what it should be.
type Problem struct {
	Offset int
	Name   string // of the job, target or stage, if there is one
	Why    string
}

// Found is what a file holds.
type Found struct {
	Commands []Command
	Problems []Problem
}

func (f *Found) add(c Command) {
	switch n := len(f.Commands); {
	case strings.TrimSpace(c.Text[min(c.Skip, len(c.Text)):]) == "":
	case n < maxCommands:
		f.Commands = append(f.Commands, c)
	case n == maxCommands && !slices.ContainsFunc(f.Problems, func(p Problem) bool { return p.Why == tooMany }):
		f.problem(c.Offset(c.Skip), "", tooMany)
	}
}

const tooMany = "it holds more commands than are looked at"

func (f *Found) problem(offset int, name, why string) {
	if len(f.Problems) < maxCommands {
		f.Problems = append(f.Problems, Problem{Offset: offset, Name: name, Why: why})
	}
}

// A File is a file to take commands out of.
type File struct {
	Kind Kind
	Name string // its path, with slashes; "" is not known
	Text string
	// Where it would be used: a directory and the project around it, absolute,
	// the system, and the files there. The zero values are not known.
	Dir, Project string
	OS           string // "linux" or "darwin"
	FS           world.FS
}

// Extract takes the commands out of a file.
func Extract(file File) Found {
	var f Found
	text := file.Text
	switch file.Kind {
	case Shell:
		f.shell(file.Name, text)
	case Makefile:
		f.makefile(&file)
	case Package:
		f.packageJSON(text)
	case Workflow:
		f.workflow(&file)
	case GitLab:
		f.gitlab(text)
	case Dockerfile:
		f.dockerfile(text)
	case Justfile:
		f.justfile(&file)
	case Markdown:
		f.markdown(text)
	default:
		f.problem(0, "", "heed does not know this kind of file")
	}
	return f
}

// KindOf tells a file's kind by its name, a path with slashes, and by how its
// text begins; ok is false where it holds no commands that heed knows of.
func KindOf(name, head string) (kind Kind, ok bool) {
	if kind, ok = kindByName(name); ok {
		return kind, true
	}
	if _, isShell := shebang(head); isShell {
		return Shell, true
	}
	if name := interpreter(head); name == "make" || name == "gmake" { // debian/rules
		return Makefile, true
	}
	return "", false
}

// Interpreted reports whether only a file's first line can tell its kind, of a file that
// nobody names: it has no extension.
func Interpreted(name string) bool {
	base := path.Base(name)
	_, known := kindByName(name)
	return !known && !strings.Contains(strings.TrimPrefix(base, "."), ".")
}

func kindByName(name string) (Kind, bool) {
	base := path.Base(name)
	lower := strings.ToLower(base)
	ext := path.Ext(lower)
	yaml := ext == ".yml" || ext == ".yaml"
	_, isShell := extensionShell(ext)
	switch {
	case base == "Makefile" || base == "makefile" || base == "GNUmakefile" || ext == ".mk":
		return Makefile, true
	case base == "package.json":
		return Package, true
	case yaml && strings.HasSuffix("/"+path.Dir(name), "/.github/workflows"), base == "action.yml", base == "action.yaml":
		return Workflow, true
	case lower == ".gitlab-ci.yml" || lower == ".gitlab-ci.yaml" || strings.HasSuffix(lower, ".gitlab-ci.yml"):
		return GitLab, true
	case lower == "dockerfile" || lower == "containerfile" || ext == ".dockerfile" || ext == ".containerfile",
		(strings.HasPrefix(base, "Dockerfile.") || strings.HasPrefix(base, "Containerfile.")) && !strings.HasSuffix(lower, "ignore"):
		return Dockerfile, true
	case lower == "justfile" || lower == ".justfile" || ext == ".just":
		return Justfile, true
	case ext == ".md" || ext == ".markdown":
		return Markdown, true
	case isShell:
		return Shell, true
	}
	return "", false
}
