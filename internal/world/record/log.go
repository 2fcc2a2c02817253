package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/heedsh/heed/internal/world"
)

// ErrNotRecorded says that a replayed world was asked what nobody asked when
// it was recorded.
var ErrNotRecorded = errors.New("not recorded")

// A Log holds questions and answers. It may be used by several goroutines.
type Log struct {
	user     world.User
	os, host string

	mu      sync.Mutex
	answers map[string]*answer
	repos   map[string]world.Repo // of the world that is recorded, by git directory
	missed  map[string]bool
}

// An answer is a value, an error or both. The value is in the form it was given
// in, or still JSON until somebody asks for it.
type answer struct {
	value any
	raw   json.RawMessage
	err   error
}

// Len returns the number of distinct questions.
func (l *Log) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.answers)
}

// Missed lists the questions that replays could not answer, sorted.
func (l *Log) Missed() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.missed))
}

// A source is where answers come from: a Log, and if it is live then also what
// is behind it.
type source struct {
	log  *Log
	live bool
}

// ask returns the answer to a question, from the Log if it is there.
func ask[T any](s source, live func() (T, error), method string, args ...any) (T, error) {
	key := question(method, args)
	if v, err, ok := recall[T](s.log, key); ok {
		return v, err
	}
	if !s.live {
		var nothing T
		s.log.miss(key)
		return nothing, fmt.Errorf("%w: %s", ErrNotRecorded, key)
	}
	v, err := live()
	return keep(s.log, key, v, err)
}

// question spells a question, so that equal ones are equal and no byte is lost.
func question(method string, args []any) string {
	b := []byte(method)
	for _, a := range args {
		switch a := a.(type) {
		case string:
			b = strconv.AppendQuote(append(b, ' '), a)
		case []string:
			b = append(b, " ["...)
			for _, s := range a {
				b = strconv.AppendQuote(append(b, ' '), s)
			}
			b = append(b, " ]"...)
		default:
			b = fmt.Append(append(b, ' '), a)
		}
	}
	return string(b)
}

// recall looks a question up.
func recall[T any](l *Log, key string) (v T, err error, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a, ok := l.answers[key]
	if !ok {
		return v, nil, false
	}
	if v, ok = a.value.(T); ok {
		return v, a.err, true
	}
	if err := a.decode(&v); err != nil {
		return v, fmt.Errorf("the recorded answer to %s is damaged: %w", key, err), true
	}
	a.value, a.raw = v, nil
	return v, a.err, true
}

func (a *answer) decode(to any) error {
	if err := json.Unmarshal(a.raw, to); err != nil {
		return err
	}
	return mapStrings(reflect.ValueOf(to).Elem(), unescape)
}

// keep notes an answer, unless somebody else has been told another one in the
// meantime: the first answer is the answer.
func keep[T any](l *Log, key string, v T, err error) (T, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if a, ok := l.answers[key]; ok {
		return a.value.(T), a.err
	}
	l.answers[key] = &answer{value: v, err: err}
	return v, err
}

func (l *Log) miss(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.missed == nil {
		l.missed = make(map[string]bool)
	}
	l.missed[key] = true
}

// meet remembers a repository of the recorded world and returns its name.
func (l *Log) meet(in world.Repo) string {
	dir := in.GitDir()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.repos[dir] == nil {
		l.repos[dir] = in
	}
	return dir
}

// met returns a repository that was met; nil in a replay.
func (l *Log) met(dir string) world.Repo {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.repos[dir]
}
