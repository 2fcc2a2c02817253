package export

import (
	"fmt"
	"io"
	"iter"

	"github.com/heedsh/heed/internal/audit"
)

// A Format is a way to write rows.
type Format string

// The formats.
const (
	JSONL Format = "jsonl"
	OCSF  Format = "ocsf"
	OTLP  Format = "otlp"
)

// Formats lists them.
func Formats() []Format { return []Format{JSONL, OCSF, OTLP} }

// A Source is what rows come from.
type Source struct {
	Version string // of heed
	Host    string // the machine's name; may be empty
	System  string // as Go calls it: linux, darwin, windows
	User    string // the account's name; may be empty
}

// An encoder writes rows. flush ends what is still being gathered.
type encoder interface {
	row(r *audit.Row) error
	flush() error
}

// Write writes rows and counts them. A damaged row is told of and left out: damaged,
// which may be nil, gets its error. Any other error ends the export.
func Write(w io.Writer, f Format, from Source, rows iter.Seq2[audit.Row, error], damaged func(error)) (n int, err error) {
	out := lines{w}
	var e encoder
	switch f {
	case JSONL:
		e = jsonl{out}
	case OCSF:
		e = ocsf{out, from}
	case OTLP:
		e = &otlp{out: out, from: from}
	default:
		return 0, fmt.Errorf("the format %.40q: want one of %v", string(f), Formats())
	}
	for r, err := range rows {
		switch {
		case audit.IsDamage(err):
			if damaged != nil {
				damaged(err)
			}
			continue
		case err != nil:
			return n, err
		}
		if err := e.row(&r); err != nil {
			return n, err
		}
		n++
	}
	return n, e.flush()
}

// lines writes values as JSON, one a line.
type lines struct{ w io.Writer }

func (l lines) write(v any) error {
	text, err := audit.Canonical(v)
	if err != nil {
		return fmt.Errorf("writing the export: %w", err)
	}
	if _, err := l.w.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("writing the export: %w", err)
	}
	return nil
}

// jsonl writes rows as the log has them, byte for byte.
type jsonl struct{ out lines }

func (j jsonl) row(r *audit.Row) error { return j.out.write(r) }
func (j jsonl) flush() error           { return nil }

// body is a row in canonical form without its hash: what the hash is made of.
func body(r *audit.Row) (string, error) {
	plain := *r
	plain.Hash = ""
	text, err := audit.Canonical(plain)
	if err != nil {
		return "", fmt.Errorf("writing the export: %w", err)
	}
	return string(text), nil
}

// head is the log's head as of a row.
func head(r *audit.Row) string { return audit.Head{Seq: r.Seq, Hash: r.Hash}.String() }
