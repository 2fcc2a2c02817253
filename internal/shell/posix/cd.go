package posix

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

func (e *evaluator) cd(st *shell.State, inv *shell.Invocation, _ ioctx) {
	var target value.Value
	given, physical, logical := false, false, false
	for _, w := range inv.Argv[1:] {
		if s, ok := w.Value.Known(); ok && len(s) > 1 && s[0] == '-' && !given {
			for _, c := range s[1:] { // the last one counts
				physical, logical = c == 'P' || physical && c != 'L', c == 'L' || logical && c != 'P'
			}
			continue
		}
		if !given {
			target, given = w.Value, true
		}
	}
	if !given {
		target = e.home(st)
	}
	if s, ok := target.Known(); ok && s == "-" {
		target = value.Unknown(risk.CauseUnknown, "OLDPWD")
		if old := st.Vars.Get("OLDPWD"); old != nil {
			target = old.Value
		}
	}
	physical = physical || optionsOf(st).physical && !logical
	e.changeTo(st, inv, e.named(st, e.alongPath(st, target)), physical)
}

// named is the value of the variable whose name was given in place of a
// directory, as cdable_vars has it (bash(1), cd; zshoptions(1), CDABLE_VARS).
func (e *evaluator) named(st *shell.State, target value.Value) value.Value {
	name, known := target.Known()
	if !known || !optionsOf(st).cdableVars || e.there(st, target) {
		return target
	}
	first, rest, _ := strings.Cut(name, "/")
	v := st.Vars.Get(first)
	if v == nil || !isName(first) {
		return target
	}
	if info, err := world.Stat(st.FS, e.full(st, name)); err != nil || info.Kind == world.Dir {
		return target
	}
	if rest != "" {
		return value.Concat(v.Value, value.Lit("/"+rest))
	}
	return v.Value
}

// full is a path of the session, not cleaned: what stands before .. may be a
// link.
func (e *evaluator) full(st *shell.State, name string) string {
	dir, known := st.Dir.Known()
	if path.IsAbs(name) || !known {
		return name
	}
	return strings.TrimSuffix(dir, "/") + "/" + name
}

// alongPath looks for a directory in those of CDPATH (POSIX.1-2024 XCU cd); zsh
// looks where the shell is before.
func (e *evaluator) alongPath(st *shell.State, target value.Value) value.Value {
	v := st.Vars.Get("CDPATH")
	name, known := target.Known()
	dir, _ := st.Dir.Known()
	if v == nil || !known || name == "" || strings.HasPrefix(name, "/") || len(name) > maxPath {
		return target
	}
	if first, _, _ := strings.Cut(name, "/"); first == "." || first == ".." {
		return target
	}
	list, _ := v.Value.Known()
	if st.Shell == "zsh" {
		list = ":" + list
	}
	for i, d := range strings.SplitN(list, ":", maxPathDirs) {
		if !path.IsAbs(d) {
			d = path.Join(dir, d)
		}
		if len(d) > maxPath || !e.m.Spend(1) {
			return target
		}
		full := path.Join(d, name)
		if info, err := world.Stat(st.FS, full); err == nil && info.Kind == world.Dir {
			if i == 0 && d == dir {
				return target
			}
			return value.Lit(full)
		}
	}
	return target
}

// change goes to a directory, and keeps where the session stays if that fails.
func (e *evaluator) change(st *shell.State, inv *shell.Invocation, target value.Value) {
	e.changeTo(st, inv, target, optionsOf(st).physical)
}

func (e *evaluator) changeTo(st *shell.State, inv *shell.Invocation, target value.Value, physical bool) {
	before := st.Dir
	if text, known := target.Known(); known && physical && text != "" && len(text) <= maxPath {
		if real, ok := world.Resolve(st.FS, e.full(st, text), true); ok && (path.IsAbs(text) || st.Dir.IsKnown()) && e.m.Spend(len(text)/64) {
			target = value.Lit(real)
		}
	}
	missing, status := e.enter(st, target)
	st.Vars.Set("OLDPWD", shell.Var{Value: before, Exported: true})
	st.Status = status
	if missing != "" {
		st.Alts = append(st.Alts, shell.Alt{
			Dir: before, Status: shell.Failed,
			If:   risk.Condition{Kind: risk.IfMissing, Of: missing, Unchecked: wordsText(inv)},
			Sure: !st.Astray && e.m.Settled(),
		})
	}
}

func wordsText(inv *shell.Invocation) string {
	var parts []string
	for _, w := range inv.Argv {
		parts = append(parts, w.Value.String())
	}
	text := strings.Join(parts, " ")
	if len(text) > 40 {
		text = text[:39] + "…"
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// enter changes the session's directory. Where the target does not exist it
// is entered all the same, because it may exist by the time the command runs;
// missing then names it.
func (e *evaluator) enter(st *shell.State, target value.Value) (missing string, status shell.Status) {
	text, known := target.Known()
	if !known || !st.Dir.IsKnown() && !strings.HasPrefix(text, "/") {
		if all, ok := target.Candidates(8); ok && st.Dir.IsKnown() {
			dir, _ := st.Dir.Known()
			for i := range all {
				if !path.IsAbs(all[i]) {
					all[i] = path.Join(dir, all[i])
				}
			}
			st.Dir = value.OneOf(risk.CauseUnknown, target.String(), all...)
			return "", shell.Perhaps
		}
		if p := target.Prefix(); strings.HasPrefix(p, "/") || !st.Dir.IsKnown() {
			st.Dir = target
		} else {
			st.Dir = value.Concat(st.Dir, value.Lit("/"), target)
		}
		return "", shell.Perhaps
	}
	if text == "" {
		return "", shell.OK
	}
	full := text
	if !path.IsAbs(full) {
		dir, _ := st.Dir.Known()
		if len(dir)+len(full) > maxPath {
			return "", shell.Failed
		}
		full = path.Join(dir, full)
	}
	full = path.Clean(full)
	if !e.m.Spend(len(full) / 64) { // resolving a path costs its square
		return "", shell.Perhaps
	}
	st.Dir = value.Lit(full)
	info, err := world.Stat(st.FS, full)
	switch {
	case err != nil:
		return "", shell.Perhaps
	case info.Kind == world.Dir:
		return "", shell.OK
	case info.Kind == world.Missing:
		return display(text), shell.OK
	}
	return display(text), shell.OK
}

// maxPath is the longest path that the kernel takes (PATH_MAX, limits.h).
const maxPath = 4096

// display writes a path as a person would: relative ones with ./ in front.
func display(p string) string {
	if path.IsAbs(p) || strings.HasPrefix(p, ".") || strings.HasPrefix(p, "~") {
		return p
	}
	return "./" + p
}

// dirStack holds the directories that pushd left, the last one first; no shell
// variable can have this name.
const dirStack = "\x00dirs"

// pushd enters a directory and keeps the one before: without one it changes
// places with the last (bash(1), zshbuiltins(1)).
func (e *evaluator) pushd(st *shell.State, inv *shell.Invocation, _ ioctx) {
	var stack []value.Value
	if v := st.Vars.Get(dirStack); v != nil {
		stack = v.List
	}
	words := inv.Argv[1:]
	stays := false
	for len(words) > 0 {
		s, ok := words[0].Value.Known()
		if !ok || len(s) < 2 || s[0] != '-' {
			break
		}
		stays = stays || s == "-n"
		words = words[1:]
	}
	before := st.Dir
	switch {
	case len(words) > 0 && stays:
		stack = append([]value.Value{words[0].Value}, stack...)
	case len(words) > 0 && strings.HasPrefix(words[0].Value.Prefix(), "+"): // turns the stack
		st.Dir, stack = value.Unknown(risk.CauseUnknown, "DIRSTACK"), nil
	case len(words) > 0:
		e.change(st, inv, words[0].Value)
		stack = append([]value.Value{before}, stack...)
	case len(stack) > 0:
		e.change(st, inv, stack[0])
		stack = append([]value.Value{before}, stack[1:]...)
	default:
		st.Status = shell.Failed
		return
	}
	if len(stack) <= maxPathDirs {
		st.Vars.Set(dirStack, shell.Var{List: stack})
	}
}

// popd goes back to where the last pushd was called.
func (e *evaluator) popd(st *shell.State, inv *shell.Invocation, _ ioctx) {
	v := st.Vars.Get(dirStack)
	switch {
	case v == nil || len(v.List) == 0:
		st.Status = shell.Failed
	case len(inv.Argv) > 1: // takes away another one
		st.Dir, st.Status = value.Unknown(risk.CauseUnknown, "DIRSTACK"), shell.Perhaps
	default:
		e.change(st, inv, v.List[0])
		st.Vars.Set(dirStack, shell.Var{List: v.List[1:]})
	}
}
