// Package rulefile reads files of policy rules.
//
// In go the text of a file (docs/policy.md) and the layer that it belongs to; out
// come its rules and settings, or errors of the form name:line: what. It also holds
// the presets, as files that one can read. It opens no files of people's, and checks
// no examples: those are commands, and somebody has to assess them.
package rulefile
