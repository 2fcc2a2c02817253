package text

import (
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/lang/sed"
	"github.com/heedsh/heed/internal/value"
)

// sedReplaced names the text that a script of one command replaces, and by what, for the
// sentence: s/old/new/ and s/old/new/g. A pattern that may match other texts is named as one.
func sedReplaced(m *catalog.Match, text string, script *sed.Script) {
	if m.Has("quiet") || script.Cut || script.Err != nil || len(script.Commands) != 1 {
		return
	}
	c := &script.Commands[0]
	if c.Name != 's' || c.Not || c.First.Kind != sed.None || c.Sub == nil {
		return
	}
	sub := c.Sub
	from, to := text[sub.Regex.Pos:sub.Regex.End], text[sub.Replacement.Pos:sub.Replacement.End]
	if sub.Number > 0 || sub.Print || sub.Evaluate || sub.Writes || from == "" || strings.ContainsAny(to, "\\&\n") {
		return
	}
	name := "word"
	if strings.ContainsAny(from, `.*[]^$\+?(){}|`) || sub.Fold {
		name = "pattern"
	}
	if name += "-once"; sub.Global {
		name = strings.TrimSuffix(name, "-once")
	}
	m.Bind(name, value.Lit(from))
	if to != "" {
		m.Bind("by", value.Lit(to))
	}
}

// sedLines names the lines that a script only prints, for the sentence: "5p"
// and "5,10p" behind -n (GNU sed 4.9 manual, "Addresses"); of "/x/p" it names what they match,
// of "/x/,/y/p" what the first and the last of them do.
func sedLines(m *catalog.Match, text string, script *sed.Script) {
	if !m.Has("quiet") || script.Cut || script.Err != nil || len(script.Commands) != 1 {
		return
	}
	c := &script.Commands[0]
	if first, second := text[c.First.Regex.Pos:c.First.Regex.End], text[c.Second.Regex.Pos:c.Second.Regex.End]; c.Name == 'p' && !c.Not && c.First.Kind == sed.Regex && first != "" {
		switch {
		case c.Second.Kind == sed.None:
			m.Bind("matching", value.Lit(first))
		case c.Second.Kind == sed.Regex && second != "":
			m.Bind("matching", value.Lit(first))
			m.Bind("until", value.Lit(second))
		}
	}
	if c.Name != 'p' || c.Not || c.First.Kind != sed.Line || c.Second.Kind != sed.None && c.Second.Kind != sed.Line {
		return
	}
	m.Bind("from", value.Lit(strconv.Itoa(c.First.N)))
	if c.Second.Kind == sed.Line {
		m.Bind("to", value.Lit(strconv.Itoa(c.Second.N)))
	}
}
