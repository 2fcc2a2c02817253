// Package docs holds the documents that are also part of the program.
package docs

import _ "embed"

// OutputSchema is the JSON Schema of an assessment as it is printed.
//
//go:embed output.schema.json
var OutputSchema string

// ConsentSchema is the JSON Schema of what a person is asked to agree to.
//
//go:embed consent.schema.json
var ConsentSchema string

// PreviewSchema is the JSON Schema of what heed preview --json prints.
//
//go:embed preview.schema.json
var PreviewSchema string

// UndoSchema is the JSON Schema of what is kept for undo.
//
//go:embed undo.schema.json
var UndoSchema string

// PendingSchema is the JSON Schema of what heed pending --json prints.
//
//go:embed pending.schema.json
var PendingSchema string
