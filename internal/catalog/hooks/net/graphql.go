package net

import (
	"encoding/json"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"
)

// bodyQuery returns the query or statement inside a JSON request body, as
// GraphQL over HTTP and most SQL-over-HTTP services take it, or the body
// itself if it is not such an object.
func bodyQuery(body string) string {
	var object map[string]any
	if !strings.HasPrefix(strings.TrimSpace(body), "{") || json.Unmarshal([]byte(body), &object) != nil {
		return body
	}
	for _, key := range []string{"query", "sql", "statement", "stmt", "q"} {
		if text, ok := object[key].(string); ok {
			return text
		}
	}
	return ""
}

// GraphqlDestroys reports whether a GraphQL document holds a mutation one of
// whose top-level fields says that it deletes (GraphQL spec of October 2021,
// section 2).
func GraphqlDestroys(doc string) bool {
	braces, parens, mutation := 0, 0, false
	for i := 0; i < len(doc); {
		switch c := doc[i]; {
		case c == '"':
			i = graphqlString(doc, i)
			continue
		case c == '#':
			n := strings.IndexByte(doc[i:], '\n')
			if n < 0 {
				return false
			}
			i += n
		case c == '{':
			braces++
		case c == '}':
			braces--
			mutation = mutation && braces > 0
		case c == '(':
			parens++
		case c == ')':
			parens--
		case site.NameByte(c):
			end := i
			for end < len(doc) && site.NameByte(doc[end]) {
				end++
			}
			word := doc[i:end]
			if braces == 0 && word == "mutation" {
				mutation = true
			}
			if mutation && braces == 1 && parens == 0 && namesDeletion(word) {
				return true
			}
			i = end
			continue
		}
		i++
	}
	return false
}

// graphqlString returns the offset behind the string that begins at i.
func graphqlString(doc string, i int) int {
	if strings.HasPrefix(doc[i:], `"""`) {
		if n := strings.Index(doc[i+3:], `"""`); n >= 0 {
			return i + n + 6
		}
		return len(doc)
	}
	for j := i + 1; j < len(doc); j++ {
		switch doc[j] {
		case '\\':
			j++
		case '"', '\n':
			return j + 1
		}
	}
	return len(doc)
}

// namesDeletion reports whether a camelCase or snake_case name has a word in
// it that says that something is deleted.
func namesDeletion(name string) bool {
	start := 0
	for i := 0; i <= len(name); i++ {
		if i < len(name) && name[i] != '_' && (i == 0 || name[i] < 'A' || name[i] > 'Z') {
			continue
		}
		switch strings.ToLower(strings.Trim(name[start:i], "_")) {
		case "delete", "destroy", "remove", "drop", "purge", "wipe", "erase", "terminate", "truncate":
			return true
		}
		start = i
	}
	return false
}
