package scan

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// expressions writes a script with its ${{ expressions }} replaced, and returns
// those that anybody can write the value of.
func (j *job) expressions(w, raw *writer) []Foreign {
	var all []Foreign
	text := raw.String()
	c := Command{Marks: raw.marks}
	for from := 0; from < len(text); {
		i := strings.Index(text[from:], "${{")
		if i < 0 {
			w.slice(raw, from, len(text))
			break
		}
		i += from
		w.slice(raw, from, i)
		end := strings.Index(text[i:], "}}")
		if end < 0 {
			end = len(text) - i
		} else {
			end += len("}}")
		}
		inner := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text[i:i+end], "${{"), "}}"))
		start := w.len()
		w.value(j.expression(inner).WrittenAs(strings.Join(strings.Fields(text[i:i+end]), " ")), c.Offset(i))
		if Untrusted(inner) {
			all = append(all, Foreign{Name: inner, Start: start, End: w.len()})
		}
		from = i + end
	}
	return all
}

// expression is the value of an expression: of a variable that the file sets,
// or a place of the runner. Credentials are known by their names, and every
// secret is one.
func (j *job) expression(text string) value.Value {
	switch name, isEnv := strings.CutPrefix(text, "env."); {
	case isEnv:
		if known, ok := j.env[name]; ok {
			return value.Lit(known)
		}
		return value.Variable(name)
	case text == "github.workspace" && j.project != "":
		return value.Lit(j.project)
	case text == "runner.temp":
		return value.Lit("/tmp")
	case strings.HasPrefix(text, "secrets."):
		return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: text, Shape: value.Word}).With(value.Credential)
	}
	return value.Variable(text)
}

// slice writes a part of what another writer holds.
func (w *writer) slice(raw *writer, from, to int) {
	text := raw.String()
	first, found := slices.BinarySearchFunc(raw.marks, from, func(m Mark, at int) int { return m.At - at })
	if !found {
		first = max(0, first-1)
	}
	for i := first; i < len(raw.marks) && raw.marks[i].At < to; i++ {
		m := raw.marks[i]
		end := to
		if i+1 < len(raw.marks) {
			end = min(to, raw.marks[i+1].At)
		}
		start := max(m.At, from)
		switch {
		case start >= end:
		case m.Fixed:
			w.put(text[start:end], m.File)
		default:
			w.copy(text[start:end], m.File+start-m.At)
		}
	}
}

// others finds the expressions in a text that anybody can write the value of.
func others(text string) []Foreign {
	var all []Foreign
	for from := 0; ; {
		i := strings.Index(text[from:], "${{")
		if i < 0 {
			return all
		}
		i += from
		end := strings.Index(text[i:], "}}")
		if end < 0 {
			return all
		}
		end += i + len("}}")
		if inner := strings.TrimSpace(text[i+len("${{") : end-len("}}")]); Untrusted(inner) {
			all = append(all, Foreign{Name: inner, Start: i, End: end})
		}
		from = end
	}
}

// Untrusted reports whether an expression holds data of an event that whoever
// caused the event can write (GitHub docs, "Security hardening for GitHub
// Actions": contexts that end with body, default_branch, email, head_ref,
// label, message, name, page_name, ref and title).
func Untrusted(expression string) bool {
	expression = strings.NewReplacer("['", ".", "']", "", "[*]", ".*").Replace(expression)
	for _, field := range strings.FieldsFunc(expression, func(r rune) bool {
		return strings.ContainsRune(" \t\n()|&!=<>,'\"", r)
	}) {
		field = strings.ToLower(field)
		if field == "github.head_ref" {
			return true
		}
		parts := strings.Split(field, ".")
		if len(parts) < 4 || parts[0] != "github" || parts[1] != "event" {
			continue
		}
		switch parts[2] {
		case "issue", "pull_request", "comment", "review", "review_comment", "discussion", "pages", "commits", "head_commit", "workflow_run", "release":
		default:
			continue
		}
		switch parts[len(parts)-1] {
		case "body", "default_branch", "email", "head_ref", "label", "message", "name", "page_name", "ref", "title", "head_branch", "display_title":
			if strings.Contains(field, ".base.") || parts[2] == "release" && len(parts) == 4 && parts[3] == "name" {
				continue
			}
			return true
		}
	}
	return false
}
