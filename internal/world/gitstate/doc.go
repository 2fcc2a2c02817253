// Package gitstate answers questions about git repositories by reading their
// files as data, through world.FS only.
//
// In go directories, paths, revisions and keys; out come world.Repo's answers.
// It may not run git or anything else, write, touch the machine other than
// through world.FS, or use a clock: git status in a hostile repository runs that
// repository's programs (core.fsmonitor, filter.*.clean), reading does not.
//
// Everything that is read is hostile: every file has a size limit, every chain
// (includes, symbolic refs, deltas, alternates, tags) a depth limit, every walk
// a budget, and what cannot be read or understood is "unknown", never "clean".
//
// The formats are those of git's own documentation: gitformat-index(5),
// gitformat-pack(5), gitrepository-layout(5), git-config(1), gitignore(5),
// gitrevisions(7). Where this package answers differently from git on purpose:
//
//   - a tracked file whose size is unchanged but whose times differ is hashed,
//     as it is on disk, when it is at most 1 MiB; if the bytes are those of the
//     blob it is Clean. Clean filters and line-ending conversion are never
//     applied, so a converted file that was touched is MaybeModified, and a file
//     that equals its blob is Clean even where a filter would change it: its
//     bytes can be had back, which is what is asked;
//   - assume-unchanged and skip-worktree do not hide a change from us;
//   - a submodule counts as modified if its HEAD differs from the index; changes
//     inside it belong to the submodule's own repository;
//   - refs/replace and grafts are not followed.
package gitstate
