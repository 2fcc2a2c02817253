package engine

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Files that the words of an invocation name and that are not there.

// withoutThings says how an invocation ends whose device, local package, chart or image
// is not there ([catalog.Arg.IsFile]), whatever is done with it.
func (o outlook) withoutThings(stated []string) *risk.Ending {
	if len(o.r.Match.Args) > maxAsked {
		return nil
	}
	for i := range o.r.Effects {
		for _, s := range o.r.Effects[i].Carries {
			text, known := s.Path.Known()
			if known && !s.Stdin && slices.ContainsFunc(o.inv.Words(), func(w value.Value) bool { return w.String() != text && sameFile(w.String(), text) }) && o.missing(s.Path) {
				return o.without(s.Path)
			}
		}
	}
	for i := range o.r.Match.Args {
		b := &o.r.Match.Args[i]
		if text, known := b.Value.Known(); known && !b.Default && !slices.Contains(stated, b.Arg.Name) && (b.Arg.IsFile(text) || o.onDisk(text)) && !o.makes(b.Value, "") && o.missing(b.Value) {
			return o.without(b.Value)
		}
	}
	return nil
}

// without is the ending of what fails for want of a file.
func (o outlook) without(file value.Value) *risk.Ending {
	return &risk.Ending{How: risk.EndFails, Missing: []string{o.sc.Place(o.st, file, true).Written}}
}

// onDisk reports whether a word is a disk, or a part of one, that something is done with.
func (o outlook) onDisk(text string) bool {
	if !catalog.IsDisk(text) {
		return false
	}
	for i := range o.r.Effects {
		e := &o.r.Effects[i]
		if target, _ := e.Target.Known(); (e.Verb == risk.DiskWrite || e.Verb == risk.SysConfig || e.Verb == risk.FSMount) && target == text {
			return true
		}
	}
	return false
}

// withoutFiles says how an invocation ends whose files are not there, where its spec
// does not say so itself (stated): it fails, or has nothing to delete.
func (o outlook) withoutFiles(stated []string) *risk.Ending {
	var groups []fileGroup
	if len(o.r.Effects) > maxAsked {
		return nil
	}
	for i := range o.r.Effects {
		e := &o.r.Effects[i]
		switch e.Verb {
		case risk.FSRead, risk.FSDelete, risk.FSMove, risk.FSAttr:
		case risk.FSWrite:
			if !mends(e.Kind) && !inKernel(e.Target) {
				continue
			}
		default:
			continue
		}
		arg, given := asGiven(o.r.Match, e.Arg, e.Target)
		if e.Verb != risk.FSWrite && o.makes(e.Target, e.Arg) && !o.edits(i) || e.Own || e.Host != "" || slices.Contains(stated, arg) || e.Kind == risk.KindConfiguration {
			continue
		}
		if o.mayBeValue(e.Target) {
			continue
		}
		at := slices.IndexFunc(groups, func(g fileGroup) bool { return g.arg == arg })
		if at < 0 {
			at = len(groups)
			groups = append(groups, fileGroup{arg: arg})
		}
		g := &groups[at]
		if e.Many || !given && !e.Needed || !o.missing(e.Target) {
			g.there = true
			continue
		}
		g.forced = g.forced || e.Verb == risk.FSDelete && e.Forced
		if name, ok := flow.Absolute(o.st, e.Target).Known(); ok && !slices.Contains(g.missing, path.Clean(name)) {
			g.missing = append(g.missing, path.Clean(name))
		}
	}
	var partly *risk.Ending
	for i := range groups {
		switch g := &groups[i]; {
		case len(g.missing) == 0:
		case g.there && !g.forced:
			partly = &risk.Ending{How: risk.EndPartly, Missing: g.missing}
		case !g.there && g.forced:
			return &risk.Ending{How: risk.EndIdle, Missing: g.missing}
		case !g.there && o.r.Proceeds:
			return &risk.Ending{How: risk.EndPartly, Missing: g.missing, Hollow: true}
		case !g.there:
			return &risk.Ending{How: risk.EndFails, Missing: g.missing}
		}
	}
	return partly
}

// mayBeValue reports whether a word may be the value of an option before it that is not
// listed, and no file, or a number where a spec is of many programs.
func (o outlook) mayBeValue(w value.Value) bool {
	text := w.String()
	if len(o.r.Match.Program.Names) >= manyPrograms && strings.Trim(text, "-.0123456789") == "" {
		return true
	}
	if !o.r.Match.Loose() || strings.ContainsAny(text, "./") {
		return false
	}
	words := o.inv.Words()
	at := slices.IndexFunc(words, func(v value.Value) bool { return v.String() == text })
	return at <= 0 || strings.HasPrefix(words[at-1].Prefix(), "-")
}

// inKernel reports whether a path is a knob of the running kernel, where nobody makes files
// (proc(5), sysfs(5)).
func inKernel(v value.Value) bool {
	text, known := v.Known()
	return known && (strings.HasPrefix(text, "/sys/") || strings.HasPrefix(text, "/proc/"))
}

// mends reports whether what is written so is a change of a file that is there.
func mends(k risk.Kind) bool {
	switch k {
	case risk.KindFixed, risk.KindFormatted, risk.KindInPlace, risk.KindMembersChanged, risk.KindMembersRemoved, risk.KindMetadata, risk.KindNamesHashed,
		risk.KindOneHostRemoved, risk.KindOverwrittenForGood, risk.KindPassphrase, risk.KindRepair, risk.KindReplacedByItsCompressedForm,
		risk.KindReplacedByItsDecompressedForm, risk.KindRewritten, risk.KindComment:
		return true
	}
	return false
}

// A fileGroup is what became of the files that one argument names.
type fileGroup struct {
	arg     string
	missing []string
	there   bool
	forced  bool
}

// makes reports whether the invocation itself makes what a path names, before it comes to
// what one of its arguments is for ("" for any): what is read, or moved, is asked for
// before another argument's file is made.
func (o outlook) makes(path value.Value, arg string) bool {
	for i := range o.r.Effects {
		e := &o.r.Effects[i]
		if (e.Verb == risk.FSCreate || e.Verb == risk.FSWrite) && e.Target.String() == path.String() && (arg == "" || e.Arg == "" || e.Arg == arg || !o.reads(path, arg)) {
			return true
		}
	}
	return false
}

// edits reports whether an effect reads a file that the invocation then writes anew: it
// does not make it.
func (o outlook) edits(read int) bool {
	e := &o.r.Effects[read]
	if e.Verb != risk.FSRead {
		return false
	}
	written := false
	for i := range o.r.Effects {
		switch x := &o.r.Effects[i]; {
		case x.Target.String() != e.Target.String():
		case x.Verb == risk.FSCreate, x.Verb == risk.FSWrite && (i < read || x.Kind != risk.NoKind && x.Kind != risk.KindConverted && !mends(x.Kind)):
			return false
		case x.Verb == risk.FSWrite:
			written = true
		}
	}
	return written
}

// reads reports whether an argument names a path that is read or moved.
func (o outlook) reads(path value.Value, arg string) bool {
	return slices.ContainsFunc(o.r.Effects, func(e catalog.Effect) bool {
		return (e.Verb == risk.FSRead || e.Verb == risk.FSMove) && e.Arg == arg && e.Target.String() == path.String()
	})
}

// asGiven reports whether a path is a word of the command line, as it was given and
// no default, and of which argument: the one that is named, if the grammar has it and
// not only a hook. Of what options name only that is asked for which the work is done
// on ([catalog.Arg.IsInput]).
func asGiven(m *catalog.Match, name string, path value.Value) (arg string, given bool) {
	text, known := path.Known()
	arg = name
	for i := range m.Args {
		b := &m.Args[i]
		if word, ok := b.Value.Known(); ok && known && sameFile(word, text) && !b.Default && (m.IsOperand(b) || b.Arg.IsInput() && plainly(m, text) || word != text) {
			if given = true; b.Arg.Name == name {
				return name, true
			}
			arg = b.Arg.Name
		}
	}
	if name != "" {
		arg = name
	}
	return arg, given
}

// sameFile reports whether a word of the command line is a path, or the mark of a file
// before one, which programs that know it fail without: file://FILE.
func sameFile(word, text string) bool {
	if word == text {
		return true
	}
	mark, ok := strings.CutSuffix(word, text)
	return ok && text != "" && (mark == "file://" || mark == "fileb://")
}

// plainly reports whether the word of an option is written as a file is, where the spec
// is of many programs: to some of them the letter may mean another thing, as a number.
func plainly(m *catalog.Match, text string) bool {
	return strings.Trim(text, "0123456789") != "" && (len(m.Program.Names) < 4 || strings.ContainsAny(text, "./"))
}

// lost are the words that look like names of files by what they end with, that nothing
// is known to be made or looked for by, and that are not there.
func (o outlook) lost() (names []string) {
	m := o.r.Match
	settled := o.Settled()
	if !settled && !calm(o.sc) || !o.understood() || o.moved() || len(m.Args) > maxAsked {
		return nil
	}
	for n := range o.r.Needs() {
		if n.Kind == catalog.NeedsRepository { // history may have it
			return nil
		}
	}
	look := func(w value.Value, isFile bool) {
		text, known := w.Known()
		if !known || len(names) == 2 || !isFile && !catalog.LooksLikeFile(text) || o.makes(w, "") || !o.missing(w) {
			return
		}
		if name := o.sc.Place(o.st, w, true).Written; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	pardons := o.r.Traits.Has(catalog.Pardons)
	for i := range m.Args {
		b := &m.Args[i]
		if b.Default || !m.IsOperand(b) {
			continue
		}
		switch b.Arg.Role {
		case catalog.Data:
			look(b.Value, false)
		case catalog.Reads, catalog.Shows:
			if pardons || !settled { // else it has failed for that
				look(b.Value, !o.mayBeValue(b.Value))
			}
		}
	}
	for _, w := range m.Extra {
		look(w, false)
	}
	return names
}

// missing reports whether a path surely leads nowhere now.
func (o outlook) missing(w value.Value) bool {
	text, known := w.Known()
	if !known || !o.Spend(1) {
		return false
	}
	name, known := flow.Absolute(o.st, w).Known()
	if known && w.Pattern() != "" && w.Pattern() == text {
		return o.unmatched(path.Clean(name))
	}
	if !known || !isPath(text) && !o.asItIs(text) || strings.HasPrefix(name, shell.SubstPath) || !world.Absent(o.st.FS, name) {
		return false
	}
	link, err := o.st.FS.Lstat(path.Clean(name)) // one that leads nowhere can be deleted and moved
	return err == nil && link.Kind == world.Missing && !o.Unsure(path.Clean(name))
}

// Unsure implements [shell.Machine].
func (m *machine) Unsure(name string) bool {
	for i := range m.sc.Trace.Effects {
		e := &m.sc.Trace.Effects[i]
		if (e.Verb == risk.FSDelete || e.Verb == risk.FSMove) && (e.Certainty == risk.Possible || e.By.Unreached != nil) && (name == e.Target || strings.HasPrefix(name, e.Target+"/")) {
			return wasThere(m.sc, name)
		}
	}
	return false
}

// wasThere reports whether a file may have been there when the line began, or was made by it.
func wasThere(sc *flow.Scene, name string) bool {
	if info, err := sc.World.FS.Lstat(name); err != nil || info.Kind != world.Missing {
		return true
	}
	return slices.ContainsFunc(sc.Trace.Effects, func(e risk.Effect) bool {
		return (e.Verb == risk.FSCreate || e.Verb == risk.FSWrite || e.Verb == risk.FSMove) && (e.Target == name || e.Many || e.Recursive || e.Verb == risk.FSMove)
	})
}

// asItIs reports whether a word is a path for a program that only prints files, whatever
// other programs understand by the marks in it.
func (o outlook) asItIs(text string) bool {
	return o.r != nil && o.r.Traits.Has(catalog.Verbatim) && isPath(strings.Map(func(c rune) rune {
		if strings.ContainsRune(":@%,;=", c) {
			return '.'
		}
		return c
	}, text))
}

// unmatched reports whether a pattern that the shell left as it is surely leads nowhere,
// for a program that takes it for a path, or for a pattern of its own.
func (o outlook) unmatched(pattern string) bool {
	if fixed, _, deep := strings.Cut(pattern, "/**"); deep && !strings.ContainsAny(fixed, "{}()@!+|%,;=:\\\n\x00*?[") { // below what is not there is nothing, however deep
		return len(pattern) <= maxPathWord && world.Absent(o.st.FS, fixed)
	}
	if len(pattern) > maxPathWord || strings.Contains(pattern, "**") || strings.ContainsAny(pattern, "{}()@!+|%,;=:\\\n\x00") || !strings.ContainsAny(pattern, "*[") {
		return false
	}
	at := []string{"/"}
	for part := range strings.SplitSeq(strings.Trim(pattern, "/"), "/") {
		var next []string
		for _, dir := range at {
			if !o.Spend(1) || len(next) > maxAsked {
				return false
			}
			if !strings.ContainsAny(part, "*?[") {
				if !world.Absent(o.st.FS, path.Join(dir, part)) {
					next = append(next, path.Join(dir, part))
				}
				continue
			}
			entries, err := o.st.FS.ReadDir(dir, maxRefs)
			if err != nil && !errors.Is(err, fs.ErrNotExist) || len(entries) >= maxRefs {
				if info, err := world.Stat(o.st.FS, dir); err != nil || info.Kind == world.Dir {
					return false
				}
				continue
			}
			for _, e := range entries {
				if ok, err := path.Match(part, e.Name); err != nil {
					return false
				} else if ok {
					next = append(next, path.Join(dir, e.Name))
				}
			}
		}
		at = next
	}
	return len(at) == 0
}

// maxPathWord is the longest word that is told as a path, in bytes.
const maxPathWord = 250

// isPath reports whether a word is surely a path and nothing that a program
// understands otherwise: a place on another machine, a list, a pattern of its own.
func isPath(text string) bool {
	return text != "" && len(text) <= maxPathWord && !strings.ContainsAny(text, ":@*?[{%,;=\n\x00") && !strings.Contains(text, "...") && text[0] != '-' && text[0] != '~' && text[0] != '+' && text[0] != '#'
}
