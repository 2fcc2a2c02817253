package risk

import "slices"

// A Source is where what flows into a target comes from.
type Source struct {
	of   sourceKind
	name string
}

type sourceKind uint8

const (
	noSource sourceKind = iota
	fromNetwork
	fromEnvironment
	fromSecret
	fromNamed
)

// FromNetwork is what another machine sent.
func FromNetwork() Source { return Source{of: fromNetwork} }

// FromEnvironment is the environment of the command.
func FromEnvironment() Source { return Source{of: fromEnvironment} }

// FromSecret is a secret of which no name is known.
func FromSecret() Source { return Source{of: fromSecret} }

// From is a file, by its path, or a variable, with its dollar sign.
func From(name string) Source {
	if name == "" {
		return Source{}
	}
	return Source{fromNamed, name}
}

// IsZero reports whether nothing is said of where it comes from.
func (s Source) IsZero() bool { return s.of == noSource }

// Named returns the file or variable, if it is one.
func (s Source) Named() (name string, ok bool) { return s.name, s.of == fromNamed }

// sources are the words of the sources that have no name.
var sources = [...]string{fromNetwork: "network", fromEnvironment: "the environment", fromSecret: "a secret"}

// String returns the name, or the word for what has none.
func (s Source) String() string {
	if int(s.of) < len(sources) {
		return sources[s.of]
	}
	return s.name
}

// MarshalText writes what String returns.
func (s Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (s *Source) UnmarshalText(text []byte) error {
	if i := slices.Index(sources[:], string(text)); i > 0 {
		*s = Source{of: sourceKind(i)}
		return nil
	}
	*s = From(string(text))
	return nil
}

// A Remedy is what could bring a target back, or why nothing has to be.
type Remedy struct {
	by    remedyKind
	files string // of makers
}

type remedyKind uint8

const (
	noRemedy remedyKind = iota
	byGit
	byOrigin
	byLink
	byEmptyFile
	byEmptyDir
	byMakers
)

var remedies = [...]string{
	byGit: "git", byOrigin: "made by this command", byLink: "it is only a link", byEmptyFile: "it is empty", byEmptyDir: "an empty directory",
}

// The remedies that have no files.
var (
	RemedyGit   = Remedy{by: byGit}       // git has it as it is
	RemedyMade  = Remedy{by: byOrigin}    // this very command made it
	RemedyLink  = Remedy{by: byLink}      // it is only a link
	RemedyEmpty = Remedy{by: byEmptyFile} // it holds nothing
	RemedyDir   = Remedy{by: byEmptyDir}  // it goes only if it is an empty directory
)

// RemedyMakers is what says how to make the target anew: "package-lock.json".
func RemedyMakers(files string) Remedy {
	if files == "" {
		return Remedy{}
	}
	return Remedy{byMakers, files}
}

// IsZero reports whether there is none.
func (r Remedy) IsZero() bool { return r.by == noRemedy }

// String names the remedy as a sentence does.
func (r Remedy) String() string {
	if int(r.by) < len(remedies) {
		return remedies[r.by]
	}
	return r.files
}

// MarshalText writes what String returns.
func (r Remedy) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (r *Remedy) UnmarshalText(text []byte) error {
	if i := slices.Index(remedies[:], string(text)); i > 0 {
		*r = Remedy{by: remedyKind(i)}
		return nil
	}
	*r = RemedyMakers(string(text))
	return nil
}
