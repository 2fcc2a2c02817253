//go:build !linux && !darwin

package wrap

import (
	"errors"

	"github.com/heedsh/heed/internal/gate/approval"
)

// Other systems have no way to become another program, or another one: nothing
// is executed there, and nothing is kept for an approval.
const executes = false

var errUnsupported = errors.New(onlyThere)

type input uint8

const (
	inputTerminal input = iota
	inputOther
)

func standardInput() input                   { return inputOther }
func identity(string) (string, error)        { return "", errUnsupported }
func readScript() (string, error)            { return "", errUnsupported }
func (s *Session) execute(*approval.Job) int { return s.unjudged(errUnsupported) }
