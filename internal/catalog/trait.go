package catalog

import "slices"

// A Trait is what is unusual about a program and matters to what is around it:
// to the pipe that it stands in, to the shell that waits for it, to what comes
// next. Specs say traits, on a condition where they hold on one; hooks add
// those that need more than options to tell.
type Trait uint64

// The traits.
const (
	// Ends: it stops by itself, whatever comes in and however long.
	Ends Trait = 1 << iota
	// Unending: what it prints never ends.
	Unending
	// Hoards: it keeps all of its input before it prints any of it.
	Hoards
	// KeepsLines: it keeps a line of its input, however long that is.
	KeepsLines
	// Swarms: it starts as many commands at a time as there are words in its input.
	Swarms
	// Limits: what it runs is under a limit of time.
	Limits
	// Instant: it takes next to no time.
	Instant
	// Detaches: what it starts goes on by itself.
	Detaches
	// Checkout: it copies a whole repository, or unpacks one.
	Checkout
	// Searches: it prints the lines that its argument "pattern" or "expression" matches.
	Searches
	// Filters: it prints what it reads, all or a part of it.
	Filters
	// WholeLines: what it prints of what it reads are lines as they come.
	WholeLines
	// Verbatim: it prints the files that it reads as they are.
	Verbatim
	// Echoes: it prints its words.
	Echoes
	// Talks: it only prints or compares its words, or looks them up: a file that
	// is named among them is not opened.
	Talks
	// Editor: it waits at the terminal, edits files, and can start a shell.
	Editor
	// MakesEmpty: the files that it makes are empty.
	MakesEmpty
	// Succeeds: it never fails.
	Succeeds
	// FailsAlways: it never succeeds.
	FailsAlways
	// Requests: its targets are addresses of the web.
	Requests
	// Wrapper: it stands in a project and is known by its name all the same.
	Wrapper
	// ShellWord: it is a part of the shell, which reads its words as its own.
	ShellWord
	// Environment: it prints the environment.
	Environment
	// Repeats: its words stand in what it prints, whatever else it does.
	Repeats
	// Reports: it prints on standard error, whatever becomes of its output.
	Reports
	// Pardons: a file that it is to read and that is not there is no failure.
	Pardons
	// FromPyPI and the others say which registry the names of packages or images
	// are of.
	FromPyPI
	FromNPM
	FromCrates
	FromRubyGems
	FromImages
	// Fetches: a file that it opens may be an address, which it fetches.
	Fetches
	// Commands: what comes in on standard input is commands of its own.
	Commands
	// Awaits: it ends when others have done something, who may have made or changed any file by then.
	Awaits
	// PassesStatus: it ends with the status of the one command that it runs.
	PassesStatus
)

// TraitNames maps the words of specs to traits.
func TraitNames() map[string]Trait {
	return map[string]Trait{
		"ends": Ends, "unending": Unending, "hoards": Hoards, "keeps-lines": KeepsLines, "swarms": Swarms, "limits": Limits, "instant": Instant,
		"detaches": Detaches, "checkout": Checkout, "searches": Searches, "filters": Filters, "whole-lines": WholeLines, "verbatim": Verbatim, "echoes": Echoes, "talks": Talks,
		"editor": Editor, "makes-empty": MakesEmpty, "succeeds": Succeeds, "fails": FailsAlways, "requests": Requests, "wrapper": Wrapper,
		"shell-word": ShellWord, "environment": Environment, "repeats": Repeats, "reports": Reports, "pardons": Pardons,
		"from-pypi": FromPyPI, "from-npm": FromNPM, "from-crates": FromCrates, "from-rubygems": FromRubyGems, "from-images": FromImages,
		"fetches": Fetches, "commands": Commands, "awaits": Awaits, "passes-status": PassesStatus,
	}
}

// Has reports whether t has one of the traits of u.
func (t Trait) Has(u Trait) bool { return t&u != 0 }

// A TraitRule is a trait with what it holds on.
type TraitRule struct {
	Trait Trait
	When  Cond
	Names []string // of those that share the spec; none: all
}

func (r *TraitRule) of(name string) bool { return len(r.Names) == 0 || slices.Contains(r.Names, name) }

// Always returns the traits that a program called by this name has whatever
// its words are.
func (p *Program) Always(name string) Trait {
	var t Trait
	for i := range p.Traits {
		if r := &p.Traits[i]; r.When.Op == Always && r.of(name) {
			t |= r.Trait
		}
	}
	return t
}

// traits are those that the matched words give a program called by this name.
func (m *Match) traits(name string) Trait {
	var t Trait
	for _, c := range m.Chain {
		for i := range c.Traits {
			if r := &c.Traits[i]; r.of(name) && r.When.Holds(m) {
				t |= r.Trait
			}
		}
	}
	return t
}
