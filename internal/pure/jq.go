package pure

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A jqStep turns one value into any number of values.
type jqStep func(r *jqRun, v jsonValue) ([]jsonValue, error)

// A jqRun is one jq command.
type jqRun struct {
	j       *job
	printer jsonPrinter
	raw     bool
	join    bool
}

// runJq is jq(1) for paths: . .a ."a" .["a"] .[n] .[] with ? and |, string
// literals, and the functions length, keys, @base64 and @base64d; options -c
// -j -M -n -r -R -S. What jq would call an error is unknown.
func runJq(j *job, args []string) error {
	p, err := grammar{
		short: "cjMnrRS",
		long: []string{
			"c|compact-output", "j|join-output", "M|monochrome-output", "n|null-input", "r|raw-output", "R|raw-input", "S|sort-keys",
		},
	}.getopt(args)
	if err != nil || len(p.operands) == 0 {
		return errUnknown
	}
	for i, o := range p.opts {
		if slices.Contains(p.opts[:i], o) {
			return errUnknown // jq 1.6 takes "-rr" for an unknown option
		}
	}
	steps, err := parseJq(p.operands[0])
	if err != nil {
		return err
	}
	r := &jqRun{j: j, raw: p.has("r", "j"), join: p.has("j")}
	r.printer = jsonPrinter{j: j, compact: p.has("c"), sorted: p.has("S")}
	inputs := []jsonValue{{}}
	if !p.has("n") {
		in, err := j.readAll(p.operands[1:])
		if err != nil {
			return err
		}
		if inputs, err = jqInputs(in, p.has("R")); err != nil {
			return err
		}
	}
	for _, v := range inputs {
		if err := r.run(steps, v); err != nil {
			return err
		}
	}
	return nil
}

func jqInputs(in []byte, raw bool) ([]jsonValue, error) {
	if !raw {
		return parseJSON(in)
	}
	if !utf8.Valid(in) {
		return nil, errUnknown
	}
	lines, _ := splitLines(in, '\n')
	out := make([]jsonValue, 0, len(lines))
	for _, l := range lines {
		out = append(out, jsonValue{kind: jsonString, text: string(l)})
	}
	return out, nil
}

func (r *jqRun) run(steps []jqStep, v jsonValue) error {
	values := []jsonValue{v}
	for _, step := range steps {
		var next []jsonValue
		for _, v := range values {
			if !r.j.spend(16) {
				return errUnknown
			}
			out, err := step(r, v)
			if err != nil {
				return err
			}
			next = append(next, out...)
		}
		values = next
	}
	for _, v := range values {
		if r.raw && v.kind == jsonString {
			r.j.writeString(v.text)
		} else {
			r.printer.print(v, 0)
		}
		if !r.join {
			r.j.writeByte('\n')
		}
	}
	return nil
}

// parseJq reads stages separated by |.
func parseJq(s string) ([]jqStep, error) {
	p := &jqParser{s: s}
	for {
		p.skip()
		if err := p.stage(); err != nil {
			return nil, err
		}
		p.skip()
		if p.at == len(p.s) {
			return p.steps, nil
		}
		if p.s[p.at] != '|' || len(p.steps) > 200 {
			return nil, errUnknown
		}
		p.at++
	}
}

type jqParser struct {
	s     string
	at    int
	steps []jqStep
}

func (p *jqParser) skip() {
	for p.at < len(p.s) && strings.IndexByte(" \t\n\r", p.s[p.at]) >= 0 {
		p.at++
	}
}

func (p *jqParser) name() string {
	start := p.at
	for p.at < len(p.s) && (isWordByte(p.s[p.at]) && (p.at > start || !isDigit(p.s[p.at]))) {
		p.at++
	}
	return p.s[start:p.at]
}

func (p *jqParser) stage() error {
	if p.at >= len(p.s) {
		return errUnknown
	}
	switch c := p.s[p.at]; {
	case c == '.':
		return p.path()
	case c == '"':
		text, err := p.literal()
		if err != nil {
			return err
		}
		p.steps = append(p.steps, func(*jqRun, jsonValue) ([]jsonValue, error) {
			return []jsonValue{{kind: jsonString, text: text}}, nil
		})
		return nil
	case c == '@':
		p.at++
		switch p.name() {
		case "base64":
			p.steps = append(p.steps, jqEncode)
			return nil
		case "base64d":
			p.steps = append(p.steps, jqDecode)
			return nil
		}
		return errUnknown
	}
	switch p.name() {
	case "length":
		p.steps = append(p.steps, jqLength)
	case "keys":
		p.steps = append(p.steps, jqKeys)
	default:
		return errUnknown
	}
	return nil
}

// literal reads a JSON string without interpolation.
func (p *jqParser) literal() (string, error) {
	end := p.at + 1
	for end < len(p.s) && p.s[end] != '"' {
		if p.s[end] == '\\' {
			if end++; end < len(p.s) && p.s[end] == '(' {
				return "", errUnknown
			}
		}
		end++
	}
	if end >= len(p.s) {
		return "", errUnknown
	}
	v, err := parseJSON([]byte(p.s[p.at : end+1]))
	if err != nil || len(v) != 1 || v[0].kind != jsonString {
		return "", errUnknown
	}
	p.at = end + 1
	return v[0].text, nil
}

// path reads .a.b[0][] and so on.
func (p *jqParser) path() error {
	p.at++ // the first dot
	first, dotted := true, true
	for p.at < len(p.s) {
		var step jqStep
		switch c := p.s[p.at]; {
		case dotted && c == '"':
			text, err := p.literal()
			if err != nil {
				return err
			}
			step = jqField(text)
		case dotted && (isAlpha(c) || c == '_'):
			step = jqField(p.name())
		case c == '[' && (first || !dotted):
			var err error
			if step, err = p.index(); err != nil {
				return err
			}
		case c == '.' && !dotted:
			p.at++
			dotted = true
			continue
		default:
			if dotted && !first {
				return errUnknown
			}
			return nil
		}
		if p.at < len(p.s) && p.s[p.at] == '?' {
			p.at++
			step = jqOptional(step)
		}
		p.steps = append(p.steps, step)
		first, dotted = false, false
	}
	if dotted && !first {
		return errUnknown
	}
	return nil
}

// index reads [n], ["a"] or [].
func (p *jqParser) index() (jqStep, error) {
	p.at++
	p.skip()
	if p.at < len(p.s) && p.s[p.at] == '"' {
		text, err := p.literal()
		if err != nil {
			return nil, err
		}
		return jqField(text), p.closeIndex()
	}
	start := p.at
	for p.at < len(p.s) && (isDigit(p.s[p.at]) || p.at == start && p.s[p.at] == '-') {
		p.at++
	}
	text := p.s[start:p.at]
	if err := p.closeIndex(); err != nil {
		return nil, err
	}
	if text == "" {
		return jqEach, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return nil, errUnknown
	}
	return jqItem(int(n)), nil
}

func (p *jqParser) closeIndex() error {
	p.skip()
	if p.at >= len(p.s) || p.s[p.at] != ']' {
		return errUnknown
	}
	p.at++
	return nil
}

func jqField(name string) jqStep {
	return func(_ *jqRun, v jsonValue) ([]jsonValue, error) {
		switch v.kind {
		case jsonNull:
			return []jsonValue{{}}, nil
		case jsonObject:
			for i, k := range v.keys {
				if k == name {
					return v.items[i : i+1], nil
				}
			}
			return []jsonValue{{}}, nil
		}
		return nil, errUnknown
	}
}

func jqItem(n int) jqStep {
	return func(_ *jqRun, v jsonValue) ([]jsonValue, error) {
		if v.kind != jsonArray && v.kind != jsonNull {
			return nil, errUnknown
		}
		i := n
		if i < 0 {
			i += len(v.items)
		}
		if i < 0 || i >= len(v.items) {
			return []jsonValue{{}}, nil
		}
		return v.items[i : i+1], nil
	}
}

func jqEach(_ *jqRun, v jsonValue) ([]jsonValue, error) {
	if v.kind != jsonArray && v.kind != jsonObject {
		return nil, errUnknown
	}
	return v.items, nil
}

// jqOptional is "?": what would be an error yields nothing.
func jqOptional(step jqStep) jqStep {
	return func(r *jqRun, v jsonValue) ([]jsonValue, error) {
		out, err := step(r, v)
		if err != nil {
			return nil, nil
		}
		return out, nil
	}
}

func jqLength(_ *jqRun, v jsonValue) ([]jsonValue, error) {
	n := len(v.items)
	switch v.kind {
	case jsonBool, jsonNumber:
		return nil, errUnknown
	case jsonString:
		n = utf8.RuneCountInString(v.text)
	}
	return []jsonValue{{kind: jsonNumber, text: strconv.Itoa(n)}}, nil
}

func jqKeys(_ *jqRun, v jsonValue) ([]jsonValue, error) {
	if v.kind != jsonObject {
		return nil, errUnknown
	}
	out := jsonValue{kind: jsonArray}
	for _, k := range v.sortKeys().keys {
		out.items = append(out.items, jsonValue{kind: jsonString, text: k})
	}
	return []jsonValue{out}, nil
}

func jqEncode(_ *jqRun, v jsonValue) ([]jsonValue, error) {
	if v.kind != jsonString {
		return nil, errUnknown
	}
	return []jsonValue{{kind: jsonString, text: base64.StdEncoding.EncodeToString([]byte(v.text))}}, nil
}

func jqDecode(r *jqRun, v jsonValue) ([]jsonValue, error) {
	b, err := base64.StdEncoding.DecodeString(v.text)
	if v.kind != jsonString || err != nil || !utf8.Valid(b) {
		return nil, errUnknown
	}
	r.j.decoded = true
	return []jsonValue{{kind: jsonString, text: string(b)}}, nil
}
