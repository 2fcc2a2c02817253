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

// ifThatFails tells of what stands behind || by what is done first, where that changes
// something as well: it may well be all that happens. "" elsewhere, and where both are too
// long.
func (in *Input) ifThatFails(text string, e *risk.Effect, at place) string {
	then := in.actOf(e)
	if then == nil || !then.Otherwise || then.Inner || e.Reached.Kind != risk.IfFails || e.By.Process == 0 {
		return ""
	}
	first := &in.Acts[e.By.Process-1]
	if first.Inner || first.Otherwise || first.Piped || first.Captured || first.Ends != nil || first.Unreached != nil || first.Conditional {
		return ""
	}
	for i := range in.Effects {
		f := &in.Effects[i]
		if f.By.Process != e.By.Process-1 || reads(f.Verb) {
			continue
		}
		says := plain(orElse(first.Says, orElse(in.said(f, at), phrase(f, at))))
		says, _, _ = strings.Cut(says, "; ")
		main, _, _ := strings.Cut(text, tail)
		for _, then := range []string{text, main} {
			if both := says + "; if that fails, " + lower(then); length(both) < maxSentence {
				return both
			}
		}
	}
	return ""
}

// reads reports whether what is done leaves things as they are.
func reads(v risk.Verb) bool {
	switch v {
	case risk.FSRead, risk.SecretRead, risk.RemoteRead, risk.DBRead, risk.NetConnect, risk.ExecKnown:
		return true
	}
	return false
}
