package risk

// A Cause says why a part of a value is not known.
type Cause uint8

// The causes. Those behind [CauseOther] are told of values only: an effect
// whose target has such a part says "other".
const (
	NoCause          Cause = iota // all is known
	CauseUnset                    // a variable that is not set
	CauseOutput                   // the output of a command
	CauseFile                     // the contents of a file
	CauseInput                    // standard input
	CauseMatch                    // one of the names that a pattern or search finds
	CausePlaceholder              // a word like <name>, for a person to fill in
	CauseExpression               // computed by code that is read
	CauseSetup                    // shell code that a known program prints to be evaluated
	CauseWord                     // something, but one plain word: it names no directory and is not empty
	CauseGiven                    // a variable or an argument that whoever runs the file gives it
	CauseOther                    // anything else: computed in a way that is not followed, or too large to carry
	CauseUnknown                  // a variable whose value is not known here
	CauseArg                      // a positional parameter
	CauseLoop                     // changes from one turn of a loop to the next
)

var causes = [...]string{
	NoCause: "", CauseUnset: "unset", CauseOutput: "output", CauseFile: "file", CauseInput: "input", CauseMatch: "match",
	CausePlaceholder: "placeholder", CauseExpression: "expression", CauseSetup: "setup", CauseWord: "word", CauseGiven: "given", CauseOther: "other",
	CauseUnknown: "variable", CauseArg: "argument", CauseLoop: "loop",
}

// Causes lists the causes that an effect can have.
func Causes() []Cause {
	return []Cause{CauseUnset, CauseOutput, CauseFile, CauseInput, CauseMatch, CausePlaceholder, CauseExpression, CauseSetup, CauseWord, CauseGiven, CauseOther}
}

// String returns the cause's word.
func (c Cause) String() string { return name(causes[:], int(c), "cause") }

// MarshalText writes the cause's word.
func (c Cause) MarshalText() ([]byte, error) { return marshal(causes[:], int(c), "cause") }

// UnmarshalText reads a cause's word.
func (c *Cause) UnmarshalText(text []byte) error { return unmarshal(causes[:], text, c, "cause") }

// A Role says what an unknown was meant to be.
type Role uint8

// The roles of what is not known.
const (
	RoleCode        Role = iota + 1 // code that would be run
	RoleProgram                     // a program
	RoleOption                      // an option of a program that its spec does not list
	RoleSubcommand                  // a subcommand of a program that its spec does not list
	RoleOperand                     // an operand in a place that its spec gives no meaning
	RoleParse                       // text that cannot be parsed
	RolePlaceholder                 // a word like <name>, for a person to fill in
	RoleBudget                      // what lies beyond a bound
	RoleScript                      // a file of shell code
	RoleUnset                       // a variable that is not set, where the shell stops at one
	RoleSpec                        // a spec that is broken
	RoleRule                        // a file of rules that is broken
	RoleVariable                    // a variable that is set for a program whose spec does not say what it does
)

var roles = [...]string{
	"", RoleCode: "code", RoleProgram: "program", RoleOption: "option", RoleSubcommand: "subcommand", RoleOperand: "operand",
	RoleParse: "parse", RolePlaceholder: "placeholder", RoleBudget: "budget", RoleScript: "script", RoleUnset: "unset", RoleSpec: "spec", RoleRule: "rule", RoleVariable: "variable",
}

// String returns the role's word.
func (r Role) String() string { return name(roles[:], int(r), "role") }

// MarshalText writes the role's word.
func (r Role) MarshalText() ([]byte, error) { return marshal(roles[:], int(r), "role") }

// UnmarshalText reads a role's word.
func (r *Role) UnmarshalText(text []byte) error { return unmarshal(roles[:], text, r, "role") }
