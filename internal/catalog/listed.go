package catalog

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Limits of a file that lists names.
const (
	maxListFile  = 256 << 10 // bytes
	maxListNames = 1000
)

// listed binds the names that a list has to the place that they are for: an
// option's value with "lists" is a file with a name in each line, or with NULs
// between them.
func (m *Match) listed(s *Site) {
	for i := range m.Args {
		b := m.Args[i]
		if b.Arg.Lists == "" {
			continue
		}
		at := slices.IndexFunc(m.Node().Operands, func(o Operand) bool { return o.Name == b.Arg.Lists })
		if at < 0 {
			continue
		}
		place := &m.Node().Operands[at].Arg
		m.Args = slices.DeleteFunc(m.Args, func(x Bound) bool { return x.Arg == place && x.Default })
		for _, name := range s.names(b.Value) {
			m.Args = append(m.Args, Bound{Arg: place, Value: name})
		}
		return
	}
}

// names are those that a list has; a value with a hole stands for those that
// are not known.
func (s *Site) names(list value.Value) []value.Value {
	unknown := []value.Value{value.Of(value.Hole{Cause: risk.CauseFile, Name: list.String(), Shape: value.AnyPath})}
	text := list
	name, known := list.Known()
	switch {
	case known && (name == "-" || name == "/dev/stdin"):
		if text = s.Stdin; !s.HasStdin {
			return unknown
		}
	case !known || s.World == nil || s.World.FS == nil || s.Dir == "" && !path.IsAbs(name):
		return unknown
	default:
		if !path.IsAbs(name) {
			name = path.Join(s.Dir, name)
		}
		b, err := s.World.FS.ReadFile(path.Clean(name), maxListFile)
		if err != nil {
			return unknown
		}
		text = value.Lit(string(b))
	}
	between := "\n"
	if strings.Contains(text.String(), "\x00") {
		between = "\x00"
	}
	names := slices.DeleteFunc(text.Split(between), value.Value.Empty)
	if len(names) > maxListNames {
		return append(names[:maxListNames], unknown...)
	}
	return names
}
