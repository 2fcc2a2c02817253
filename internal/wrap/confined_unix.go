//go:build linux || darwin

package wrap

import (
	"errors"
	"os/signal"
	"syscall"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate/approval"
)

// confine runs the job's program within what it was granted, and returns its exit code.
// This process stays, to say what the kernel refused; if the command was ended by a
// signal, it ends by the same.
func (s *Session) confine(job *approval.Job) int {
	g, err := s.granted()
	if err != nil {
		return s.not("%s", explain.Visible(err.Error()))
	}
	box := confine.Box{Grant: g, Ready: s.ready, Observer: s.Confined.Observer, Refused: func(r confine.Refusal) {
		if s.Confined.Refused != nil {
			s.Confined.Refused(r)
		}
		text := s.refused(r)
		if grant := r.Grant(); grant != "" && s.Confined.Observer == nil {
			with := "--grant"
			if s.Confined.Policy {
				with = "heed run --confined --grant"
			}
			s.say("%s (with %s %s it may)", text, with, explain.Visible(grant))
		} else {
			s.say("%s", text)
		}
		if s.Confined.Profile == nil {
			if err := s.also(audit.Mispredicted, func(row *audit.Row) { row.Reason = text }); err != nil {
				s.say("%s", explain.Visible(err.Error()))
			}
		}
	}}
	if s.Confined.Profile != nil {
		defer s.makeCaches(&g)()
	}
	if s.Erase != nil {
		s.Erase()
	}
	end, err := box.Run(&confine.Command{Program: job.Program, Argv: job.Argv, Env: s.Env, Dir: s.Dir, Home: s.Where().Home})
	if err == nil && s.Confined.Ended != nil {
		s.Confined.Ended(end)
	}
	switch {
	case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.ENOTDIR):
		s.say("%s: %s", explain.Visible(job.Program), err)
		return ExitNotFound
	case err != nil:
		return s.not("%s", explain.Visible(err.Error()))
	case end.Signal != 0:
		signal.Reset(syscall.Signal(end.Signal))
		if err := syscall.Kill(syscall.Getpid(), syscall.Signal(end.Signal)); err != nil {
			s.say("%s", err)
		}
	}
	return end.Code
}
