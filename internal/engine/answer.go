package engine

import (
	"cmp"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/pure"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// answer says how a program ends that a line asks before it goes on, where that follows
// from the files as they are: why it fails (unmet), or why it succeeds (met). Either may
// be otherwise when the line runs.
func (o outlook) answer(p program) (unmet, met *risk.Ending) {
	if o.inv.Turns || len(o.inv.Argv) > maxAsked || !o.understood() || !o.Settled() {
		return nil, nil
	}
	if o.r.Prints == catalog.PrintsProgram {
		return o.noneInstalled(), nil
	}
	if !pure.Answers(p.name) {
		return nil, nil
	}
	in, taint, ok := pureInput(o.machine, o.st, o.inv, p)
	if !ok || !o.Spend(2+len(in.Stdin)/4096) {
		return nil, nil
	}
	in.ReadFile = func(name string) ([]byte, error) {
		b, t, err := o.sc.ReadFile(o.st, name)
		taint |= t
		return b, err
	}
	in.Interp, in.Ending = false, true
	out, ok := runPure(in, o.st, o.inv)
	if !ok || taint.Has(value.Network) || taint.Has(value.Secret) {
		return nil, nil
	}
	end := &risk.Ending{How: risk.EndIdle, Asked: true}
	files := o.asWritten(out.Files)
	switch out.Answer {
	case pure.Found:
		end.Because = p.name + " finds something in " + cmp.Or(files, "what it is given")
	case pure.NotFound:
		end.Because = p.name + " finds nothing in " + cmp.Or(files, "what it is given")
	case pure.Same:
		end.Because = cmp.Or(files, "what is compared") + " are the same"
	case pure.Different:
		end.Because = cmp.Or(files, "what is compared") + " differ"
	default:
		return nil, nil
	}
	if out.Status == 0 {
		return nil, end
	}
	return end, nil
}

// asWritten names one or two files as they are told, "" if that would be long.
func (o outlook) asWritten(files []string) string {
	if len(files) == 0 || len(files) > 2 {
		return ""
	}
	dir, _ := o.st.Dir.Known()
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimPrefix(f, strings.TrimSuffix(dir, "/")+"/"))
	}
	if text := strings.Join(names, " and "); len(text) <= maxNamed {
		return text
	}
	return ""
}

// maxNamed is how long the names of files may be to be told, in bytes.
const maxNamed = 60

// noneInstalled says why a program finds no other of the names that it is given.
func (o outlook) noneInstalled() *risk.Ending {
	names := o.r.Match.Operands()
	if len(names) != 1 {
		return nil
	}
	name, known := names[0].Known()
	if !known || !o.st.Lacks(name) || len(name) > maxNamed {
		return nil
	}
	return &risk.Ending{How: risk.EndIdle, Because: "there is no program " + name, Asked: true}
}
