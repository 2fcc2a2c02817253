package posix

import (
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// Wherever a shell takes the name of a variable it may take one of an element,
// NAME[SUBSCRIPT], and the subscript is evaluated: as arithmetic, in which an
// element has a subscript in turn, and before that as a word in double quotes
// is, commands in it included (bash(1), Arrays; mksh(1), Arithmetic
// expressions; zshparam(1), Array Subscripts).

// A place is what an assignment goes to: a variable or an element of one.
type place struct {
	name    string
	key     string
	element bool
}

// place reads text that a builtin takes for a name, and evaluates the subscript
// in it. ok is false for what is no name.
func (e *evaluator) place(st *shell.State, v value.Value, at risk.Span) (p place, ok bool) {
	text, known := v.Known()
	if !known {
		name, _, element := strings.Cut(v.Prefix(), "[")
		if element && isName(name) && v.Taint().Has(secret) {
			e.m.Show(st, at, v) // the message about it quotes what is no expression
		}
		if element && isName(name) && slices.ContainsFunc(v.Parts(), func(p value.Part) bool {
			return p.Hole != nil && p.Hole.Shape == value.AnyText && p.Hole.Cause != risk.CauseUnset || strings.ContainsAny(p.Lit, "$`")
		}) {
			e.unmodelled(st, at, "the subscript of "+name) // it is evaluated, whatever it holds
		}
		return place{}, false
	}
	name, index, element := strings.Cut(text, "[")
	if !element {
		return place{name: text}, isName(text)
	}
	if !isName(name) {
		return place{}, false
	}
	e.secretCode(st, v, at)
	key := e.textKey(st, name, strings.TrimSuffix(index, "]"), at)
	return place{name: name, key: key, element: true}, true
}

// textKey evaluates the text of a subscript.
func (e *evaluator) textKey(st *shell.State, name, index string, at risk.Span) string {
	if _, constant := number(index); constant || index == "@" || index == "*" {
		return index
	}
	x := value.Lit(index)
	old := st.Vars.Get(name)
	if old != nil && old.Map != nil || keyedTable(st.Shell, name) {
		if strings.ContainsAny(index, "$`") {
			x = e.again(st, x, at)
		}
		return keyOf(x)
	}
	if n, ok := e.arithAt(st, x, at, 0); ok {
		return strconv.FormatInt(n, 10)
	}
	if isName(index) {
		return index
	}
	return numberHole("element").String()
}

// again evaluates text as the inside of double quotes, which it has been once
// before.
func (e *evaluator) again(st *shell.State, v value.Value, at risk.Span) value.Value {
	text, known := v.Known()
	if !known || !strings.ContainsAny(text, "$`") {
		return v
	}
	if st.Depth >= maxDepth {
		e.m.Unknown(st, at, risk.RoleBudget, "nested too deep")
		return value.Unknown(risk.CauseOther, "")
	}
	e.secretCode(st, v, at)
	w, grammar, err := document(text, st.Shell)
	if err != nil {
		e.m.Unknown(st, at, risk.RoleParse, "text that is expanded again")
		return value.Unknown(risk.CauseOther, "")
	}
	sub := &evaluator{m: e.m, parts: e.parts, at: &at, text: text, grammar: grammar}
	st.Depth++
	defer func() { st.Depth-- }()
	return sub.document(st, w, false)
}

// secretCode tells of a secret in text that is expanded once more: which of its
// commands then gets the secret is not followed.
func (e *evaluator) secretCode(st *shell.State, v value.Value, at risk.Span) {
	if text, known := v.Known(); known && v.Taint().Has(secret) && strings.ContainsAny(text, "$`") {
		e.unmodelled(st, at, "a secret in text that is expanded again")
	}
}

// put stores a value where a builtin was told to.
func (e *evaluator) put(st *shell.State, p place, x value.Value, at risk.Span) {
	if target, known := e.referred(st, p.name); known && target != p.name && !p.element {
		if q, ok := e.place(st, value.Lit(target), at); ok {
			p = q
		}
	}
	old := st.Vars.Declared(p.name)
	if old != nil && old.Integer || integer(st.Shell, p.name) {
		x = e.arithText(st, x)
	}
	if !p.element {
		if old != nil && (old.Lower || old.Upper) {
			x = changeCase(x, old.Upper)
		}
		st.Vars.Assign(p.name, x)
		e.noteVariable(st, p.name, at)
		return
	}
	v := shell.Var{Changed: true}
	if old != nil {
		v = *old
		v.Changed, v.Unset, v.IfSet = true, false, nil
	}
	if v.ReadOnly {
		return
	}
	e.setElement(st, &v, p.key, x)
	st.Vars.Set(p.name, v)
	e.noteElement(st, p.name, p.key, x, at)
}

// putList makes a variable an array.
func (e *evaluator) putList(st *shell.State, name string, v shell.Var, at risk.Span) {
	if old := st.Vars.Declared(name); old != nil && old.Integer {
		v.Integer = true
		for i, x := range v.List {
			v.List[i] = e.arithText(st, x)
		}
	}
	if len(v.List) > 0 {
		v.Value = v.List[0]
	}
	st.Vars.Set(name, v)
	if st.Shell == "zsh" {
		e.noteTable(st, name, &v, at)
	}
	e.noteVariable(st, name, at)
}

// putInto is put where the name is a word that is not read yet.
func (e *evaluator) putInto(st *shell.State, name, x value.Value, at risk.Span) {
	if p, ok := e.place(st, name, at); ok {
		e.put(st, p, x, at)
	}
}

// subscript evaluates an index for what it does: that of a variable which is
// not set is evaluated all the same.
func (e *evaluator) subscript(st *shell.State, index syntax.ArithmExpr) {
	switch x := index.(type) {
	case nil:
	case *syntax.FlagsArithm: // of zsh: a pattern, say
		e.subscript(st, x.X)
	case *syntax.Word:
		if text := x.Lit(); text != "@" && text != "*" {
			e.arithKey(st, index, false)
		}
	default:
		e.arithInt(st, index)
	}
}

// namesIn evaluates the words of a builtin that takes names or numbers where
// this front does not follow what it does with them: a subscript is evaluated.
func (e *evaluator) namesIn(st *shell.State, inv *shell.Invocation) {
	for _, w := range inv.Argv[1:] {
		text, known := w.Value.Known()
		name, index, element := strings.Cut(text, "[")
		if known && element && isName(strings.TrimLeft(name, "-+")) && strings.ContainsAny(index, "$`[") {
			e.again(st, w.Value, inv.Span)
		}
	}
}

// integer reports whether a variable that the shell sets itself holds a number,
// so that arithmetic is applied to what is assigned to it (bash(1), "Shell
// Variables"; mksh(1), Parameters; zshparam(1), where they are marked <Z>, <I>).
func integer(dialect, name string) bool {
	switch name {
	case "RANDOM", "OPTIND", "HISTCMD":
		return dialect != "sh"
	case "SRANDOM":
		return dialect == "bash"
	case "SECONDS":
		return dialect == "zsh" || dialect == "mksh"
	case "KSHUID", "KSHGID", "KSHEGID", "PIPESTATUS":
		return dialect == "mksh"
	case "COLUMNS", "LINES", "TMOUT", "PGRP", "USER_ID", "PPID", "EPOCHREALTIME", "BASHPID":
		return dialect == "mksh" || dialect == "zsh"
	case "HISTSIZE", "SAVEHIST", "LISTMAX", "LOGCHECK", "MAILCHECK", "FUNCNEST", "KEYTIMEOUT", "DIRSTACKSIZE", "PERIOD", "REPORTTIME", "REPORTMEMORY", "SHLVL", "BAUD", "UID", "GID", "EUID", "EGID", "TTYIDLE", "ERRNO":
		return dialect == "zsh"
	}
	return false
}
