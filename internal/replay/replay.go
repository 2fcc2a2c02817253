package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/heedsh/heed/internal/shell/fronts"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/record"
	"github.com/heedsh/heed/risk"
)

// format names the form of a record. A later form has another name.
const format = "heed-record/1"

// A Record is one assessment and what it was made from.
type Record struct {
	Request risk.Request
	Specs   []string // directories of the person's own specs
	World   *record.Log
	Answer  json.RawMessage // the assessment, in the form of Encode
}

// An Answerer assesses a request in a world, with the specs in these
// directories. Whatever else it asks is no part of a record, which names rules
// and models by their digests.
type Answerer func(ctx context.Context, w *world.World, req risk.Request, specs []string) risk.Assessment

type recordJSON struct {
	Format  string          `json:"format"`
	Request risk.Request    `json:"request"`
	Specs   []string        `json:"specs"`
	World   json.RawMessage `json:"world"`
	Answer  json.RawMessage `json:"answer"`
}

// New makes the record of an answer that was given in a recorded world. kept
// are the kinds of what looks like a secret and had to stay, because the answer
// depends on it. with is what answered.
func New(ctx context.Context, with Answerer, req risk.Request, specs []string, log *record.Log, answer risk.Assessment) (r *Record, kept []string, err error) {
	text, err := Encode(answer)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range maskings() {
		r = &Record{Request: m.request(req), Specs: specs, World: m.log(log), Answer: text}
		got, err := r.Replay(ctx, with)
		if err != nil {
			return nil, nil, err
		}
		if got.Identical {
			return r, m.keeps(req, log), nil
		}
	}
	return nil, nil, errors.New("keeping a record: the same request in the same world was answered differently, which is a fault of heed: please report it")
}

// Encode writes an assessment as `heed check --json` prints it, without the
// time that it took.
func Encode(a risk.Assessment) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(a); err != nil {
		return nil, fmt.Errorf("writing the assessment: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Marshal writes a record. Equal records give equal bytes.
func (r *Record) Marshal() ([]byte, error) {
	log, err := json.Marshal(r.World)
	if err != nil {
		return nil, fmt.Errorf("writing a record: %w", err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // the answer is kept as it was printed
	if err := e.Encode(recordJSON{format, record.Escape(r.Request), record.Escape(slices.Clone(r.Specs)), log, r.Answer}); err != nil {
		return nil, fmt.Errorf("writing a record: %w", err)
	}
	return b.Bytes(), nil
}

// Parse reads a record. What comes in may be damaged or made up; what is
// accepted can be answered from.
func Parse(data []byte) (*Record, error) {
	var in recordJSON
	var syntax *json.SyntaxError
	switch err := json.Unmarshal(data, &in); {
	case len(bytes.TrimSpace(data)) == 0:
		return nil, errors.New("it is empty: heed check --record writes records")
	case errors.As(err, &syntax) && syntax.Offset >= int64(len(bytes.TrimRight(data, " \t\r\n"))):
		return nil, errors.New("it ends too early: copy the whole file again")
	case err != nil:
		return nil, fmt.Errorf("it is no record of heed: %w", err)
	case in.Format == "":
		return nil, fmt.Errorf("it is no record of heed: it has no \"format\": %q", format)
	case in.Format != format:
		return nil, fmt.Errorf("it is a record in the form %.40q, and this heed reads %q: use the heed that wrote it", in.Format, format)
	case len(in.World) == 0 || string(in.World) == "null":
		return nil, errors.New(`it is no record of heed: it has no "world"`)
	}
	r := &Record{Request: in.Request, Specs: in.Specs, World: &record.Log{}}
	if err := r.World.UnmarshalJSON(in.World); err != nil {
		return nil, fmt.Errorf("its \"world\" is damaged: %w", err)
	}
	if _, err := r.World.Answers(); err != nil {
		return nil, fmt.Errorf("its \"world\" is damaged: %w", err)
	}
	if err := record.Unescape(&r.Request); err != nil {
		return nil, fmt.Errorf("its \"request\" is damaged: %w", err)
	}
	if err := record.Unescape(&r.Specs); err != nil {
		return nil, fmt.Errorf("its \"specs\" are damaged: %w", err)
	}
	if err := r.check(in.Answer); err != nil {
		return nil, err
	}
	return r, nil
}

// check refuses a request that heed would not have assessed, and an answer
// that is none.
func (r *Record) check(answer json.RawMessage) error {
	if _, ok := fronts.All().Dialect(r.Request.Shell); !ok && r.Request.Shell != "" {
		return fmt.Errorf("its \"request\" is for the shell %.40q, which heed does not read", r.Request.Shell)
	}
	for _, dir := range r.Specs {
		if !path.IsAbs(dir) {
			return fmt.Errorf("its \"specs\" name %.40q, which is no absolute path", dir)
		}
	}
	var a struct {
		risk.Assessment
		Tier *risk.Tier `json:"tier"`
	}
	if err := json.Unmarshal(answer, &a); err != nil || a.Tier == nil {
		return fmt.Errorf("its \"answer\" is no assessment: %w", cause(err))
	}
	var b bytes.Buffer
	if err := json.Compact(&b, answer); err != nil {
		return fmt.Errorf("its \"answer\" is no assessment: %w", err)
	}
	r.Answer = b.Bytes()
	return nil
}

func cause(err error) error {
	if err == nil {
		err = errors.New("it has no tier")
	}
	return err
}

// A Result is what a record answers with now.
type Result struct {
	risk.Assessment
	Recorded risk.Assessment // the answer that was given then
	// Identical says that both are the same, byte for byte.
	Identical bool
	// Same says that they are the same but for the names of what they were made
	// with: the versions of engine, catalog and rules.
	Same bool
	// Unanswered are the questions that this heed asks and the record does not
	// answer.
	Unanswered []string
}

// Replay answers from a record.
func (r *Record) Replay(ctx context.Context, with Answerer) (Result, error) {
	data, err := r.World.MarshalJSON() // a copy, so that a replay leaves no trace in the record
	if err != nil {
		return Result{}, fmt.Errorf("replaying: %w", err)
	}
	log := &record.Log{}
	if err := log.UnmarshalJSON(data); err != nil {
		return Result{}, fmt.Errorf("replaying: %w", err)
	}
	var out Result
	if err := json.Unmarshal(r.Answer, &out.Recorded); err != nil {
		return out, fmt.Errorf("replaying: reading the recorded answer: %w", err)
	}
	out.Assessment = with(ctx, record.Replay(log), r.Request, r.Specs)
	if err := ctx.Err(); err != nil {
		return out, fmt.Errorf("replaying: %w", err)
	}
	out.Unanswered = log.Missed()
	now, err := Encode(out.Assessment)
	if err != nil {
		return out, err
	}
	out.Identical = bytes.Equal(now, r.Answer)
	out.Same = out.Identical || same(now, r.Answer)
	return out, nil
}

// same compares two assessments without their inputs.
func same(a, b json.RawMessage) bool {
	x, errX := without(a, "inputs")
	y, errY := without(b, "inputs")
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

func without(text json.RawMessage, field string) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	delete(fields, field)
	return json.Marshal(fields)
}

// Differences says in words how an answer differs from the recorded one.
func (r *Result) Differences() []string {
	var out []string
	add := func(what string, was, is any) {
		if w, i := fmt.Sprint(was), fmt.Sprint(is); w != i {
			out = append(out, fmt.Sprintf("%s: was %s, is %s", what, orNone(w), orNone(i)))
		}
	}
	was, is := &r.Recorded, &r.Assessment
	add("tier", was.Tier, is.Tier)
	add("level", was.Level, is.Level)
	add("score", was.Score, is.Score)
	add("summary", was.Summary, is.Summary)
	add("error", was.Error, is.Error)
	add("effects", len(was.Effects), len(is.Effects))
	add("unknowns", len(was.Unknowns), len(is.Unknowns))
	if len(out) == 0 && !r.Same {
		out = append(out, "details of the assessment (compare --json with the record's \"answer\")")
	}
	return out
}

func orNone(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// MaxRecord is the longest record that is read, in bytes.
const MaxRecord = 256 << 20

// Read reads a record of at most MaxRecord bytes.
func Read(r io.Reader) (*Record, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxRecord+1))
	if err != nil {
		return nil, fmt.Errorf("reading it: %w", err)
	}
	if len(data) > MaxRecord {
		return nil, fmt.Errorf("it is longer than %d MiB", MaxRecord>>20)
	}
	return Parse(data)
}
