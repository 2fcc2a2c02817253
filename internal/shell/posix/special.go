package posix

import (
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

func (e *evaluator) noteElement(st *shell.State, name, key string, x value.Value, at risk.Span) {}

var _ = shell.Var{}
