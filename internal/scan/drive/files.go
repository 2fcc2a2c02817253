package drive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/heedsh/heed/internal/scan"
	"github.com/heedsh/heed/internal/service"
)

// A File is a file that may hold commands.
type File struct {
	path string // absolute; "" for standard input without a name
	name string // as it is shown
	kind scan.Kind
	// interpreted says that only the first line tells whether it is a script;
	// a file that was found by walking is then left out if it is none.
	interpreted, walked bool
	root                *os.Root
	inRoot              string // its name in root
	problem             string // why it cannot be read
	// given is the text of standard input, or what is staged, in place of what lies
	// at path. Of one that is too large it may be the beginning; size is that of all.
	given *string
	size  int64
	was   string // what HEAD has where something else is staged
}

// headSize is how much of a file is read to see whether it is a script.
const headSize = 512

// An Input is standard input, for the path "-".
type Input struct {
	io.Reader
	// Name is the file whose text it is, or will be: an editor's that is not saved,
	// say. That file is not read. "" where it is none.
	Name string
}

// Collect finds the files that paths name, in order, each once. dir is the current
// directory, which counts if no path is given; "-" is in, which kind, or else its
// name, says how to read. With a kind named files are read as that.
func Collect(dir string, in Input, paths []string, kind scan.Kind) ([]File, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	c := collector{base: dir, kind: kind, seen: map[string]bool{}}
	for _, p := range paths {
		if p == "-" {
			if err := c.stdin(in); err != nil {
				return nil, err
			}
			continue
		}
		full, err := service.Absolute(dir, p)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(full)
		switch {
		case err != nil:
			return nil, fmt.Errorf("looking at a path: %w", err)
		case info.IsDir():
			if err := c.walk(full); err != nil {
				return nil, err
			}
		default:
			c.named(full, info)
		}
	}
	return c.files, nil
}

type collector struct {
	base  string
	kind  scan.Kind
	files []File
	seen  map[string]bool
}

func (c *collector) stdin(in Input) error {
	if c.kind == "" && in.Name == "" {
		return errors.New("- is standard input: say with --kind how to read it")
	}
	text, err := io.ReadAll(io.LimitReader(in, scan.MaxSize+1))
	if err != nil {
		return fmt.Errorf("reading standard input: %w", err)
	}
	given := string(text)
	f := File{name: "-", kind: c.kind, given: &given, size: int64(len(given))}
	if in.Name != "" {
		if f.path, err = service.Absolute(c.base, in.Name); err != nil {
			return err
		}
		f.name = c.shown(f.path)
	}
	if f.kind == "" {
		f.kind, _ = scan.KindOf(filepath.ToSlash(f.path), "")
		f.interpreted = f.kind == ""
	}
	c.add(f)
	return nil
}

const tooLarge = "it is larger than 1 MiB"

// named takes a file that the user names: whatever it is, it is answered.
func (c *collector) named(full string, info fs.FileInfo) {
	f := File{path: full, name: c.shown(full), kind: c.kind}
	if f.kind == "" {
		f.kind, _ = scan.KindOf(filepath.ToSlash(full), "")
		f.interpreted = f.kind == ""
	}
	if !info.Mode().IsRegular() {
		f.problem = "it is no regular file"
	}
	c.add(f)
}

func (c *collector) add(f File) {
	if !c.seen[f.path] {
		c.seen[f.path] = true
		c.files = append(c.files, f)
	}
}

// shown is a path as it is printed: relative to the current directory if it is
// below.
func (c *collector) shown(full string) string {
	if rel, err := filepath.Rel(c.base, full); err == nil && c.base != "" && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(full)
}

// others reports whether what a directory of this name holds is not the project's own.
func others(name string) bool { return name == ".git" || name == "node_modules" || name == "vendor" }

// walk finds the files of a directory. Links are not followed, neither while
// looking nor, should one be put there meanwhile, when a file is opened.
func (c *collector) walk(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("opening a directory: %w", err)
	}
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err != nil {
			c.add(File{path: full, name: c.shown(full), problem: "it cannot be read"})
			return nil
		}
		if d.IsDir() {
			if name != "." && others(d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		slash := filepath.ToSlash(full)
		kind, ok := scan.KindOf(slash, "")
		if !ok && !scan.Interpreted(slash) {
			return nil
		}
		c.add(File{path: full, name: c.shown(full), kind: kind, interpreted: !ok, walked: true, root: root, inRoot: name})
		return nil
	})
}

// read returns a file's text. ok is false where the file is none that holds
// commands, and problem says why one that may cannot be read.
func (f *File) read() (text, problem string, ok bool) {
	if f.problem != "" {
		return "", f.problem, true
	}
	if f.given != nil {
		return f.content(strings.NewReader(*f.given), f.size)
	}
	// A FIFO in place of the file must not keep heed waiting.
	const flags = os.O_RDONLY | syscall.O_NONBLOCK
	var in *os.File
	var err error
	if f.root != nil {
		in, err = f.root.OpenFile(filepath.FromSlash(f.inRoot), flags, 0)
	} else {
		in, err = os.OpenFile(f.path, flags, 0)
	}
	if err != nil {
		return "", "it cannot be opened", !f.interpreted || !f.walked
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "", "it is no regular file", true
	}
	return f.content(in, info.Size())
}

func (f *File) content(in io.Reader, size int64) (text, problem string, ok bool) {
	var b strings.Builder
	if f.interpreted {
		if _, err := io.CopyN(&b, in, headSize); err != nil && !errors.Is(err, io.EOF) {
			return "", "it cannot be read", !f.walked
		}
		kind, known := scan.KindOf(f.path, b.String())
		if !known && f.walked {
			return "", "", false
		}
		if !known {
			return "", "heed does not know what kind of file it is: say it with --kind", true
		}
		f.kind = kind
	}
	if size > scan.MaxSize {
		return "", tooLarge, true
	}
	if _, err := io.Copy(&b, io.LimitReader(in, scan.MaxSize+1)); err != nil {
		return "", "it cannot be read", true
	}
	if b.Len() > scan.MaxSize {
		return "", tooLarge, true
	}
	return b.String(), "", true
}
