package posix

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/wire"
	"github.com/heedsh/heed/risk"
)

// What this front keeps of a session behind a snapshot: options and streams.

// optionWords are the names of the options, in the order of their fields.
var optionWords = []string{
	"errexit", "nounset", "xtrace", "noglob", "pipefail", "nullglob", "dotglob", "globstar", "expand_aliases", "noexec",
	"allexport", "noclobber", "nocaseglob", "nocasematch", "shwordsplit", "globsubst", "ksharrays", "extendedglob",
	"keyword", "physical", "cdable_vars", "lastpipe", "execfail", "promptsubst",
}

func (o *options) flags() []*bool {
	return []*bool{
		&o.errExit, &o.noUnset, &o.trace, &o.noGlob, &o.pipeFail, &o.nullGlob, &o.dotGlob, &o.globStar, &o.expandAliases, &o.noExec,
		&o.allExport, &o.noClobber, &o.noCaseGlob, &o.noCaseMatch, &o.wordSplit, &o.globSubst, &o.kshArrays, &o.extendedGlob,
		&o.keyword, &o.physical, &o.cdableVars, &o.lastPipe, &o.execFail, &o.promptSubst,
	}
}

// Marshal implements [shell.Own].
func (s *session) Marshal() []byte {
	var w wire.Writer
	var on []string
	for i, flag := range s.options.flags() {
		if *flag {
			on = append(on, optionWords[i])
		}
	}
	w.Strings(on)
	w.Bool(s.lost)
	sinks := s.sinks()
	w.Count(len(sinks))
	for _, sink := range sinks {
		writeSink(&w, sink)
	}
	number := func(sink *shell.Sink) int { return slices.Index(sinks, sink) + 1 } // 0: none
	w.Count(len(s.fds))
	for _, fd := range slices.Sorted(maps.Keys(s.fds)) {
		t := s.fds[fd]
		w.String(fd)
		w.Count(number(t.sink))
		t.in.Write(&w)
		w.Bool(t.hasIn)
		w.Bool(t.net)
	}
	w.Bool(len(s.turned) > 0)
	for _, t := range s.turned {
		w.Count(number(t.to))
	}
	w.Count(len(s.outputs))
	for _, path := range slices.Sorted(maps.Keys(s.outputs)) {
		w.String(path)
		w.String(s.outputs[path].source.Text)
		w.String(s.outputs[path].source.Dialect)
	}
	return w.Bytes()
}

// sinks lists what is open for writing; descriptors may share it.
func (s *streams) sinks() []*shell.Sink {
	var all []*shell.Sink
	add := func(sink *shell.Sink) {
		if sink != nil && !slices.Contains(all, sink) {
			all = append(all, sink)
		}
	}
	for _, fd := range slices.Sorted(maps.Keys(s.fds)) {
		add(s.fds[fd].sink)
	}
	for _, t := range s.turned {
		add(t.to)
	}
	return all
}

func writeSink(w *wire.Writer, s *shell.Sink) {
	w.Bool(s.Net)
	w.Bool(s.Path != nil)
	if s.Path != nil {
		s.Path.Write(w)
	}
	w.Bool(s.Add)
	w.Bool(s.Keep)
}

func readSink(r *wire.Reader) *shell.Sink {
	s := &shell.Sink{Net: r.Bool()}
	if r.Bool() {
		path := value.Read(r)
		s.Path = &path
	}
	if s.Add, s.Keep = r.Bool(), r.Bool(); s.Keep {
		s.Old = value.Unknown(risk.CauseFile, "") // what is there by now
	}
	return s
}

// ReadOwn implements [shell.Front].
func (front) ReadOwn(data []byte) (shell.Own, error) {
	r := wire.NewReader(data)
	s := &session{}
	for _, word := range r.Words(optionWords) {
		*s.options.flags()[slices.Index(optionWords, word)] = true
	}
	s.lost = r.Bool()
	var sinks []*shell.Sink
	for range r.Count() {
		if sinks = append(sinks, readSink(r)); r.Err() != nil {
			break
		}
	}
	numbered := func() *shell.Sink {
		switch n := r.Uint(); {
		case n > uint64(len(sinks)):
			r.Fail(errors.New("it names a stream that is not there"))
		case n > 0:
			return sinks[n-1]
		}
		return nil
	}
	r.Names(func(fd string) {
		if s.fds == nil {
			s.fds = map[string]*target{}
		}
		s.fds[fd] = &target{sink: numbered(), in: value.Read(r), hasIn: r.Bool(), net: r.Bool()}
	})
	if r.Bool() {
		s.turned = []turned{{to: numbered()}}
	}
	r.Names(func(path string) {
		if s.outputs == nil {
			s.outputs = map[string]*code{}
		}
		src := shell.Source{Text: r.String(), Dialect: r.String()}
		if c := again(src); c != nil {
			s.outputs[path] = c
		} else {
			s.lost = true
		}
	})
	if err := r.End(); err != nil {
		return nil, fmt.Errorf("options and descriptors: %w", err)
	}
	return s, nil
}
