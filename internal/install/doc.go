// Package install changes the settings files of coding agents.
//
// In go a place, which says where the settings are and what they may not lead out
// of, and the text that package agent makes; out comes the file, changed whole or
// not at all, with what it was before beside it. A link that leads out of the place
// is not followed, and what somebody else has written meanwhile is not overwritten.
package install
