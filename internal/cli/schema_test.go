package cli

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/docs"
	"github.com/heedsh/heed/internal/preview"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var schema = sync.OnceValues(func() (*jsonschema.Schema, error) { return compileSchema(assessmentID) })

// assessmentID names docs/output.schema.json, which the other schemas refer to
// by it.
const assessmentID = "https://github.com/heedsh/heed/blob/main/docs/output.schema.json"

// compileSchema compiles the schema that a file's path or assessmentID names.
func compileSchema(name string) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(docs.OutputSchema))
	if err != nil {
		return nil, fmt.Errorf("reading docs/output.schema.json: %w", err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(assessmentID, doc); err != nil {
		return nil, fmt.Errorf("reading docs/output.schema.json: %w", err)
	}
	return c.Compile(name)
}

// validate checks one printed assessment against docs/output.schema.json.
func validate(text []byte) error {
	s, err := schema()
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(value)
}

func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	good, err := json.Marshal(full())
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(good); err != nil {
		t.Fatalf("an assessment with every field: %v", err)
	}
	for name, change := range map[string]func(map[string]any){
		"a field too many":     func(m map[string]any) { m["more"] = 1 },
		"no tier":              func(m map[string]any) { delete(m, "tier") },
		"another tier":         func(m map[string]any) { m["tier"] = "FINE" },
		"a score past 100":     func(m map[string]any) { m["score"] = 101 },
		"null for a list":      func(m map[string]any) { m["effects"] = nil },
		"a span of one number": func(m map[string]any) { m["effects"].([]any)[0].(map[string]any)["span"] = []int{1} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var m map[string]any
			if err := json.Unmarshal(good, &m); err != nil {
				t.Fatal(err)
			}
			change(m)
			bad, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			if validate(bad) == nil {
				t.Error("the schema accepts it")
			}
		})
	}
}

// full returns an assessment in which every field has a value that is printed.
func full() service.Printed {
	var a risk.Assessment
	fill(reflect.ValueOf(&a).Elem())
	a.Score, a.ATTACK, a.ASI = 91, []string{"T1548.003"}, []string{"ASI02"}
	return service.Printed{Assessment: a, LayerUS: service.LayerTimes{{Layer: "effects", Nanoseconds: 1000}}, ElapsedUS: 1}
}

// fill sets every field to its first value that is not zero.
func fill(v reflect.Value) {
	switch known := v.Addr().Interface().(type) {
	case *risk.Verb:
		*known = risk.FSDelete
		return
	case *risk.Scope:
		*known = risk.InWorkspace
		return
	case *risk.Reversible:
		*known = risk.Partly
		return
	case *risk.Certainty:
		*known = risk.Possible
		return
	case *risk.Provenance:
		*known = risk.ToolOutput
		return
	case *risk.Severity:
		*known = risk.High
		return
	case *risk.End:
		*known = risk.EndIdle
		return
	case *risk.Source:
		*known = risk.From("/x")
		return
	case *risk.Remedy:
		*known = risk.RemedyGit
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint8, reflect.Uint16:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(0.5)
	default:
		panic("no value for " + v.Type().String())
	}
}

// TestSchemaCovers walks the record's types and the schema side by side: every
// field is described, no other is, and those that are always printed are
// required.
func TestSchemaCovers(t *testing.T) {
	t.Parallel()
	var root map[string]any
	if err := json.Unmarshal([]byte(docs.OutputSchema), &root); err != nil {
		t.Fatal(err)
	}
	c := coverage{t: t, defs: root["$defs"].(map[string]any)}
	c.object("assessment", reflect.TypeFor[service.Printed](), root)
}

type coverage struct {
	t    *testing.T
	defs map[string]any
}

func (c *coverage) object(name string, typ reflect.Type, s map[string]any) {
	c.t.Helper()
	if ref, ok := s["$ref"].(string); ok {
		s = c.defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	if typ == reflect.TypeFor[risk.Span]() {
		return // printed as [start, end]
	}
	if s["additionalProperties"] != false {
		c.t.Errorf("%s: additionalProperties is not false", name)
	}
	properties := s["properties"].(map[string]any)
	var fields, always []string
	for _, f := range reflect.VisibleFields(typ) {
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || tag == "" || tag == "-" {
			continue
		}
		fields = append(fields, tag)
		if !strings.Contains(options, "omit") && tag != "elapsed_us" && tag != "layer_us" {
			always = append(always, tag)
		}
		property, ok := properties[tag].(map[string]any)
		if !ok {
			continue // reported below
		}
		c.value(name+"."+tag, f.Type, property)
	}
	described := keys(properties)
	slices.Sort(fields)
	if d := cmp.Diff(fields, described); d != "" {
		c.t.Errorf("%s: fields (-) and schema (+) differ:\n%s", name, d)
	}
	var required []string
	for _, r := range orNone(s["required"]) {
		required = append(required, r.(string))
	}
	slices.Sort(always)
	slices.Sort(required)
	if d := cmp.Diff(always, required); d != "" {
		c.t.Errorf("%s: fields always printed (-) and required ones (+) differ:\n%s", name, d)
	}
}

// value checks the schema of one field's value.
func (c *coverage) value(name string, typ reflect.Type, s map[string]any) {
	c.t.Helper()
	if want, ok := enums()[typ]; ok {
		got := orNone(s["enum"])
		if d := cmp.Diff(want, got); d != "" {
			c.t.Errorf("%s: values in Go (-) and in the schema (+) differ:\n%s", name, d)
		}
		return
	}
	if typ == reflect.TypeFor[service.LayerTimes]() {
		return // printed as an object with a field for each layer
	}
	if typ.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		if s["type"] != "string" {
			c.t.Errorf("%s: printed as a string, and %v in the schema", name, s["type"])
		}
		return
	}
	switch typ.Kind() {
	case reflect.Struct:
		c.object(name, typ, s)
	case reflect.Pointer:
		c.value(name, typ.Elem(), s)
	case reflect.Slice:
		items, ok := s["items"].(map[string]any)
		if !ok {
			c.t.Errorf("%s: the schema has no items", name)
			return
		}
		c.value(name, typ.Elem(), items)
	}
}

// enums lists the values of the types that have a fixed set, as JSON has them.
func enums() map[reflect.Type][]any {
	return map[reflect.Type][]any{
		reflect.TypeFor[risk.Tier]():       {"SAFE", "CAUTION", "REVIEW"},
		reflect.TypeFor[risk.Level]():      {"A", "B", "C"},
		reflect.TypeFor[risk.Verdict]():    {"ALLOW", "WARN", "BLOCK"},
		reflect.TypeFor[risk.Verb]():       anys(risk.Verbs()),
		reflect.TypeFor[risk.Provenance](): anys(risk.Provenances()),
		reflect.TypeFor[risk.Certainty]():  {string(risk.Certain), string(risk.Possible)},
		reflect.TypeFor[risk.End]():        {string(risk.EndFails), string(risk.EndPartly), string(risk.EndIdle), string(risk.EndWaits), string(risk.EndAsks)},
		reflect.TypeFor[risk.Severity]():   {string(risk.Low), string(risk.Medium), string(risk.High), string(risk.Critical)},
		reflect.TypeFor[preview.Kind]():    {string(preview.Created), string(preview.Changed), string(preview.Replaced), string(preview.Deleted), string(preview.Attributes)},
		reflect.TypeFor[risk.Reversible](): {string(risk.Restorable), string(risk.Regenerable), string(risk.Partly), string(risk.Lost), string(risk.NothingThere)},
	}
}

func anys[S ~string](list []S) []any {
	var out []any
	for _, s := range list {
		out = append(out, string(s))
	}
	return out
}

func keys(m map[string]any) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func orNone(v any) []any {
	list, _ := v.([]any)
	return list
}
