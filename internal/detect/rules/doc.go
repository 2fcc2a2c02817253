// Package rules holds heed's own Sigma rules, compiled.
//
// What comes out is a [sigma.Set] for process_creation events of Linux, macOS
// and Windows. The rules are the YAML files below pack, a directory a topic
// (an ATT&CK tactic, and sequences for correlations over the commands of a
// session); the generator compiles them into pack.bin, which is embedded and
// opened when it is first asked for. The package reads no file when it runs.
//
// # Writing a rule
//
// A file is one rule, named for what it finds, or one correlation rule followed
// by the rules it counts. Beside the rules of a topic lies events.yaml: for
// each file at least one event that its first rule must match and one, best a
// near miss, that it must not. The generator refuses a rule without them, one
// that the lint of package sigma warns about, one without references or false
// positives, and one whose tags are no current ids.
//
// An event has the fields that heed fills in: Image (an absolute path),
// CommandLine (the words joined by blanks; on Unix there are no quotes left),
// ParentImage, ParentCommandLine, CurrentDirectory and User. Redirections and
// pipes are not in it, except inside the script of a nested shell.
//
// Levels say how ordinary the command is, not how bad it would be. Critical
// (at least REVIEW) is for what is never ordinary. High (at least CAUTION/B) is
// for what is rare in ordinary work. What fires on more than one in a thousand
// ordinary commands is medium or low and only annotates.
//
// Tags: attack.<tactic> and attack.t<id> of the version of ATT&CK in package
// attack, and owasp.asi<nn> for the OWASP Top 10 for Agentic Applications: the
// risk that the rule shows when an agent runs the command. The namespace owasp
// is ours; the Sigma specification leaves namespaces open.
package rules
