package risk

import (
	"fmt"
	"strings"
)

// A ConditionKind says on what it depends whether a point is reached.
type ConditionKind uint8

// The conditions.
const (
	NoCondition  ConditionKind = iota // none: it is surely reached
	IfMissing                         // a directory does not exist, and nobody checks whether the change to it failed
	IfSucceeds                        // a command succeeds
	IfFails                           // a command fails
	IfTrue                            // a test holds
	IfNotTrue                         // a test does not hold
	IfNotFound                        // a program is not found
	IfCalled                          // a function is called
	AtNextPrompt                      // the shell prompts again
	OnSignal                          // a signal comes, or the shell ends
)

// How [IfMissing] is told: if DIR does not exist: `cd DIR` is not checked.
const (
	missing   = " does not exist: `"
	unchecked = "` is not checked"
)

// conditions say how each is told: %s is what it is about.
var conditions = [...]string{
	NoCondition: "", IfSucceeds: "if `%s` succeeds", IfFails: "if `%s` fails", IfTrue: "if `%s`", IfNotTrue: "if not `%s`",
	IfNotFound: "if %s is not found", IfCalled: "if `%s` is called", AtNextPrompt: "at the next prompt", OnSignal: "on %s",
}

// A Condition is that under which a point is reached.
type Condition struct {
	Kind ConditionKind
	// Of is what it is about: a command's text, a name.
	Of string
	// Unchecked is, for [IfMissing], the command whose failure nobody checks.
	Unchecked string
}

// IsZero reports whether the point is reached without any condition.
func (c Condition) IsZero() bool { return c.Kind == NoCondition }

// String tells the condition.
func (c Condition) String() string {
	switch c.Kind {
	case NoCondition, AtNextPrompt:
		return conditions[c.Kind]
	case IfMissing:
		return "if " + c.Of + missing + c.Unchecked + unchecked
	}
	if int(c.Kind) < len(conditions) {
		return fmt.Sprintf(conditions[c.Kind], c.Of)
	}
	return c.Of
}

// MarshalText writes what String returns.
func (c Condition) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (c *Condition) UnmarshalText(text []byte) error {
	s := string(text)
	if rest, ok := strings.CutPrefix(s, "if "); ok {
		if of, command, ok := strings.Cut(rest, missing); ok {
			if command, ok = strings.CutSuffix(command, unchecked); ok {
				*c = Condition{IfMissing, of, command}
				return nil
			}
		}
	}
	// The longest words first: "if not `x`" is no "if `x`".
	for _, k := range []ConditionKind{AtNextPrompt, IfSucceeds, IfFails, IfCalled, IfNotTrue, IfTrue, IfNotFound, OnSignal} {
		before, after, _ := strings.Cut(conditions[k], "%s")
		if rest, ok := strings.CutPrefix(s, before); ok {
			if of, ok := strings.CutSuffix(rest, after); ok {
				*c = Condition{Kind: k, Of: of}
				return nil
			}
		}
	}
	if s != "" {
		return fmt.Errorf("%.60q is no condition that heed tells", s)
	}
	*c = Condition{}
	return nil
}
