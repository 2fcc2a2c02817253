package sigma

import "strconv"

// Severity says what a problem means for the rule.
type Severity uint8

const (
	// Warning: the rule works, but something about it is doubtful.
	Warning Severity = iota
	// Refused: the rule is not part of what was returned.
	Refused
)

func (s Severity) String() string {
	if s == Refused {
		return "refused"
	}
	return "warning"
}

// A Problem is something wrong with a rule or a file of rules. It is an error.
type Problem struct {
	File     string // as the caller named it
	Line     int    // 1 is the first; 0 is unknown
	Rule     string // id of the rule, or its name or title where it has none
	Severity Severity
	Message  string
}

// Error writes the problem as file:line: severity: message (rule).
func (p Problem) Error() string {
	s := p.File
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line)
	}
	if s != "" {
		s += ": "
	}
	s += p.Severity.String() + ": " + p.Message
	if p.Rule != "" {
		s += " (rule " + p.Rule + ")"
	}
	return s
}

// lineError is what parsing functions return: a reason and where it lies.
type lineError struct {
	line int
	msg  string
}

func (e *lineError) Error() string { return e.msg }
