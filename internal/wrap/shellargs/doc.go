// Package shellargs reads the command line of a shell: what `bash -euo
// pipefail -c TEXT name args` is asked to run, and in which mode.
//
// In go a dialect and the words after the shell's name; out comes a Line: text,
// script or standard input, the parameters and the options that matter, or an
// error for every word that is not surely understood. It reads what bash, dash,
// zsh and mksh accept in common practice and refuses the rest, so that a text is
// never taken for a parameter, or the other way round. Nothing here touches the
// machine.
package shellargs
