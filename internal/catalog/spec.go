package catalog

import (
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/heedsh/heed/risk"
)

// A Program is the compiled form of one spec file.
type Program struct {
	Names   []string // the first is the one to show
	Source  string   // the manual that the spec was written from
	Command          // the program itself, without subcommands
}

// A Command is a program or a subcommand: a grammar and what it means.
type Command struct {
	Name     string // as matched: may hold * and alternatives separated by spaces
	Summary  string // verb first, present tense, no target: "Lists files"
	Syntax   Syntax
	Options  []Option
	Operands []Operand
	Effects  []Rule
	Settings []Setting
	Sub      []*Subcommand
	Traits   []TraitRule
	Prints   Output
	Wrap     Wrap
	Hook     string // the Go function that says the rest, or ""
	Kept     *Kept  // its Notes; nil where there are none
}

// A Subcommand is known by its name and read when it is asked for: git has two
// hundred, and a command line names one or two of them.
type Subcommand struct {
	Name    string // its command's name
	encoded string
	command atomic.Pointer[Command]
}

// NewSubcommand returns c as a subcommand.
func NewSubcommand(c Command) *Subcommand {
	s := &Subcommand{Name: c.Name}
	s.command.Store(&c)
	return s
}

// Command is what s means. It is the same one each time.
func (s *Subcommand) Command() *Command {
	if c := s.command.Load(); c != nil {
		return c
	}
	c := new(Command)
	d := decoder{data: s.encoded}
	d.value(reflect.ValueOf(c).Elem())
	c.Name = s.Name
	s.command.CompareAndSwap(nil, c)
	return s.command.Load()
}

// Syntax is how a command reads its argument vector. The zero Syntax is GNU
// getopt_long: clusters, attached values, unique abbreviations of long
// options, options anywhere, `--` ends them.
type Syntax uint32

// The departures from getopt_long.
const (
	// PosixOrder ends the options at the first operand (wrappers: env, xargs).
	PosixOrder Syntax = 1 << iota
	// SingleDash reads -word as one long option (find, java, terraform).
	SingleDash
	// NoAbbreviation accepts long options only in full.
	NoAbbreviation
	// PlusOptions reads +x as an option as well.
	PlusOptions
	// KeyValue reads key=value operands as options named "key=" (dd).
	KeyValue
	// BareCluster reads a first argument without a dash as a cluster (tar xf, ps aux).
	BareCluster
	// GlobalFirst accepts the command's own options only before the
	// subcommand; otherwise they are accepted after it too.
	GlobalFirst
	// NoOptions reads every argument as an operand.
	NoOptions
	// NoDashDash does not treat `--` specially.
	NoDashDash
	// NoHelp means that --help and --version are not recognised as such.
	NoHelp
	// ShortHelp means that -h asks for help.
	ShortHelp
	// SlashOptions reads /x as an option (programs from Windows).
	SlashOptions
	// AnyOption accepts options that the spec does not list, without a value.
	AnyOption
	// Parameters says of options that the spec does not list, and that AnyOption
	// accepts, that they are parts of a request or a query: where no word of
	// their names says otherwise, they are understood.
	Parameters
	// ReadOptions says that the options that the spec does not list, and that
	// AnyOption accepts, were read in the manual and do nothing that matters:
	// those of one letter are understood, longer ones where no word of their
	// names says otherwise.
	ReadOptions
	// FoldCase ignores case in options and subcommands.
	FoldCase
	// HookedHelp calls the hook for help too: help runs programs that settings name.
	HookedHelp
	// ShortWords takes the beginning of a subcommand's name for it, where no other
	// begins so (btrfs su l, hg stat).
	ShortWords
	// ShortEquals leaves out the = between an option of one letter and its value
	// (kubectl -n=web), as the parsers of Go, Rust and Python do and getopt does not.
	ShortEquals
)

// SyntaxNames maps the words of a spec's `syntax` list to their bits.
func SyntaxNames() map[string]Syntax {
	return map[string]Syntax{
		"posix-order": PosixOrder, "single-dash": SingleDash, "no-abbreviation": NoAbbreviation,
		"plus-options": PlusOptions, "key-value": KeyValue, "bare-cluster": BareCluster,
		"global-first": GlobalFirst, "no-options": NoOptions, "no-dash-dash": NoDashDash,
		"no-help": NoHelp, "short-help": ShortHelp, "slash-options": SlashOptions,
		"any-option": AnyOption, "parameters": AnyOption | Parameters, "read-options": AnyOption | ReadOptions, "fold-case": FoldCase, "hooked-help": HookedHelp, "short-words": ShortWords, "short-equals": ShortEquals,
	}
}

// An Option is one option in all its spellings.
type Option struct {
	Names []string // with their dashes: -r, --recursive, -name, of=
	Sets  []string // flags that its presence sets
	Value *Arg     // nil: it takes no value
	// Optional means that a value counts only when attached (--color=auto, -i.bak).
	Optional bool
	// Of are those that have it, of programs that share a spec; none: all.
	Of []string
}

// belongs reports whether a program called by this name has the option; "" stands for
// any.
func (o *Option) belongs(name string) bool {
	return len(o.Of) == 0 || name == "" || slices.Contains(o.Of, name)
}

// An Arg is a place where a word goes, and what the word is to the program.
type Arg struct {
	Name string // how effects refer to it
	Role Role
	Lang string // for Code, Script and Shell; for Exec see [Reader]
	List string // separator, if the word is a list
	// Lists names the operand that the names in this file are for.
	Lists string
	// Until ends the words of an option that takes several: words that stand at
	// the end of them, separated by |, as ";|{} +" for find -exec.
	Until string
	// Flat says that a directory does not go with all that is in it: what
	// deletes it takes files only, or empty directories.
	Flat bool
	When Cond
	// Among are the words that the program takes there and no others, with patterns,
	// separated by |; "" for any.
	Among string
	// Words is how many words an option takes that takes several; 0 for one. An optional
	// value with 1 may also stand in the next word, where that is no option itself.
	Words uint8
}

// An Operand is an argument that is not an option.
type Operand struct {
	Arg
	Many     bool
	Optional bool
	Rest     bool   // all that remains, options included
	Default  string // the word assumed when there is none
}

// A Rule is an effect that a spec states outright.
type Rule struct {
	Verb    risk.Verb // either a verb
	Role    Role      // or a role, for a named argument
	Target  string    // name of an argument, "stdin", a literal after "=", or ""
	Carries []string  // names of arguments, or "stdin", whose contents flow into the target
	Kind    risk.Kind
	Lang    string
	Flat    bool // as of an Arg, of what a rule deletes
	When    Cond
}

// Output says what a command prints when that is more than plain text.
type Output string

// The shapes of output.
const (
	PrintsText    Output = ""
	PrintsNothing Output = "nothing" // unless it fails, or is asked to
	PrintsWord    Output = "word"    // one word without slash, space or leading dash
	PrintsNumber  Output = "number"  // digits
	PrintsPaths   Output = "paths"   // paths below its operands
	PrintsTargets Output = "targets" // where such paths lead, which may be elsewhere
	PrintsProgram Output = "program" // where the programs are that its operand names
	PrintsTemp    Output = "temp"    // the path of something new under the temp directory
	PrintsSetup   Output = "setup"   // shell code for eval, of the program's own making
	PrintsNames   Output = "names"   // file names in the directory operand
	PrintsNetwork Output = "network" // what the network sent
	PrintsSecret  Output = "secret"  // a credential
	PrintsPrivate Output = "private" // personal or machine state
)

// Role is what a word is to a program.
type Role uint8

// The roles.
const (
	Data      Role = iota // text: means nothing to the machine
	Pattern               // a pattern to match with
	Reads                 // a file that is read, its contents not shown
	Shows                 // a file whose contents reach standard output
	Writes                // a file that gets new content
	Appends               // a file that content is added to
	Creates               // a name that comes into being
	Deletes               // a name that goes away
	Moves                 // a file that is taken away from where it is
	Attr                  // a file whose mode, owner, times or labels change
	Uploads               // a file whose contents are sent out
	URL                   // where something is fetched from
	Host                  // a machine to connect to
	Argv                  // a command line: this word and those after it
	Shell                 // shell text that is run
	Code                  // code in Lang that is run
	Script                // a file of code in Lang that is run
	Exec                  // a program, by name or path, that is run
	Config                // a configuration file that is loaded
	Plugin                // native code or a module that is loaded
	SecretArg             // a credential given as a word
	Dir                   // the directory in which the command works
	Process               // a process id or name
	Object                // something a service or database holds
)

// RoleNames maps the words of a spec to roles.
func RoleNames() map[string]Role {
	return map[string]Role{
		"data": Data, "pattern": Pattern, "reads": Reads, "shows": Shows, "writes": Writes, "appends": Appends,
		"creates": Creates, "deletes": Deletes, "moves": Moves, "attr": Attr, "uploads": Uploads, "url": URL,
		"host": Host, "argv": Argv, "shell": Shell, "code": Code, "script": Script, "exec": Exec,
		"config": Config, "plugin": Plugin, "secret": SecretArg, "dir": Dir, "process": Process, "object": Object,
	}
}

// OfFile reports whether a word of the role names a file.
func (r Role) OfFile() bool {
	switch r {
	case Reads, Shows, Writes, Appends, Creates, Deletes, Moves, Attr, Uploads, Script, Exec, Config, Plugin, Dir:
		return true
	}
	return false
}

// acts reports whether a word of that role is written, taken away, run or loaded.
func (r Role) acts() bool {
	switch r {
	case Writes, Appends, Creates, Deletes, Moves, Attr, Argv, Shell, Code, Script, Exec, Config, Plugin:
		return true
	}
	return false
}

// Wrap says under which circumstances the commands that a program runs are
// run: sudo makes them privileged, ssh runs them elsewhere.
type Wrap struct {
	Privileged bool
	Host       string // name of the argument that names the other machine
	Container  string // name of the argument that names the image or container
	Dir        string // name of the argument that names the directory
	Remote     bool   // run on another machine even where Host is not given
	Secrets    string // name of the argument by which their environment is given secrets, or "true" without one
}

// Flag reports whether an option of the command sets a flag.
func (c *Command) Flag(name string) bool {
	return slices.ContainsFunc(c.Options, func(o Option) bool { return slices.Contains(o.Sets, name) })
}
