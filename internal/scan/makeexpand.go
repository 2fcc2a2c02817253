package scan

import (
	"path"
	"strings"
)

// closing returns where the bracket that s begins with is closed, or -1.
func closing(s string) int {
	if s == "" {
		return -1
	}
	open, shut := s[0], byte(')')
	if open == '{' {
		shut = '}'
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// expand writes text with its references replaced. at is where the text stands
// in the file; -1 where it comes from a variable, and stays at the place of
// the reference.
func (m *makeText) expand(w *writer, text string, at int, local map[string]string, depth int) {
	m.expandAt(w, text, at, false, local, depth)
}

func (m *makeText) expandAt(w *writer, text string, at int, fixed bool, local map[string]string, depth int) {
	write := func(s string, i int) {
		m.work += len(s)
		switch {
		case fixed:
			w.put(s, at)
		case strings.HasPrefix(m.text[min(at+i, len(m.text)):], s):
			w.copy(s, at+i)
		default: // of lines that were joined
			w.put(s, at+i)
		}
	}
	place := func(i int) int {
		if fixed {
			return at
		}
		return at + i
	}
	for i := 0; i < len(text); {
		j := strings.IndexByte(text[i:], '$')
		if j < 0 || i+j+1 == len(text) {
			write(text[i:], i)
			return
		}
		write(text[i:i+j], i)
		i += j
		switch c := text[i+1]; c {
		case '$':
			write("$", i+1)
			i += 2
		case '(', '{':
			end := closing(text[i+1:])
			if end < 0 {
				w.unknown("${make}", text[i:], place(i))
				return
			}
			m.reference(w, text[i+2:i+1+end], place(i), local, depth+1)
			i += end + 2
		default:
			m.variable(w, text[i+1:i+2], place(i), local, depth+1)
			i += 2
		}
	}
}

// reference writes what stands between the brackets of a reference.
func (m *makeText) reference(w *writer, inner string, at int, local map[string]string, depth int) {
	name, rest, call := strings.Cut(strings.ReplaceAll(inner, "\t", " "), " ")
	rest = strings.TrimLeft(rest, " ")
	switch {
	case depth > makeDepth || m.work > makeWork:
		w.unknown("${make_reference}", "$("+inner+")", at)
	case call && name == "shell":
		sub := &writer{}
		m.expandAt(sub, rest, at, true, local, depth)
		w.unknown("$("+strings.TrimSpace(sub.String())+")", "$("+inner+")", at)
	case call && (name == "info" || name == "warning" || name == "error"):
	case call && name == "strip":
		m.expandAt(w, strings.TrimSpace(rest), at, true, local, depth)
	case call && m.words(w, name, rest, at, local, depth):
	case strings.ContainsAny(inner, " \t$,") || strings.Contains(inner, ":") && strings.Contains(inner, "="):
		w.unknown("${make_"+variable(inner)+"}", "$("+inner+")", at)
	default:
		m.variable(w, inner, at, local, depth)
	}
}

// words writes a function of words whose arguments are known.
func (m *makeText) words(w *writer, name, text string, at int, local map[string]string, depth int) bool {
	if name != "addprefix" && name != "addsuffix" && name != "notdir" && name != "firstword" {
		return false
	}
	known := func(s string) (string, bool) {
		sub := &writer{}
		m.expandAt(sub, s, at, true, local, depth)
		s = sub.String()
		return s, !strings.ContainsAny(s, "$`\n")
	}
	add := ""
	if strings.HasPrefix(name, "add") {
		comma := topLevel(text, ',')
		if comma < 0 {
			return false
		}
		var ok bool
		if add, ok = known(text[:comma]); !ok {
			return false
		}
		text = text[comma+1:]
	}
	list, ok := known(text)
	if !ok {
		return false
	}
	words := strings.Fields(list)
	if name == "firstword" {
		words = words[:min(1, len(words))]
	}
	for i := range words {
		switch name {
		case "addprefix":
			words[i] = add + words[i]
		case "addsuffix":
			words[i] += add
		case "notdir":
			words[i] = path.Base(words[i])
		}
	}
	w.put(strings.Join(words, " "), at)
	return true
}

// variable writes the value of a variable, or the shell's variable of that
// name where it is not known: make takes what it does not set from the
// environment.
func (m *makeText) variable(w *writer, name string, at int, local map[string]string, depth int) {
	m.work += 16 // an expansion costs, however short it is
	if text, ok := local[name]; ok {
		w.put(text, at)
		return
	}
	v := m.vars[name]
	switch {
	case v != nil && !v.unsure && v.command == "" && depth < makeDepth && m.work < makeWork:
		m.expandAt(w, v.text, at, true, local, depth)
	case v != nil && v.command != "" && !v.unsure && !strings.Contains(v.command, "$"):
		w.unknown("$("+v.command+")", "$("+name+")", at)
	case v == nil && builtinVariable(name) != "":
		w.put(builtinVariable(name), at)
	default:
		written := "$(" + name + ")"
		if strings.HasPrefix(variable(name), "unknown") || isAutomatic(name) {
			written = "$" + name
			name = "make_" + automaticName(name)
		}
		w.unknown("${"+variable(name)+"}", written, at)
	}
}

// builtinVariable are the implicit variables that recipes use (GNU make 4.4
// manual, "Variables Used by Implicit Rules").
func builtinVariable(name string) string {
	switch name {
	case "MAKE":
		return "make"
	case "CC":
		return "cc"
	case "CXX":
		return "g++"
	case "AR":
		return "ar"
	case "RM":
		return "rm -f"
	case "SHELL":
		return "/bin/sh"
	}
	return ""
}

func isAutomatic(name string) bool {
	return name != "" && strings.IndexByte("@<^?*+|%", name[0]) >= 0
}

func automaticName(name string) string {
	if name == "" {
		return "variable"
	}
	names := map[byte]string{'@': "target", '<': "first_need", '^': "needs", '?': "newer_needs", '*': "stem", '+': "needs", '|': "order_needs", '%': "member"}
	if s, ok := names[name[0]]; ok {
		return s
	}
	return "variable"
}

// automatic are the automatic variables of a recipe as far as the text of its
// rule tells. In a pattern rule % stays as it is, for whatever it matches.
func (m *makeText) automatic(r *makeRecipe) map[string]string {
	local := map[string]string{}
	target, ok := m.literal(r.target)
	if words := strings.Fields(target); len(words) > 1 { // made one by one
		target = words[0]
	}
	if ok && target != "" {
		local["@"], local["@D"], local["@F"] = target, path.Dir(target), path.Base(target)
	}
	if strings.Contains(target, "%") {
		local["*"] = "%"
	}
	needs, ok := m.literal(r.needs)
	if !ok {
		return local
	}
	needs, _, _ = strings.Cut(needs, "|")
	words := strings.Fields(needs)
	local["^"], local["+"] = strings.Join(words, " "), strings.Join(words, " ")
	if len(words) > 0 {
		local["<"], local["<D"], local["<F"] = words[0], path.Dir(words[0]), path.Base(words[0])
	}
	return local
}

// literal expands text whose references are all known.
func (m *makeText) literal(text string) (string, bool) {
	w := &writer{}
	m.expandAt(w, text, 0, true, nil, 0)
	s := strings.TrimSpace(w.String())
	return s, !strings.ContainsAny(s, "$`")
}
