package record

import "github.com/heedsh/heed/internal/world"

// repo records or replays a world.Repo.
type repo struct {
	source
	dir string
	in  world.Repo
}

// fact asks a question about a repository that is answered without an error.
func fact[T any](r repo, live func() T, method string, args ...any) T {
	v, _ := ask(r.source, func() (T, error) { return live(), nil }, method, append([]any{r.dir}, args...)...)
	return v
}

// pair is the recorded answer of a method with two results.
type pair[A, B any] struct {
	A A
	B B
}

func (r repo) Root() string {
	return fact(r, func() string { return r.in.Root() }, "git root")
}

func (r repo) GitDir() string { return r.dir }

func (r repo) CommonDir() string {
	return fact(r, func() string { return r.in.CommonDir() }, "git common")
}

func (r repo) Head() (branch, commit string) {
	p := fact(r, func() (p pair[string, string]) {
		p.A, p.B = r.in.Head()
		return p
	}, "git head")
	return p.A, p.B
}

func (r repo) Ref(rev string) string {
	return fact(r, func() string { return r.in.Ref(rev) }, "git ref", rev)
}

func (r repo) Refs(prefix string, limit int) ([]world.Ref, error) {
	return ask(r.source, func() ([]world.Ref, error) { return r.in.Refs(prefix, limit) }, "git refs", r.dir, prefix, limit)
}

func (r repo) State(path string) world.FileState {
	return fact(r, func() world.FileState { return r.in.State(path) }, "git state", path)
}

func (r repo) Status(dir string, budget int) world.Status {
	return fact(r, func() world.Status { return r.in.Status(dir, budget) }, "git status", dir, budget)
}

func (r repo) Part(dir string, budget int, want world.Want) world.Status {
	return fact(r, func() world.Status { return r.in.Part(dir, budget, want) }, "git part", dir, budget, want)
}

func (r repo) Config(key string) []string {
	return fact(r, func() []string { return r.in.Config(key) }, "git config", key)
}

func (r repo) ConfigKeys(prefix string, limit int) []string {
	return fact(r, func() []string { return r.in.ConfigKeys(prefix, limit) }, "git config keys", prefix, limit)
}

func (r repo) Own(key string) bool {
	return fact(r, func() bool { return r.in.Own(key) }, "git own", key)
}

func (r repo) Links(limit int) []string {
	return fact(r, func() []string { return r.in.Links(limit) }, "git links", limit)
}

func (r repo) Changes(from, to string, limit int) (paths []string, complete bool) {
	p := fact(r, func() (p pair[[]string, bool]) {
		p.A, p.B = r.in.Changes(from, to, limit)
		return p
	}, "git changes", from, to, limit)
	return p.A, p.B
}

func (r repo) Hooks() []string {
	return fact(r, func() []string { return r.in.Hooks() }, "git hooks")
}

func (r repo) Missing(from, by []string, limit int) (n int, complete bool) {
	p := fact(r, func() (p pair[int, bool]) {
		p.A, p.B = r.in.Missing(from, by, limit)
		return p
	}, "git missing", from, by, limit)
	return p.A, p.B
}

func (r repo) Logged(limit int) (ids []string, complete bool) {
	p := fact(r, func() (p pair[[]string, bool]) {
		p.A, p.B = r.in.Logged(limit)
		return p
	}, "git logged", limit)
	return p.A, p.B
}

func (r repo) Unkept(limit int) (n int, complete bool) {
	p := fact(r, func() (p pair[int, bool]) {
		p.A, p.B = r.in.Unkept(limit)
		return p
	}, "git unkept", limit)
	return p.A, p.B
}

func (r repo) MayHold(prefix string) bool {
	return fact(r, func() bool { return r.in.MayHold(prefix) }, "git holds", prefix)
}

func (r repo) Stashes() int {
	return fact(r, func() int { return r.in.Stashes() }, "git stashes")
}

func (r repo) Worktrees() []string {
	return fact(r, func() []string { return r.in.Worktrees() }, "git worktrees")
}
