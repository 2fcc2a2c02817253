package fakeworld_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
)

func find(t *testing.T, w *world.World, dir string) world.Repo {
	t.Helper()
	repo, err := w.Git.Find(dir)
	if err != nil || repo == nil {
		t.Fatalf("Find(%q) = %v, %v; want a repository", dir, repo, err)
	}
	return repo
}

func TestFind(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, scene+"git vendor/lib\nvendor/lib/x tracked\ngit /srv/x.git bare\n")
	for dir, want := range map[string][2]string{
		project:                        {project, project + "/.git"},
		project + "/src":               {project, project + "/.git"},
		project + "/none/below":        {project, project + "/.git"},
		project + "/up":                {project, project + "/.git"},
		project + "/.git/hooks":        {project, project + "/.git"},
		"/home/u/wt-hotfix":            {"/home/u/wt-hotfix", project + "/.git/worktrees/wt-hotfix"},
		project + "/vendor/lib":        {project + "/vendor/lib", project + "/vendor/lib/.git"},
		"/srv/x.git/objects":           {"", "/srv/x.git"},
		project + "/link/home/u":       {},
		"/tmp":                         {},
		"/srv/x.git/../y":              {},
		project + "/.git/worktrees/no": {project, project + "/.git"},
	} {
		repo, err := w.Git.Find(dir)
		got := [2]string{}
		if repo != nil {
			got = [2]string{repo.Root(), repo.GitDir()}
		}
		if got != want || (err != nil) != (dir == "/srv/x.git/../y") {
			t.Errorf("Find(%q) = %v, %v; want %v", dir, got, err, want)
		}
	}
	if got := find(t, w, "/home/u/wt-hotfix").CommonDir(); got != project+"/.git" {
		t.Errorf("CommonDir of the linked work tree = %q", got)
	}
	if _, err := w.Git.Find("/mnt/nas/a"); err == nil {
		t.Error("Find looked into a network mount")
	}
}

func TestState(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, scene+"docs/ tracked\ndocs/a\ndocs/b untracked\nnode_modules/x/y\ngit vendor/lib\nvendor/lib/x tracked")
	repo := find(t, w, project)
	for path, want := range map[string]world.FileState{
		"src/app.py":            world.Clean,
		"up/app.py":             world.Clean,
		"src/dirty.py":          world.MaybeModified,
		"src/gone.py":           world.MaybeModified,
		"src/next.py":           world.Staged,
		"src/new.py":            world.Untracked,
		"src/none":              world.Untracked,
		"src":                   world.Clean,
		"docs/a":                world.Clean,
		"docs/b":                world.Untracked,
		"docs/none":             world.Untracked,
		"closed":                world.Untracked,
		"node_modules":          world.Ignored,
		"node_modules/file0009": world.Ignored,
		"node_modules/x/y":      world.Ignored,
		"node_modules/none":     world.Ignored,
		"dist":                  world.Ignored,
		"dist/x":                world.Ignored,
		".git":                  world.InGitDir,
		".git/config":           world.InGitDir,
		"vendor/lib/x":          world.Untracked,
		"/etc/hosts":            world.NotInRepo,
		"/home/u/projects":      world.NotInRepo,
		"link":                  world.Untracked,
		"link/etc":              world.NotInRepo,
	} {
		if got := repo.State(in(path)); got != want {
			t.Errorf("State(%q) = %v, want %v", path, got, want)
		}
	}
	wt := find(t, w, "/home/u/wt-hotfix")
	if got := wt.State("/home/u/wt-hotfix/changed.txt"); got != world.MaybeModified {
		t.Errorf("the dirty work tree's file is %v", got)
	}
	if got := wt.State("/home/u/wt-hotfix/.git"); got != world.InGitDir {
		t.Errorf("the linked work tree's .git is %v", got)
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, `
		git
		a/one       tracked  "12345"
		a/two       modified "12345"
		a/three     deleted
		a/four      staged
		a/five      untracked "12345"
		b/          ignored 1000000 files 5GB
		b/real      "12345"
		b/file0000001 "was generated"
		c/          untracked 7 files
		link        tracked -> /
		pipe        fifo
		git vendor/lib
		vendor/lib/x  tracked
	`)
	repo := find(t, w, project)
	got := repo.Status(project, 2_000_000)
	want := world.Status{
		Tracked: 5, Modified: 2, Staged: 1, Untracked: 8, Ignored: 1_000_001, Complete: true,
		Bytes:         15 + 7 + 5 + 13 + 1 + 5_000_000_000 - 5000,
		SomeUntracked: []string{"a/five", "c/file0001", "c/file0002", "c/file0003", "c/file0004"},
		SomeModified:  []string{"a/two", "a/three"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Status of all (-want +got):\n%s", diff)
	}
	got = repo.Status(project+"/a", 100)
	want = world.Status{
		Tracked: 4, Modified: 2, Staged: 1, Untracked: 1, Complete: true, Bytes: 15 + 7,
		SomeUntracked: []string{"a/five"}, SomeModified: []string{"a/two", "a/three"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Status of a (-want +got):\n%s", diff)
	}
	if got := repo.Status(project+"/b", 10); got.Complete || got.Ignored != 10 {
		t.Errorf("Status of b with a budget of 10 = %+v; want 10 ignored, not complete", got)
	}
	if got := repo.Status(project+"/.git", 10); !cmp.Equal(got, world.Status{Complete: true}) {
		t.Errorf("Status of .git = %+v; want nothing", got)
	}
	if got := repo.Status("/", 2_000_000); got.Tracked != 5 {
		t.Errorf("Status from above the root = %+v; want all", got)
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, scene)
	repo := find(t, w, project)
	branch, head := repo.Head()
	if branch != "main" || len(head) != 40 || head != repo.Ref("main") || head != repo.Ref("HEAD") {
		t.Errorf("Head = %q, %q; Ref(main) = %q", branch, head, repo.Ref("main"))
	}
	refs, err := repo.Refs("refs/", 100)
	var names []string
	for _, r := range refs {
		names = append(names, r.Name)
	}
	want := []string{
		"refs/heads/feature", "refs/heads/main", "refs/heads/old", "refs/heads/wt-hotfix",
		"refs/remotes/origin/main", "refs/stash", "refs/tags/v1.0",
	}
	if diff := cmp.Diff(want, names); diff != "" || err != nil {
		t.Errorf("Refs: %v (-want +got):\n%s", err, diff)
	}
	if refs, _ := repo.Refs("refs/heads/", 2); len(refs) != 2 {
		t.Errorf("Refs with a limit of 2 = %v", refs)
	}
	for _, tt := range []struct {
		from, by string
		limit, n int
		complete bool
	}{
		{"HEAD", "origin/main", 100, 1, true},
		{"origin/main", "HEAD", 100, 3, true},
		{"feature", "main", 100, 2, true},
		{"feature", "main", 2, 2, true},
		{"feature", "main", 1, 1, false},
		{"old", "main", 100, 0, true},
		{"main", "old", 100, 4, true},
		{"main", "", 1000, 100, true},
		{"stash", "main", 100, 1, true},
		{"wt-hotfix", "main", 100, 0, true},
	} {
		var by []string
		if tt.by != "" {
			by = []string{repo.Ref(tt.by)}
		}
		n, complete := repo.Missing([]string{repo.Ref(tt.from)}, by, tt.limit)
		if n != tt.n || complete != tt.complete {
			t.Errorf("Missing(%s, %s, %d) = %d, %v; want %d, %v", tt.from, tt.by, tt.limit, n, complete, tt.n, tt.complete)
		}
	}
	if _, complete := repo.Missing([]string{"no such id"}, nil, 10); complete {
		t.Error("Missing is complete with an id that is not there")
	}
	if repo.Stashes() != 2 {
		t.Errorf("Stashes = %d", repo.Stashes())
	}
	if diff := cmp.Diff([]string{project, "/home/u/wt-hotfix"}, repo.Worktrees()); diff != "" {
		t.Errorf("Worktrees (-want +got):\n%s", diff)
	}
}

func TestRef(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, scene)
	repo := find(t, w, project)
	main := repo.Ref("main")
	for rev, want := range map[string]string{
		"refs/heads/main":      main,
		"heads/main":           main,
		"v1.0":                 main,
		"@":                    main,
		main[:7]:               main,
		main[:3]:               "",
		"main^0":               main,
		"main^{commit}":        main,
		"old":                  repo.Ref("main~4"),
		"main~2^~":             repo.Ref("main~4"),
		"main~100":             "",
		"main^2":               "",
		"main~x":               "",
		"main@{u}":             repo.Ref("origin/main"),
		"@{upstream}":          repo.Ref("refs/remotes/origin/main"),
		"@{push}~3":            repo.Ref("main~1"),
		"main@{upstream":       "",
		"main@{1}":             "",
		"feature@{u}":          "",
		"stash@{0}":            repo.Ref("stash"),
		"stash@{2}":            "",
		"none":                 "",
		"":                     "",
		"main~99999999999999":  "",
		"main~99999999":        "",
		"refs/heads/main~1@{u": "",
	} {
		if got := repo.Ref(rev); got != want {
			t.Errorf("Ref(%q) = %q, want %q", rev, got, want)
		}
	}
	if repo.Ref("stash@{1}") == "" || repo.Ref("stash@{1}") == repo.Ref("stash@{0}") {
		t.Error("the two stash entries are not two commits")
	}
}

func TestConfigAndHooks(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, `
		config user.name = Global
		config core.pager = "less -R"
		git
		remote origin https://example.com/x
		config user.name = Local
		config url.https://Mirror/.insteadOf = https://example.com/
		config core.hooksPath = .githooks
		.githooks/pre-push    tracked exec
		.githooks/README      tracked
		.githooks/a.sample    tracked exec
	`)
	repo := find(t, w, project)
	for key, want := range map[string][]string{
		"user.name":                     {"Global", "Local"},
		"USER.Name":                     {"Global", "Local"},
		"core.hooksPath":                {".githooks"},
		"remote.origin.url":             {"https://example.com/x"},
		"remote.Origin.url":             nil,
		"url.https://Mirror/.insteadOf": {"https://example.com/"},
		"core.pager":                    {"less -R"},
		"none":                          nil,
	} {
		if diff := cmp.Diff(want, repo.Config(key)); diff != "" {
			t.Errorf("Config(%q) (-want +got):\n%s", key, diff)
		}
	}
	if diff := cmp.Diff([]string{"core.bare", "core.hookspath", "core.pager"}, repo.ConfigKeys("core.", 3)); diff != "" {
		t.Errorf("ConfigKeys (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"pre-push"}, repo.Hooks()); diff != "" {
		t.Errorf("Hooks (-want +got):\n%s", diff)
	}
}

func TestHeads(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"git on trunk\ncommits 0": {"trunk", ""},
		"git\ndetached":           {"", "HEAD"},
		"git\ndetached at main~2": {"", "main~2"},
		"git on x/y":              {"x/y", "x/y"},
		"git bare":                {"main", "main"},
	} {
		w, _, _ := fakeworld.Must(t, text)
		repo := find(t, w, project)
		branch, commit := repo.Head()
		if branch != want[0] || commit != repo.Ref(want[1]) || (commit == "") != (want[1] == "") {
			t.Errorf("%q: Head = %q, %q; want %q at %q", text, branch, commit, want[0], want[1])
		}
	}
}

func TestUpstreams(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, `
		git
		remote o url
		branch topic 3 commits not in main
		upstream o/topic of topic ahead 2 behind 5
		upstream o/main gone
	`)
	repo := find(t, w, project)
	ahead, _ := repo.Missing([]string{repo.Ref("topic")}, []string{repo.Ref("topic@{u}")}, 100)
	behind, _ := repo.Missing([]string{repo.Ref("o/topic")}, []string{repo.Ref("topic")}, 100)
	if ahead != 2 || behind != 5 {
		t.Errorf("topic is ahead %d and behind %d; want 2 and 5", ahead, behind)
	}
	if got := repo.Ref("@{u}"); got != "" {
		t.Errorf("an upstream that is gone resolves to %q", got)
	}
	if got := repo.Config("branch.main.remote"); len(got) != 1 {
		t.Errorf("branch.main.remote = %q", got)
	}
}
