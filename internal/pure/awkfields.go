package pure

import (
	"strings"
)

const maxFields = 20000

// setRecord makes v the record; the fields are cut when they are asked for.
func (r *awkRun) setRecord(v awkValue) error {
	text, err := v.text()
	if err != nil || !r.j.spend(len(text)/8) {
		return errUnknown
	}
	r.record, r.recordType, r.split, r.stale = text, v, false, false
	return nil
}

// splitRecord cuts the record into fields. FS counts as it was when the record
// was read: assigning to FS splits first.
func (r *awkRun) splitRecord() error {
	if r.split {
		return nil
	}
	fs, err := r.fs.value.text()
	if err != nil {
		return err
	}
	parts, err := r.cut(r.record, fs, nil)
	if err != nil {
		return err
	}
	r.fields = r.fields[:0]
	for _, p := range parts {
		r.fields = append(r.fields, awkInput(p))
	}
	r.split = true
	return nil
}

// cut splits text at a separator: blanks for " ", the character for a single
// one, else a regular expression.
func (r *awkRun) cut(text, sep string, re *pattern) ([]string, error) {
	if !r.j.spend(64 + len(text)/4) {
		return nil, errUnknown
	}
	if text == "" {
		return nil, nil
	}
	var out []string
	switch {
	case re == nil && sep == " ":
		out = strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == '\t' || c == '\n' })
	case re == nil && sep == "":
		if !isASCII(text) {
			return nil, errUnknown
		}
		out = strings.Split(text, "")
	case re == nil && len(sep) == 1 && sep != "\\":
		out = strings.Split(text, sep)
	default:
		if re == nil {
			var err error
			if re, err = r.compile(sep); err != nil {
				return nil, err
			}
		}
		if re.nullable {
			return nil, errUnknown
		}
		found, err := re.find(r.j, []byte(text), -1)
		if err != nil {
			return nil, err
		}
		at := 0
		for _, m := range found {
			out = append(out, text[at:m[0]])
			at = m[1]
		}
		out = append(out, text[at:])
	}
	if len(out) > maxFields || !r.j.spend(4*len(out)) {
		return nil, errUnknown
	}
	return out, nil
}

// compile compiles a dynamic pattern, once.
func (r *awkRun) compile(text string) (*pattern, error) {
	if re := r.cache[text]; re != nil {
		return re, nil
	}
	if len(r.cache) > 100 {
		return nil, errUnknown
	}
	re, err := r.j.compileRE(text, reDialect{extended: true, awk: true})
	if err != nil {
		return nil, err
	}
	r.cache[text] = re
	return re, nil
}

// getField is $n.
func (r *awkRun) getField(n int) (awkValue, error) {
	if n < 0 {
		return awkValue{}, errUnknown
	}
	if n == 0 {
		if r.stale {
			if err := r.rebuild(); err != nil {
				return awkValue{}, err
			}
		}
		return r.recordType, nil
	}
	if err := r.splitRecord(); err != nil {
		return awkValue{}, err
	}
	if n > len(r.fields) {
		return awkValue{typ: awkAbsent}, nil
	}
	return r.fields[n-1], nil
}

// setField assigns $n.
func (r *awkRun) setField(n int, v awkValue) error {
	switch {
	case n == 0:
		return r.setRecord(v)
	case n < 0 || n > maxFields:
		return errUnknown
	}
	if err := r.splitRecord(); err != nil {
		return err
	}
	if err := r.growTo(n); err != nil {
		return err
	}
	r.fields[n-1] = v
	r.stale = true
	return nil
}

func (r *awkRun) growTo(n int) error {
	if n > len(r.fields) && !r.j.spend(n-len(r.fields)) {
		return errUnknown
	}
	for len(r.fields) < n {
		r.fields = append(r.fields, awkTextOf(""))
	}
	return nil
}

// setNF assigns NF.
func (r *awkRun) setNF(n int) error {
	if n < 0 || n > maxFields {
		return errUnknown
	}
	if err := r.splitRecord(); err != nil {
		return err
	}
	if err := r.growTo(n); err != nil {
		return err
	}
	r.fields = r.fields[:n]
	r.stale = true
	return nil
}

// rebuild joins the fields with OFS.
func (r *awkRun) rebuild() error {
	ofs, err := r.ofs.value.text()
	if err != nil {
		return err
	}
	var b strings.Builder
	for i, f := range r.fields {
		text, err := f.text()
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteString(ofs)
		}
		b.WriteString(text)
		if b.Len() > 2*r.j.limit {
			return errUnknown
		}
	}
	if !r.j.spend(b.Len() / 8) {
		return errUnknown
	}
	r.record, r.stale = b.String(), false
	r.recordType = awkInput(r.record)
	return nil
}
