package wrap

import (
	"errors"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/covers"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/policy/rulefile"
)

// offer says which rules a person may have for what he is asked about.
func (s *Session) offer(q *gate.Question, j *judgement) {
	rules := policy.Narrowest(&j.Assessment, &j.Decision, "")
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
	q.Covers = (&covers.Look{Service: s.Guard.Service, Records: &s.Guard.Records, Env: s.Env}).Of(rules, j.req.Command)
}

// settle keeps the rules that a person said yes to, for the session of his terminal or
// for good.
func (s *Session) settle(j *judgement, choice gate.Choice) error {
	name, layer, today := own.UserPolicy(s.Env), policy.User, ""
	if choice == gate.ThisSession {
		name, layer, today = own.SessionPolicy(s.Env), policy.OfSession, own.Today()
	}
	rules := policy.Narrowest(&j.Assessment, &j.Decision, today)
	if name == "" || len(rules) == 0 {
		return errors.New("there is no rule for it: it runs this once")
	}
	for i := range rules {
		rules[i].Owner = s.getenv("USER")
	}
	_, err := own.AddRules(name, layer, rules, []string{"approved at a terminal: " + explain.Cut(strings.ReplaceAll(j.Command, "\n", " "), 200)})
	return err
}
