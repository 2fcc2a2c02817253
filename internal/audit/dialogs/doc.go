// Package dialogs finds out what agents' own dialogs were answered.
//
// In go the rows of a log, in their order; out come the same rows and, where heed asked
// through the dialog of an agent, which tells nobody what was clicked there, a row of
// the answer: yes where the agent told how the command ended, no where the session went
// on and an agent that tells of such things never told of this. Such rows are conclusions, are kept nowhere,
// and nothing that decides about a command goes by them.
package dialogs
