// Package scenario is the language in which heed's verdicts are tested: a
// world, a command, and what heed must say.
//
// In go text files; out come cases that a test runs, and the same text with
// what heed says now. A file reads like this:
//
//	# Everything from # to the end of a line that begins with it is a comment.
//	world a build directory that git ignores
//	    git /home/u/project on main
//	    package.json   tracked
//	    build/         ignored 214 files 9MB
//
//	$ rm -rf build
//	CAUTION/B Deletes 214 files (9 MB) in ./build; package.json can restore them.
//	    fs.delete /home/u/project/build workspace regenerable recursive
//
// The lines below `world` are statements of package fakeworld and hold until
// the next `world`. A command may go on in lines that begin with `> `. Between
// `$` and the command, words in braces change the request: `$ {zsh} …`,
// `$ {sh}`, `$ {from web_content}`, `$ {workspace /srv/app}`, `$ {dir /tmp}`,
// `$ {NAME=value}`. The first line of an answer is tier and level and the
// sentence; the indented ones are the effects that matter (level B and C, and
// A where there is nothing else), each as verb, target, scope, reversibility
// and flags. The test rewrites all answers with -update; read the difference
// before you keep it.
package scenario
