package engine

import (
	"context"
	"errors"

	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Limits of a script that is evaluated statement by statement.
const (
	maxScriptSteps = 20 * maxSteps
	maxStatements  = 5000
)

// A Statement is one statement of a script's top level with all that it does.
type Statement struct {
	Span  risk.Span
	Trace *flow.Trace
}

// Statements evaluates the command of a request as a script: in one session,
// statement by statement, each with a trace of its own. A script that cannot
// be read is one statement. When ctx is cancelled it ends early, as Run does.
func (e *Engine) Statements(ctx context.Context, w *world.World, req *risk.Request) []Statement {
	whole := risk.Span{End: len(req.Command)}
	m := newMachine(ctx, e, w, req)
	s := script{machine: m, at: map[risk.Span]int{}}
	if problem := unreadable(req.Command); problem != risk.NoKind {
		return s.blindly(whole, problem, "")
	}
	dialect, ok := e.Fronts.Dialect(req.Shell)
	if !ok {
		return s.blindly(whole, risk.KindOtherShell, req.Shell)
	}
	st := m.session(req, dialect)
	err := e.Fronts.EvalEach(m, st, req.Command, func(span risk.Span) {
		if s.begin(span) {
			conceal(m.sc, st, req.Command, span)
		}
	})
	if err != nil {
		problem, language := risk.KindUnparsable, dialect
		if errors.Is(err, shell.ErrTooComplex) {
			problem, language = risk.KindTooComplex, ""
		}
		at := whole
		if i, ok := shell.ErrorAt(err); ok && i < len(req.Command) {
			at = risk.Span{Start: i, End: i + 1}
		}
		s.begin(whole)
		m.sc.Blind(at, problem, language)
		m.sc.Note(whole, risk.RoleParse, err.Error())
	}
	s.end()
	return s.done
}

// script collects the statements of one evaluation.
type script struct {
	machine *machine
	done    []Statement
	at      map[risk.Span]int // index in done
	span    risk.Span
	total   int // steps of all statements
}

// begin directs what the machine records to the statement with this span, and reports
// whether it is one that was not seen before.
func (s *script) begin(span risk.Span) (first bool) {
	s.end()
	i, ok := s.at[span]
	if !ok && len(s.done) == maxStatements { // the rest is told as one
		i, ok = len(s.done)-1, true
		s.done[i].Span.End = max(s.done[i].Span.End, span.End)
		s.total = maxScriptSteps + 1
	}
	if !ok {
		i = len(s.done)
		s.at[span] = i
		s.done = append(s.done, Statement{Span: span, Trace: &flow.Trace{}})
	}
	m := s.machine
	s.span, m.steps = span, 0
	m.sc.Anew(s.done[i].Trace)
	if s.total > maxScriptSteps {
		m.steps = maxSteps
	}
	return !ok
}

// end concludes the statement that was begun last.
func (s *script) end() {
	m := s.machine
	if len(s.done) == 0 {
		return
	}
	if m.sc.Trace.Spent {
		m.sc.Blind(s.span, risk.KindTooComplex, "")
	}
	m.sc.Trace.Steps += m.steps
	s.total += m.steps
}

// blindly records that nothing of the text could be read.
func (s *script) blindly(span risk.Span, why risk.Kind, language string) []Statement {
	s.begin(span)
	s.machine.sc.Blind(span, why, language)
	return s.done
}

// anywhere applies to the state of a session what a request says about a
// command that is not run here and now.
func anywhere(st *shell.State, req *risk.Request) {
	if req.Script != "" {
		st.Zero = value.Lit(req.Script)
	}
	if req.InImage {
		st.Context.Container = shell.Image
	}
	if !req.OpenEnv {
		return
	}
	st.AnyArgs = true
	st.Absent = func(name string) value.Value {
		if name == "BASH_SOURCE" && req.Script != "" {
			return value.Lit(req.Script)
		}
		return value.Variable(name)
	}
}
