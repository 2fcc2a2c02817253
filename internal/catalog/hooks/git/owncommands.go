package git

import "strings"

// ownCommands are the commands that every git brings itself (git 2.39 to 2.51,
// git --list-cmds=main), which no alias can replace. Programs that others
// write, git-NAME, and those that distributions package apart are not here:
// where such a program is not installed, git runs an alias of its name.
const ownCommands = `
 add am annotate apply archive backfill bisect blame branch bugreport bundle cat-file check-attr
 check-ignore check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone
 column commit commit-graph commit-tree config count-objects credential credential-cache
 credential-store daemon describe diagnose diff diff-files diff-index diff-pairs diff-tree difftool
 fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo
 format-patch fsck fsck-objects fsmonitor--daemon gc get-tar-commit-id grep hash-object help hook
 http-backend http-fetch http-push imap-send index-pack init init-db interpret-trailers last-modified
 log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file
 merge-index merge-octopus merge-one-file merge-ours merge-recursive merge-resolve merge-subtree
 merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-redundant
 pack-refs patch-id prune prune-packed pull push quiltimport range-diff read-tree rebase receive-pack
 reflog refs remote repack replace replay repo request-pull rerere reset restore rev-list rev-parse
 revert rm send-pack shell shortlog show show-branch show-index show-ref sparse-checkout stage stash
 status stripspace submodule switch symbolic-ref tag unpack-file unpack-objects update-index
 update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag
 version whatchanged worktree write-tree
`

// own reports whether a subcommand is git's own.
func own(sub string) bool {
	if sub == "" || strings.ContainsAny(sub, " \n") {
		return false
	}
	for rest := ownCommands; ; {
		_, after, found := strings.Cut(rest, " "+sub)
		switch {
		case !found:
			return false
		case after[0] == ' ' || after[0] == '\n': // what is below ends in a line
			return true
		}
		rest = after
	}
}
