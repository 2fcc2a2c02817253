// Package fakeworld is the language in which tests describe a machine in a few
// lines of text. No part of the program reads it.
//
// In goes a description; out come a world.World that answers like the machine
// described (package madeup), the directory a command runs in and its environment.
// Nothing outside the text is looked at, and the same text always makes the same
// world, down to inode numbers and commit ids.
//
//	user u                                      # who runs the command
//	dir  /home/u/project                        # where
//	env  DATABASE_URL=postgres://app@prod.db/main
//
//	git .  on main                              # a repository, and what is in it
//	remote origin git@github.com:acme/demo.git
//	upstream origin/main ahead 1 behind 3
//	branch feature 2 commits not in main
//	stash 2
//
//	src/app.py            tracked
//	src/dirty.py          modified
//	src/new.py            untracked
//	node_modules/         ignored 1243 files 312MB
//	scripts/clean.sh      tracked exec "#!/bin/sh\nrm -rf \"$HOME\"\n"
//	package.json          tracked <<
//	    {"scripts": {"clean": "rm -rf dist"}}
//	link                  -> /
//	/mnt/nas              mount nfs4
//	/usr/bin/mytool       binary
//
// # Lines
//
// A statement is a line of words with blanks between them. It may be indented.
// A "#" at the beginning of a word begins a comment. A word that contains
// blanks, a "#" at its beginning or strange bytes is written as a Go string,
// "…" or `…`.
//
// A line that begins with one of the keywords below is about the machine or
// about a repository. Every other line is about the path it begins with. A path
// that looks like a keyword is written ./tag or "tag".
//
// The order of lines does not matter, except that a line about a repository
// belongs to the git line above it, that revisions must be placed before they
// are used, and that of two lines about one path the second changes or replaces
// what the first made.
//
// # The machine
//
//	os linux|darwin                    default: linux
//	host NAME                          default: box
//	user NAME [uid N] [home DIR]       default: u, 1000, /home/u (on darwin /Users/u);
//	                                   "user root" has uid 0 and the home /root
//	account NAME [uid N] [home DIR]    another user, with a home
//	dir DIR                            where the command runs; default: project in the
//	                                   user's home. It is made, and is the user's.
//	env NAME=VALUE                     sets a variable. VALUE is the rest of the line
//	                                   up to a comment, or one Go string.
//	unset NAME...                      takes default variables away
//
// The environment has HOME, USER, LANG=en_US.UTF-8, PATH=/usr/local/bin:/usr/bin:/bin
// and what env lines set, nothing else.
//
// # Paths
//
//	PATH [ATTRIBUTE...] [CONTENT]
//
// A path is absolute, or in the user's home (~/x), or relative to dir. One that
// ends in a slash is a directory, others are regular files unless they say
// otherwise (or are a directory already). Directories on the way are made.
//
// What it is:
//
//	file, dir            rarely needed
//	-> TARGET            symbolic link; TARGET is kept as it is written
//	hardlink PATH        another name of a file that an earlier line describes
//	block, char          device
//	fifo, socket
//	binary               a program: ELF (Mach-O on darwin), mode 0755
//	exec                 mode 0755
//	missing              is not there, not even if it is there by default
//	mount TYPE [folds]   a directory where a file system of this type is mounted
//
// What git says of it, which needs a repository that holds it:
//
//	tracked              committed and clean
//	modified             tracked, and changed since
//	deleted              tracked, and gone from the work tree
//	staged               in the index, but not so in HEAD
//	untracked
//	ignored              "build/ ignored missing" is ignored and not there
//
// A path without a state has the one of the nearest directory above it that
// has one; without that it is untracked, as it would be. States belong to the
// innermost repository that holds the path.
//
// How big it is, and whose:
//
//	N files [SIZE]       a directory with N generated files, file0001 to fileN, SIZE in
//	                     all. A million costs nothing.
//	SIZE                 of a file: 90B, 12kB, 312MB, 4GB, 1TB (powers of 1000), 1KiB,
//	                     1MiB, 1GiB. Bytes without content are zero.
//	mode OCTAL           default: 0644, directories 0755
//	setuid               sets that bit and those for execution
//	unreadable           mode 0000
//	owner NAME|UID       default: the owner of the directory; below /tmp the user
//
// Content, always last:
//
//	"text" or `text`     a Go string
//	<<                   the lines below that are indented deeper than this one. The
//	                     first line's indentation is taken off; blank lines at the end
//	                     are dropped; the text ends in a newline.
//
// A file of which nothing is said holds the one line "# NAME". Mind that a
// script like that does nothing: whoever judges it will find it harmless.
//
// Permissions count: the user cannot read /etc/shadow, nor look below a
// directory without the search permission. Root can.
//
// # Mounts
//
// A mount is classified by its type as on the real machine (package mountinfo):
// network file systems, FUSE and autofs are remote and nobody gets to see what is
// inside (world.ErrNotRead), although lines may put something there; proc and
// sysfs can be asked but not listed or read; vfat, exfat, ntfs, apfs and hfs fold
// case, and folds makes any other type do so. The mount that holds dir is always
// looked into, as by a real session that stands in it. The root is ext4, or apfs
// on darwin; "/ mount btrfs" changes it. What a directory holds stays in view when
// something is mounted on it. Device numbers differ from mount to mount.
//
// # Repositories
//
//	git [DIR] [on BRANCH] [bare]       a repository in DIR (default: dir) whose current
//	                                   branch is BRANCH (default: main)
//
// Below it, about it:
//
//	commits N                          how long the history of the current branch is;
//	                                   default 100, 0 for none yet
//	remote NAME URL
//	upstream REMOTE/BRANCH [of BRANCH] [ahead N] [behind N] [gone]
//	                                   what the current branch (or another) follows: N
//	                                   commits are only here, N only there; gone: the
//	                                   remote-tracking branch does not exist
//	branch NAME [PLACE]
//	tag NAME [PLACE]
//	ref refs/FULL/NAME [PLACE]         any other ref
//	detached [at REV]                  HEAD is on no branch
//	stash N                            N entries
//	hook NAME [CONTENT]                an executable file in the hooks directory
//	config KEY = VALUE                 VALUE as for env; repeated keys add values. Before
//	                                   the first git line: the user's global configuration
//	worktree DIR [on BRANCH] [dirty]   a linked work tree; BRANCH defaults to the last
//	                                   element of DIR; dirty: has a modified changed.txt
//
// A PLACE is where a ref points:
//
//	(nothing)                          at HEAD
//	at REV                             at a revision that exists: main~3, origin/main, v1.0
//	N commits not in REV               N new commits on top of REV: nobody else has them
//
// So "branch old 0 commits not in main" and "branch old at main" are merged
// branches, and "branch gone 4 commits not in main~10" is one that main has left
// behind. Commits form a tree: there are no merges. REV is what world.Repo's Ref
// understands: names, abbreviated ids, HEAD, @, ~N, ^, @{upstream}, @{push}, stash@{N}.
//
// A repository has the files HEAD, config, index, refs and hooks in its .git
// directory, for commands that aim at them. Git's answers come from the lines
// above and not from these files, except that hooks are listed from the directory
// where core.hooksPath or the default says they are.
//
// # What is there by default
//
// The usual directories; some 140 programs as binaries in /usr/bin and /usr/sbin
// (on Linux /bin and /sbin are links to these); accounts, shadow, sudoers,
// hosts and other files in /etc; null, zero, random, tty and disks in /dev; proc,
// sys, run and dev mounts; in the home shell startup files, .ssh with keys, .aws,
// .kube, .gitconfig, .bash_history, Documents and Downloads. The exact list is in
// defaults.go of package madeup, in the words of this language. There is no git
// repository.
package fakeworld
