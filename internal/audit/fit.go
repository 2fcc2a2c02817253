package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/mask"
)

// The bounds of what a row holds, in bytes and in entries of a list.
const (
	maxCommand = 16 << 10
	maxReason  = 4 << 10 // also of directories
	maxText    = 1 << 10
	maxEntries = 32
	maxEntry   = 64
)

// fit makes a row that can be kept: of a kind that callers append, without what
// looks like a secret, text only, and no longer than it may be. It changes
// nothing that the caller still has.
func fit(r Row) (Row, error) {
	if !r.Kind.known() {
		return r, &Fault{Trouble: Unfit, Doing: "recording a row", What: fmt.Sprintf("the kind %.40q: want one of %v", string(r.Kind), Kinds())}
	}
	r.Chain, r.Hash, r.ID, r.Prev, r.Seq, r.Time, r.V = "", "", "", "", 0, 0, version
	r.Mended, r.Pruned, r.Torn, r.Cut = nil, nil, nil, nil
	masked := mask.Text(r.Command)
	r.Masked = r.Masked || masked != r.Command
	r.Command = masked
	for _, f := range []struct {
		name string
		text *string
		most int
	}{
		{"command", &r.Command, maxCommand},
		{"dir", &r.Dir, maxReason},
		{"reason", &r.Reason, maxReason},
		{"agent", &r.Agent, maxText},
		{"by", &r.By, maxText},
		{"catalog", &r.Catalog, maxText},
		{"decision", &r.Decision, maxText},
		{"digest", &r.Digest, maxText},
		{"level", &r.Level, maxText},
		{"provenance", &r.Provenance, maxText},
		{"request", &r.Request, maxText},
		{"rule", &r.Rule, maxText},
		{"session", &r.Session, maxText},
		{"shell", &r.Shell, maxText},
		{"summary", &r.Summary, maxText},
		{"tier", &r.Tier, maxText},
	} {
		*f.text = mask.Text(*f.text)
		if short := shorten(*f.text, f.most); short != *f.text {
			*f.text = short
			r.Cut = append(r.Cut, f.name)
		}
		*f.text = plain(*f.text)
	}
	r.ASI, r.ATTACK = r.list("asi", r.ASI), r.list("attack", r.ATTACK)
	r.Decisive, r.Programs = r.list("decisive", r.Decisive), r.list("programs", r.Programs)
	if len(r.Whole) > 0 {
		whole, err := cleanJSON(r.Whole, mask.Text)
		if err != nil {
			return r, &Fault{Trouble: Unfit, Doing: "recording a row", What: "the whole assessment is no JSON", Err: err}
		}
		r.Whole = whole
	}
	slices.Sort(r.Cut)
	return r, nil
}

// list makes a list fit.
func (r *Row) list(name string, all []string) []string {
	if len(all) == 0 {
		return nil
	}
	out := make([]string, 0, min(len(all), maxEntries))
	for _, text := range all[:min(len(all), maxEntries)] {
		out = append(out, plain(shorten(mask.Text(text), maxEntry)))
	}
	if !slices.Equal(out, all) && !slices.Contains(r.Cut, name) {
		r.Cut = append(r.Cut, name)
	}
	return out
}

// shorten takes out the middle of a text that is longer than most bytes.
func shorten(text string, most int) string {
	const gap = " … "
	if len(text) <= most {
		return text
	}
	front, back := text[:most*3/4-len(gap)], text[len(text)-most/4:]
	for len(front) > 0 && !endsWhole(front) {
		front = front[:len(front)-1]
	}
	for len(back) > 0 && !utf8.RuneStart(back[0]) {
		back = back[1:]
	}
	return front + gap + back
}

// endsWhole reports whether a text does not end within a character.
func endsWhole(text string) bool {
	r, n := utf8.DecodeLastRuneInString(text)
	return r != utf8.RuneError || n != 1 || text[len(text)-1] < 0x80
}

// cleanJSON brings JSON into canonical form, with every string, but not the names
// of members, through a function.
func cleanJSON(text []byte, clean func(string) string) (json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // a number stays as Go wrote it, which is as RFC 8785 has it
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("reading JSON: %w", err)
	}
	return Canonical(cleanStrings(v, clean))
}

func cleanStrings(v any, clean func(string) string) any {
	switch v := v.(type) {
	case string:
		return clean(v)
	case []any:
		for i := range v {
			v[i] = cleanStrings(v[i], clean)
		}
	case map[string]any:
		for name := range v {
			v[name] = cleanStrings(v[name], clean)
		}
	}
	return v
}

// line writes a fit row as a line. What makes it too long is left out.
func (r *Row) line() ([]byte, error) {
	out, err := seal(r)
	if err == nil && len(out) > maxLine && r.Whole != nil {
		r.Whole = nil
		r.Cut = append(slices.Clone(r.Cut), "whole")
		out, err = seal(r)
	}
	if err == nil && len(out) > maxLine {
		return nil, &Fault{Trouble: Unfit, Doing: "recording a row", What: fmt.Sprintf("it is longer than %d KiB: %s", maxLine>>10, strings.Join(r.Cut, ", "))}
	}
	return out, err
}
