package catalog

import "slices"

// Hiding says what keeps the contents of what is read from whoever sees the
// output.
type Hiding uint8

// What hides.
const (
	Shown         Hiding = iota // nothing does
	HidDigest                   // a checksum of it is printed
	HidCount                    // numbers of it are printed: lines, bytes, matches
	HidStatus                   // only the exit status tells of it
	HidNames                    // names, sizes, modes and times are printed, no contents
	HidEncryption               // it comes out encrypted
	HidCarriage                 // it goes where the effects say that it is carried, not to the output
	HidUse                      // the program obeys it, and quotes none of it: keys, certificates, lists of exclusions
)

// HidingNames maps the words of specs to what hides.
func HidingNames() map[string]Hiding {
	return map[string]Hiding{
		"digest": HidDigest, "count": HidCount, "status": HidStatus, "names": HidNames, "encryption": HidEncryption, "carried": HidCarriage, "used": HidUse,
	}
}

// A Hide says that what is read is not shown.
type Hide struct {
	By   Hiding
	Of   []string // names of arguments, or "stdin"; none: all that is read
	When Cond
}

// Hidden says what hides the contents of what is read in the place of a named
// argument: the Arg of an effect, or "stdin". What is read and not hidden is
// shown.
func (r *Result) Hidden(arg string) Hiding {
	if r.Match == nil {
		return Shown
	}
	for _, c := range slices.Backward(r.Match.Chain) {
		n := c.Notes()
		for i := range n.Hides {
			h := &n.Hides[i]
			if (len(h.Of) == 0 || slices.Contains(h.Of, arg)) && h.When.surely(r.Match, r) {
				return h.By
			}
		}
	}
	return Shown
}

// Quotes reports whether the program may show what it is given in the place of
// a named argument, or on its standard input, which no effect says that it shows.
func (r *Result) Quotes(arg string) bool { return r.Hidden(arg) == Shown && !used(arg) }

// Tells reports whether the program may show the word that it is given in the place
// of a named argument that is no file: names and numbers of files are no answer
// that hides words.
func (r *Result) Tells(arg string) bool {
	h := r.Hidden(arg)
	return (h == Shown || h == HidNames || h == HidCount) && !used(arg)
}

// Names reports whether the program may name what it is given in the place of a
// named argument, where there is no such file.
func (r *Result) Names(arg string) bool { return r.Hidden(arg) != HidUse && !used(arg) }

// Refuses reports whether an argument of this name is by convention a word of a set
// form, a secret is none of it, and the program's message of error quotes it: timeout:
// invalid time interval ‘WORD’.
func (r *Result) Refuses(arg string) bool {
	switch arg {
	case "duration", "mode", "number", "owner", "time":
		return r.Tells(arg)
	}
	return false
}

// used reports whether an argument of this name is by convention something that
// a program obeys and does not quote: a key, a certificate, a list of names to
// pass over, an environment.
func used(arg string) bool {
	switch arg {
	case "key", "keys", "cert", "trust", "identity", "credential", "token", "password", "password-file", "passfile", "env-file", "exclusions", "ignore", "exclude", "recipients":
		return true
	}
	return false
}
