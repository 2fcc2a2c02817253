package text

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// xpathComputes are functions of XPath that only look at the document and at their
// arguments (XPath and XQuery Functions and Operators 3.1), and the tests of nodes.
const xpathComputes = `text node comment element attribute name local-name namespace-uri string string-length concat contains
starts-with ends-with substring substring-before substring-after normalize-space translate upper-case lower-case
matches replace tokenize string-join not true false boolean position last count sum avg min max number round floor
ceiling abs distinct-values reverse subsequence index-of exists empty data head tail insert-before remove`

// xidel looks at its expressions, whose functions run programs, fetch and write files (xidel
// readme, "system", "file:"): those that call only what computes are understood.
func xidel(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, q := range m.Values("query") {
		if text, known := q.Known(); !known || !xpathOnlyLooks(text) {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Target: q, Arg: "query"})
		}
	}
}

// xpathOnlyLooks reports whether an expression is a path, or calls of the functions above: names
// of others stand before no parenthesis, and nothing has a namespace, a variable or a template of
// its own.
func xpathOnlyLooks(text string) bool {
	text, ok := withoutTexts(strings.TrimPrefix(text, "#")) // a selector of CSS by id
	if !ok || strings.ContainsAny(text, "{}$#;<&%^~`\\") {
		return false
	}
	known := strings.Fields(xpathComputes)
	for {
		at := strings.IndexByte(text, '(')
		if at < 0 {
			break
		}
		before := strings.TrimRight(text[:at], " \t\n")
		name := before[strings.LastIndexFunc(before, func(r rune) bool { return !isXPathName(r) })+1:]
		axis := strings.HasSuffix(strings.TrimSuffix(before, name), "::")
		if name != "" && !slices.Contains(known, name) && !slices.Contains([]string{"and", "or", "div", "mod", "union", "in", "return", "if"}, name) || strings.HasSuffix(strings.TrimSuffix(before, name), ":") && !axis {
			return false
		}
		text = text[at+1:]
	}
	return true
}

// isXPathName reports whether a character may stand in a name.
func isXPathName(r rune) bool {
	return r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80
}

// withoutTexts leaves texts in quotes out; ok is false where one does not end, or
// may be a template.
func withoutTexts(text string) (_ string, ok bool) {
	var b strings.Builder
	for {
		i := strings.IndexAny(text, `"'`)
		if i < 0 {
			b.WriteString(text)
			return b.String(), true
		}
		end := strings.IndexByte(text[i+1:], text[i])
		if end < 0 || i > 0 && isXPathName(rune(text[i-1])) { // x"…" has expressions in it
			return "", false
		}
		b.WriteString(text[:i])
		text = text[i+end+2:]
	}
}
