package scan

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/shell/fronts"
)

// shell takes a whole script. Its dialect is that of its first line or of its
// extension.
func (f *Found) shell(name, text string) {
	dialect, ok := shebang(text)
	if !ok {
		if dialect, ok = extensionShell(path.Ext(strings.ToLower(name))); !ok {
			dialect = fronts.All().Default()
		}
		if strings.HasPrefix(text, "#!") {
			dialect = interpreter(text)
		}
	}
	w := &writer{}
	body := strings.TrimPrefix(text, "\ufeff")
	w.copy(body, len(text)-len(body))
	if body == "" {
		return
	}
	f.add(w.command(Command{Shell: dialect, Steps: true, Script: true, Place: Project}))
}

// extensionShell returns the dialect of files with an extension: that of the shell
// with this name. Most files called .sh are written for bash, and what only bash
// reads is read as that where sh does not.
func extensionShell(ext string) (dialect string, ok bool) {
	name, dot := strings.CutPrefix(ext, ".")
	if !dot || name == "" {
		return "", false
	}
	return fronts.All().Dialect(name)
}

// shebang reads the shell from a script's first line.
func shebang(text string) (dialect string, ok bool) {
	name := interpreter(text)
	if name == "" {
		return "", false
	}
	return fronts.All().Dialect(name)
}

// interpreter reads the name of the program from a script's first line; "" if
// it names none.
func interpreter(text string) string {
	first, _, _ := strings.Cut(text[:min(len(text), 512)], "\n")
	rest, ok := strings.CutPrefix(strings.TrimPrefix(first, "\ufeff"), "#!")
	if !ok {
		return ""
	}
	words := strings.Fields(rest)
	if len(words) == 0 {
		return ""
	}
	if path.Base(words[0]) != "env" {
		return path.Base(words[0])
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") && !strings.Contains(w, "=") {
			return path.Base(w)
		}
	}
	return ""
}

// dialectOf returns the dialect of a shell given by its name or path, or the
// name itself where heed does not evaluate it.
func dialectOf(program string) string {
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(program, `\`, "/")), ".exe")
	if dialect, ok := fronts.All().Dialect(name); ok && name != "" {
		return dialect
	}
	return name
}
