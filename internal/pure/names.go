package pure

import (
	"path"
	"strings"
)

// runBasename is basename(1) of coreutils: NAME [SUFFIX], -a -s -z.
func runBasename(j *job, args []string) error {
	p, err := grammar{
		short: "+as:z", long: []string{"a|multiple", "s|suffix=", "z|zero"},
	}.getopt(args)
	if err != nil {
		return err
	}
	suffix, hasSuffix := p.last("s")
	names := p.operands
	if !p.has("a") && !hasSuffix {
		if len(names) > 2 {
			return errUnknown
		}
		if len(names) == 2 {
			suffix, names = names[1], names[:1]
		}
	}
	if len(names) == 0 {
		return errUnknown
	}
	for _, n := range names {
		base := baseName(n)
		if base != "/" && base != suffix {
			base = strings.TrimSuffix(base, suffix)
		}
		j.writeString(base)
		j.writeByte(lineEnd(p))
	}
	return nil
}

func lineEnd(p parsed) byte {
	if p.has("z") {
		return 0
	}
	return '\n'
}

// baseName is the last component of a path; "/" for the root.
func baseName(s string) string {
	t := strings.TrimRight(s, "/")
	if t == "" && s != "" {
		return "/"
	}
	return t[strings.LastIndexByte(t, '/')+1:]
}

// runDirname is dirname(1) of coreutils: NAME…, -z.
func runDirname(j *job, args []string) error {
	p, err := grammar{short: "z", long: []string{"z|zero"}}.getopt(args)
	if err != nil || len(p.operands) == 0 {
		return errUnknown
	}
	for _, n := range p.operands {
		j.writeString(dirName(n))
		j.writeByte(lineEnd(p))
	}
	return nil
}

// dirName is all but the last component of a path.
func dirName(s string) string {
	t := strings.TrimRight(s, "/")
	i := strings.LastIndexByte(t, '/')
	switch {
	case t == "" && s != "":
		return "/"
	case i < 0:
		return "."
	}
	if t = strings.TrimRight(t[:i], "/"); t == "" {
		return "/"
	}
	return t
}

// runPwd is pwd: the built-in and pwd -L answer the logical directory, pwd -P
// and the program the physical one.
func runPwd(j *job, args []string) error {
	p, err := grammar{short: "LP", long: []string{"L|logical", "P|physical"}}.getopt(args)
	if err != nil || len(p.operands) > 0 || !strings.HasPrefix(j.in.Dir, "/") {
		return errUnknown
	}
	physical := !j.interp()
	for _, o := range p.opts {
		physical = o.key == "P"
	}
	dir := path.Clean(j.in.Dir)
	if physical && j.in.RealPath != nil {
		real, ok := j.in.RealPath(dir)
		if !ok {
			return errUnknown
		}
		dir = real
	}
	j.writeString(dir + "\n")
	return nil
}

// runRealpath is realpath(1) of coreutils for paths that exist: -e -m -P -L
// -q -z, and -s (no links) with -m.
func runRealpath(j *job, args []string) error {
	p, err := grammar{
		short: "eLmPqsz",
		long: []string{
			"e|canonicalize-existing", "m|canonicalize-missing", "L|logical", "P|physical",
			"q|quiet", "s|strip", "s|no-symlinks", "z|zero",
		},
	}.getopt(args)
	if err != nil || len(p.operands) == 0 || p.has("L") {
		return errUnknown
	}
	for _, n := range p.operands {
		var text string
		if p.has("s") {
			if !p.has("m") || n == "" || !strings.HasPrefix(j.in.Dir, "/") {
				return errUnknown
			}
			if text = path.Clean(n); n[0] != '/' {
				text = path.Join(j.in.Dir, n)
			}
		} else if text, err = j.realPath(n); err != nil {
			return err
		}
		j.writeString(text)
		j.writeByte(lineEnd(p))
	}
	return nil
}

// runReadlink is readlink(1) of coreutils: -f, -e or -m, or none of them for the text of
// a link, with -n -q -s -v -z.
func runReadlink(j *job, args []string) error {
	p, err := grammar{
		short: "efmnqsvz",
		long: []string{
			"f|canonicalize", "e|canonicalize-existing", "m|canonicalize-missing",
			"n|no-newline", "q|quiet", "s|silent", "v|verbose", "z|zero",
		},
	}.getopt(args)
	if err != nil || len(p.operands) == 0 {
		return errUnknown
	}
	read := j.linkText
	if p.has("e", "f", "m") {
		read = j.realPath
	}
	for _, n := range p.operands {
		text, err := read(n)
		if err != nil {
			return err
		}
		j.writeString(text)
		if !p.has("n") || len(p.operands) > 1 {
			j.writeByte(lineEnd(p))
		}
	}
	return nil
}

// linkText is the text of an operand that is a link.
func (j *job) linkText(name string) (string, error) {
	p, ok := j.abs(name)
	if !ok || j.in.ReadLink == nil || strings.HasSuffix(name, "/") { // which follows it
		return "", errUnknown
	}
	text, ok := j.in.ReadLink(p)
	if !ok {
		return "", errUnknown
	}
	return text, nil
}

// realPath resolves an operand that exists.
func (j *job) realPath(name string) (string, error) {
	p, ok := j.abs(name)
	if !ok || j.in.RealPath == nil {
		return "", errUnknown
	}
	real, ok := j.in.RealPath(p)
	if !ok || strings.HasSuffix(name, "/") && real != "/" {
		return "", errUnknown // a trailing slash asks for a directory
	}
	return real, nil
}

// runPrintenv is printenv NAME… of coreutils.
func runPrintenv(j *job, args []string) error {
	p, err := grammar{short: "+0", long: []string{"0|null"}}.getopt(args)
	if err != nil || len(p.operands) == 0 {
		return errUnknown
	}
	end := byte('\n')
	if p.has("0") {
		end = 0
	}
	for _, n := range p.operands {
		v, ok := j.env(n)
		if !ok || strings.Contains(n, "=") {
			j.status = 1
			continue
		}
		j.writeString(v)
		j.writeByte(end)
	}
	return nil
}
