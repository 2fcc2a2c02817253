package text

import (
	"strconv"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/lang/sed"
	"github.com/heedsh/heed/internal/value"
)

// sedLines names the lines that a script only prints, for the sentence: "5p"
// and "5,10p" behind -n (GNU sed 4.9 manual, "Addresses").
func sedLines(m *catalog.Match, script *sed.Script) {
	if !m.Has("quiet") || script.Cut || script.Err != nil || len(script.Commands) != 1 {
		return
	}
	c := &script.Commands[0]
	if c.Name != 'p' || c.Not || c.First.Kind != sed.Line || c.Second.Kind != sed.None && c.Second.Kind != sed.Line {
		return
	}
	m.Bind("from", value.Lit(strconv.Itoa(c.First.N)))
	if c.Second.Kind == sed.Line {
		m.Bind("to", value.Lit(strconv.Itoa(c.Second.N)))
	}
}
