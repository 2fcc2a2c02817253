package wrap

import (
	"errors"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/policy/rulefile"
)

// narrow are the narrowest rules by which a job would run unasked; none where one of its
// programs can have none.
func narrow(j *judgement, today string) []policy.Rule {
	var all []policy.Rule
	deeds := policy.Deeds(&j.Assessment)
	for i := range deeds {
		if part := partOf(j, deeds[i].Process); part == nil || part.Action != policy.Ask {
			continue
		}
		r, ok := policy.Narrow(&deeds[i], today)
		if !ok {
			return nil
		}
		all = append(all, r)
	}
	return all
}

func partOf(j *judgement, process int) *policy.Part {
	for i := range j.Parts {
		if j.Parts[i].Process == process {
			return &j.Parts[i]
		}
	}
	return nil
}

// offer says which rules a person may have for what he is asked about.
func (s *Session) offer(q *gate.Question, j *judgement) {
	rules := narrow(j, "")
	if len(rules) == 0 || q.Shown.Masked { // a rule would hold the secret
		return
	}
	if own.SessionPolicy(s.Env) != "" {
		q.Offers = append(q.Offers, gate.ThisSession)
	}
	if own.UserPolicy(s.Env) != "" {
		q.Offers = append(q.Offers, gate.AsRule)
	}
	for i := range rules {
		q.Rule += rulefile.Text(&rules[i])
	}
	q.Covers = s.covers(rules, j.req.Command)
}

// settle keeps the rules that a person said yes to, for the session of his terminal or
// for good.
func (s *Session) settle(j *judgement, choice gate.Choice) error {
	name, layer, today := own.UserPolicy(s.Env), policy.User, ""
	if choice == gate.ThisSession {
		name, layer, today = own.SessionPolicy(s.Env), policy.OfSession, own.Today()
	}
	rules := narrow(j, today)
	if name == "" || len(rules) == 0 {
		return errors.New("there is no rule for it: it runs this once")
	}
	for i := range rules {
		rules[i].Owner = s.getenv("USER")
	}
	_, err := own.AddRules(name, layer, rules, []string{"approved at a terminal: " + explain.Cut(strings.ReplaceAll(j.Command, "\n", " "), 200)})
	return err
}
