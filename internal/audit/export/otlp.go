package export

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/heedsh/heed/internal/audit"
)

// batch is how many log records stand in one line.
const batch = 256

// The messages of opentelemetry-proto 1.x, logs service, in its JSON encoding:
// names in lowerCamelCase, 64-bit numbers as strings. Source: OTLP specification,
// "JSON Protobuf Encoding". Fields are in the order of their names.
type (
	logsData struct {
		ResourceLogs []resourceLogs `json:"resourceLogs"`
	}
	resourceLogs struct {
		Resource  resource    `json:"resource"`
		ScopeLogs []scopeLogs `json:"scopeLogs"`
	}
	resource struct {
		Attributes []keyValue `json:"attributes"`
	}
	scopeLogs struct {
		LogRecords []logRecord `json:"logRecords"`
		Scope      scope       `json:"scope"`
	}
	scope struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	logRecord struct {
		Attributes           []keyValue `json:"attributes"`
		Body                 anyValue   `json:"body"`
		EventName            string     `json:"eventName"`
		ObservedTimeUnixNano string     `json:"observedTimeUnixNano"`
		SeverityNumber       int        `json:"severityNumber"`
		SeverityText         string     `json:"severityText"`
		TimeUnixNano         string     `json:"timeUnixNano"`
	}
	keyValue struct {
		Key   string   `json:"key"`
		Value anyValue `json:"value"`
	}
	anyValue struct {
		Array  *arrayValue `json:"arrayValue,omitempty"`
		Int    string      `json:"intValue,omitempty"`
		String *string     `json:"stringValue,omitempty"`
	}
	arrayValue struct {
		Values []anyValue `json:"values"`
	}
)

// otlp gathers log records and writes them by the batch.
type otlp struct {
	out     lines
	from    Source
	records []logRecord
}

func (o *otlp) row(r *audit.Row) error {
	o.records = append(o.records, record(r))
	if len(o.records) < batch {
		return nil
	}
	return o.flush()
}

func (o *otlp) flush() error {
	if len(o.records) == 0 {
		return nil
	}
	var about attributes
	about.text("service.name", "heed")
	about.text("service.version", o.from.Version)
	about.text("host.name", o.from.Host)
	about.text("os.type", o.from.System)
	err := o.out.write(logsData{[]resourceLogs{{resource{about}, []scopeLogs{{o.records, scope{"heed.audit", o.from.Version}}}}}})
	o.records = nil
	return err
}

// attributes are those of a record; what is empty is left out.
type attributes []keyValue

func (a *attributes) text(key, value string) {
	if value != "" {
		*a = append(*a, keyValue{key, anyValue{String: &value}})
	}
}

func (a *attributes) number(key string, value int64) {
	*a = append(*a, keyValue{key, anyValue{Int: strconv.FormatInt(value, 10)}})
}

func (a *attributes) list(key string, values []string) {
	if len(values) == 0 {
		return
	}
	all := &arrayValue{}
	for _, v := range values {
		all.Values = append(all.Values, anyValue{String: &v})
	}
	*a = append(*a, keyValue{key, anyValue{Array: all}})
}

// eventName tells what happened to a command from what the log says of itself.
func eventName(k audit.Kind) string {
	if slices.Contains(audit.Kinds(), k) {
		return "heed.command." + string(k)
	}
	return "heed.log." + string(k)
}

// record is a row as a log record. Names are those of OpenTelemetry's semantic
// conventions 1.43 where they have any (the gen_ai ones are in development), and
// heed's own.
func record(r *audit.Row) logRecord {
	var a attributes
	a.text("heed.id", r.ID)
	a.number("heed.seq", int64(r.Seq))
	a.text("heed.chain", r.Chain)
	a.text("heed.prev", r.Prev)
	a.text("heed.hash", r.Hash)
	a.text("heed.head", head(r))
	a.text("heed.request", r.Request)
	a.text("heed.digest", r.Digest)
	a.text("heed.tier", r.Tier)
	a.text("heed.level", r.Level)
	if r.Score > 0 {
		a.number("heed.score", int64(r.Score))
	}
	a.text("heed.decision", r.Decision)
	a.text("heed.rule", r.Rule)
	a.text("heed.by", r.By)
	a.text("heed.reason", r.Reason)
	a.text("heed.provenance", r.Provenance)
	if r.WaitedMS > 0 {
		a.number("heed.waited_ms", r.WaitedMS)
	}
	a.list("heed.asi", r.ASI)
	a.list("heed.attack", r.ATTACK)
	a.list("heed.programs", r.Programs)
	a.text("process.command_line", r.Command)
	a.text("process.working_directory", r.Dir)
	if r.Outcome != nil {
		a.number("process.exit.code", int64(r.Outcome.Code))
		a.number("heed.duration_ms", r.Outcome.MS)
	}
	a.text("session.id", r.Session)
	a.text("gen_ai.agent.name", r.Agent)
	if r.Agent != "" {
		a.text("gen_ai.conversation.id", r.Session)
	}
	at := strconv.FormatInt(r.Time.Time().UnixNano(), 10)
	if r.Time < 0 {
		at = "0" // the field has no sign
	}
	number, text := 9, "INFO"
	switch r.Tier {
	case "CAUTION":
		number, text = 13, "WARN"
	case "REVIEW":
		number, text = 17, "ERROR"
	}
	said := cmp.Or(r.Summary, string(r.Kind))
	return logRecord{
		Attributes: a, Body: anyValue{String: &said}, EventName: eventName(r.Kind),
		ObservedTimeUnixNano: at, SeverityNumber: number, SeverityText: text, TimeUnixNano: at,
	}
}
