//go:build !linux && !darwin

package wrap

import (
	"errors"

	"github.com/heedsh/heed/internal/wrap/approval"
)

// Other systems have no way to become another program, or another one: nothing
// is executed there.
var errUnsupported = errors.New("heed runs commands on Linux and macOS only")

type input uint8

const (
	inputTerminal input = iota
	inputOther
)

type terminal struct{}

func standardInput() input                          { return inputOther }
func identity(string) (string, error)               { return "", errUnsupported }
func readScript() (string, error)                   { return "", errUnsupported }
func isTerminal(int) bool                           { return false }
func (s *Session) execute(*approval.Job) int        { return s.unjudged(errUnsupported) }
func (s *Session) openTerminal() (*terminal, error) { return nil, errUnsupported }
func (t *terminal) Close()                          {}
func (t *terminal) ask(string) (string, error)      { return "", errUnsupported }
