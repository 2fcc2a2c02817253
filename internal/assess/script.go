package assess

import (
	"context"

	"github.com/heedsh/heed/internal/engine"
	"github.com/heedsh/heed/internal/specs"
	"github.com/heedsh/heed/internal/splice"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// A Statement is the assessment of a part of a script. Spans of the assessment
// are those of the part; what happens elsewhere in the script, in a function
// that the part calls, has the span of the whole part.
type Statement struct {
	Span    risk.Span // the part, in the script
	Decided risk.Span // what decided, in the script
	Row     string    // the verb and the row of the decision table that decided; "" where nothing matters
	risk.Assessment
}

// Around is what a command has by what holds it.
type Around struct {
	// Whole says that it is judged as one command.
	Whole bool
	// Effects are judged with its own, those of a script with the statement that
	// holds their span.
	Effects []risk.Effect
	// Parts are what is not known of its text before a shell reads it
	// (internal/splice).
	Parts []value.Value
}

// Script judges the command of a request as a script, whose statements are
// evaluated in one session and judged one by one, unless it is to be judged as
// a whole.
// The error is a [*Failure], as for [Assessor.Assess]; the only statement is then
// REVIEW and says it.
func (a *Assessor) Script(ctx context.Context, w *world.World, req risk.Request, around Around) (all []Statement, err error) {
	a.normalize(&req)
	span := risk.Span{End: len(req.Command)}
	failed := func(f *Failure) ([]Statement, error) {
		return []Statement{{Span: span, Decided: span, Row: string(risk.Blind), Assessment: Failed(req, f)}}, f
	}
	if f := hopeless(ctx, &req); f != nil {
		return failed(f)
	}
	defer func() {
		if value := recover(); value != nil {
			all, err = failed(Fault(value))
		}
	}()
	found := []engine.Statement{{Span: span, Trace: nil}}
	set := a.set(w, &req)
	if around.Whole {
		found[0].Trace = a.evaluate(ctx, w, &req, set, around.Parts)
	} else {
		found = a.evaluateScript(ctx, w, &req, set, around.Parts)
	}
	for i := range found {
		all = append(all, a.statement(ctx, w, &req, found[i], around, set))
	}
	if f := cancelled(ctx); f != nil {
		return failed(f)
	}
	return all, nil
}

func (a *Assessor) statement(ctx context.Context, w *world.World, script *risk.Request, s engine.Statement, around Around, set *specs.Set) Statement {
	for _, e := range around.Effects {
		if e.Span.Start >= s.Span.Start && e.Span.Start < max(s.Span.End, s.Span.Start+1) {
			s.Trace.Effects = append(s.Trace.Effects, e)
		}
	}
	text := script.Command
	s.Span.End = min(s.Span.End, len(text)) // a text that was repaired can be longer
	s.Span.Start = min(s.Span.Start, s.Span.End)
	req := *script
	req.Command = text[s.Span.Start:s.Span.End]
	out := Statement{Span: s.Span, Decided: s.Span}
	var lead int
	out.Assessment, _, lead = a.conclude(w, &req, s.Trace, set, &stopwatch{})
	if lead >= 0 {
		e := &out.Effects[lead]
		out.Row = string(e.Verb) + ": " + e.Row
		if at := e.Span; at.Start < at.End && at.End <= len(text) {
			out.Decided = at
		}
	}
	out.relative()
	out.Safer = a.safer(ctx, w, &req, out.Assessment, set)
	out.written(around.Parts)
	return out
}

// written makes the command one that is written as its author wrote it.
func (s *Statement) written(parts []value.Value) {
	text := s.Command
	if s.Command = splice.Shown(text, parts); s.Command == text {
		return
	}
	s.spans(func(at *risk.Span) {
		at.Start, at.End = splice.Offset(text, parts, at.Start), splice.Offset(text, parts, at.End)
	})
}

// relative moves the spans of an assessment from the script to the part.
func (s *Statement) relative() {
	s.spans(func(at *risk.Span) {
		if at.Start < s.Span.Start || at.End > s.Span.End {
			*at = risk.Span{End: s.Span.End - s.Span.Start}
			return
		}
		at.Start, at.End = at.Start-s.Span.Start, at.End-s.Span.Start
	})
}

// spans calls move for every span of the assessment.
func (s *Statement) spans(move func(*risk.Span)) {
	for i := range s.Effects {
		move(&s.Effects[i].Span)
	}
	for i := range s.Invocations {
		move(&s.Invocations[i].Span)
	}
	for i := range s.Findings {
		move(&s.Findings[i].Span)
	}
	for i := range s.Unknowns {
		move(&s.Unknowns[i].Span)
	}
}
