package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// onCondition says on what condition it happens. The command that it hangs on is
// told by its beginning, where the sentence becomes long.
func onCondition(text string, c risk.Condition) string {
	c = asCommand(c)
	whole := insert(text, " "+Visible(c.String()))
	if len([]rune(strings.ReplaceAll(whole, tail, ""))) > roomy && (c.Kind == risk.IfSucceeds || c.Kind == risk.IfFails) {
		if of := []rune(strings.TrimSuffix(c.Of, "…")); len(of) > maxCondition {
			c.Of = string(of[:maxCondition]) + "…"
		}
		return insert(text, " "+Visible(c.String()))
	}
	return whole
}

// asCommand tells of a condition that is a command by how it ends; one that is a test is
// told as it stands.
func asCommand(c risk.Condition) risk.Condition {
	command, not := strings.CutPrefix(c.Of, "! ")
	switch first, _, _ := strings.Cut(command, " "); {
	case c.Kind != risk.IfTrue && c.Kind != risk.IfNotTrue, slices.Contains([]string{"", "[", "[[", "test"}, first), strings.HasPrefix(c.Of, "(("):
		return c
	}
	c.Of = command
	if (c.Kind == risk.IfTrue) != not {
		c.Kind = risk.IfSucceeds
	} else {
		c.Kind = risk.IfFails
	}
	return c
}
