package posix

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// zshFlags applies the flags of ${(flags)name} (zshexpn(1), Parameter
// Expansion Flags). Flags that only change the form of the words are ignored;
// those that evaluate text are followed.
func (e *evaluator) zshFlags(st *shell.State, flags string, x expanded) expanded {
	for _, f := range flags {
		switch f {
		case 'e': // expansions inside the value are performed
			x = x.each(func(v value.Value) value.Value { return e.prompt(st, v, &syntax.Lit{}) })
		case 'P': // indirection
			if name, known := x.value().Known(); known {
				x = e.lookup(st, name, nil)
				x.name = name
			}
		case 'U':
			x = x.each(func(v value.Value) value.Value { return v.Map(strings.ToUpper, value.AnyText) })
		case 'L':
			x = x.each(func(v value.Value) value.Value { return v.Map(strings.ToLower, value.AnyText) })
		case 'f', 'z', 's', '0':
			x = splitList(x, map[rune]string{'f': "\n", 'z': " ", 's': ":", '0': "\x00"}[f])
		case '@':
			x.isList = true
		case 'k':
			x = x.each(func(v value.Value) value.Value { return value.Unknown(risk.CauseUnknown, x.name).With(v.Taint()) })
		}
	}
	return x
}

func splitList(x expanded, sep string) expanded {
	out := expanded{isList: true, name: x.name, unset: x.unset}
	for _, v := range x.list {
		for _, piece := range v.Split(sep) {
			if !piece.Empty() && len(out.list) < maxFanOut {
				out.list = append(out.list, piece)
			}
		}
	}
	return out
}

// modify applies a history-style modifier: ${x:h}, ${x:t}, ${x:r}, ${x:e}.
func modify(m string, x expanded) expanded {
	if m == "" {
		return x
	}
	g := map[byte]func(string) string{
		'h': path.Dir,
		't': path.Base,
		'r': func(s string) string { return strings.TrimSuffix(s, path.Ext(s)) },
		'e': func(s string) string { return strings.TrimPrefix(path.Ext(s), ".") },
		'l': strings.ToLower,
		'u': strings.ToUpper,
	}[m[0]]
	if g == nil {
		return x.each(func(v value.Value) value.Value { return value.Unknown(risk.CauseOther, x.name).With(v.Taint()) })
	}
	shape := value.AnyText
	if m[0] == 't' {
		shape = value.Word
	}
	return x.each(func(v value.Value) value.Value { return v.Map(g, shape) })
}

// ztcp opens a connection to HOST [PORT], or with -l listens on PORT, and with
// -a accepts one; the descriptor is in $REPLY (zshmodules(1), zsh/net/tcp).
func (e *evaluator) ztcp(st *shell.State, inv *shell.Invocation, io ioctx) {
	fd, listens, done := "12", false, false
	words := inv.Argv[1:]
	for len(words) > 0 {
		text, known := words[0].Value.Known()
		if !known || len(text) < 2 || text[0] != '-' {
			break
		}
		listens = listens || strings.ContainsAny(text, "la")
		done = done || strings.ContainsAny(text, "cLt")
		if words = words[1:]; strings.HasSuffix(text, "d") && len(words) > 0 {
			fd, _ = words[0].Value.Known()
			words = words[1:]
		}
	}
	st.Status = shell.Perhaps
	if done || len(words) == 0 {
		return
	}
	var in value.Value
	if listens {
		e.m.Effect(st, inv.Span, shell.Effect{Verb: risk.NetListen, Target: words[0].Value})
		in = value.Unknown(risk.CauseInput, "a connection").With(value.Network)
	} else {
		port := value.Lit("23")
		if len(words) > 1 {
			port = words[1].Value
		}
		in = e.m.Connect(st, inv.Span, value.Concat(words[0].Value, value.Lit("/"), port))
	}
	path := value.Concat(value.Lit("/dev/tcp/"), words[0].Value)
	e.setFD(&io, fd, target{in: in, hasIn: true, net: true, sink: &shell.Sink{Net: true, Path: &path}})
	e.fds = io.fds
	st.Vars.Assign("REPLY", value.Lit(fd))
}
