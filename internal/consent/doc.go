// Package consent is what a person is shown before a command is let run, the same
// at every front: terminal, agent's dialog, page, editor.
//
// In go a request, its assessment and what was decided about it; out comes one
// value, whose JSON is published (docs/consent.schema.json): what happens, why it is
// risky, what follows, what cannot be undone, the safer way, who asks, and what a
// yes takes. All text in it may be shown as it is: the command's own is made
// visible, and its secrets are taken out. It decides and asks nothing.
package consent
