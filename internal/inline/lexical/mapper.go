package lexical

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// mappers are the calls with which object-relational mappers delete every row of
// a table, and the language that they stand in: Active Record ("delete_all",
// "destroy_all"), Django's QuerySet.delete, and the deleteMany of Mongoose and
// Prisma without a condition.
var mappers = []struct{ lang, call string }{
	{"ruby", ".delete_all"},
	{"ruby", ".destroy_all"},
	{"python", ".objects.all().delete()"},
	{"javascript", ".deleteMany()"},
	{"javascript", ".deleteMany({})"},
}

// Mapped are the rows that code deletes through a mapper, all of a table: as
// far as its text tells.
func Mapped(lang, text string) []catalog.Effect {
	if len(text) > maxLexText {
		return nil
	}
	if lang == "node" || lang == "typescript" {
		lang = "javascript"
	}
	var all []catalog.Effect
	for _, m := range mappers {
		for from := 0; m.lang == lang && len(all) < maxLexFound; {
			i := strings.Index(text[from:], m.call)
			if i < 0 {
				break
			}
			end := from + i
			from = end + len(m.call)
			start := end
			for start > 0 && (text[start-1] == '.' || text[start-1] == ':' || text[start-1] == '_' || text[start-1]|0x20 >= 'a' && text[start-1]|0x20 <= 'z' || text[start-1] >= '0' && text[start-1] <= '9') {
				start--
			}
			table := strings.TrimSuffix(text[start:end], ".all")
			if table == "" || start > 0 && text[start-1] == ')' { // of what a condition picks
				continue
			}
			all = append(all, catalog.Effect{Verb: risk.DBDestroy, Target: value.Lit(table), Kind: risk.KindSQLDeleteAll})
		}
	}
	return all
}
