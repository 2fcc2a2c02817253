package gitstate

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// makeIndex writes an index of version 2 with the given paths and no stat data.
func makeIndex(paths ...string) string {
	var b []byte
	b = append(b, "DIRC\x00\x00\x00\x02"...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(paths)))
	for _, p := range paths {
		start := len(b)
		var stat [40]byte
		binary.BigEndian.PutUint32(stat[24:], 0o100644)
		b = append(b, stat[:]...)
		b = append(b, make([]byte, 20)...)
		b = binary.BigEndian.AppendUint16(b, uint16(len(p)))
		b = append(b, p...)
		for b = append(b, 0); (len(b)-start)%8 != 0; {
			b = append(b, 0)
		}
	}
	return string(append(b, make([]byte, 20)...))
}

func TestIndexRefused(t *testing.T) {
	t.Parallel()
	for name, paths := range map[string][]string{
		"out of order": {"b", "a"}, "twice": {"a", "a"}, "outside": {"../a"}, "in .git": {".git/hooks/x"}, "absolute": {"/a"},
	} {
		if _, err := parseIndex([]byte(makeIndex(paths...)), sha1Algo); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	good := makeIndex("a", "b/c")
	if _, err := parseIndex([]byte(good), sha1Algo); err != nil {
		t.Fatal(err)
	}
	for i := range len(good) - 20 {
		if x, err := parseIndex([]byte(good[:i]), sha1Algo); err == nil {
			t.Errorf("cut at %d: %d entries", i, len(x.entries))
		}
	}
	for _, ext := range []string{"nope\x00\x00\x00\x00", "TREE\x7f\xff\xff\xff", "link\x00\x00\x00\x01x"} {
		if _, err := parseIndex([]byte(good[:len(good)-20]+ext+good[len(good)-20:]), sha1Algo); err == nil {
			t.Errorf("extension %q was accepted", ext)
		}
	}
	fs := memRepo()
	fs["/r/.git/index"] = makeIndex("b", "a")
	if st := fs.open(t).Status("/r", 100); st.Complete {
		t.Error("a status without an index is complete")
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte(makeIndex("a", "b/c", "b/d")), false)
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01"+strings.Repeat("\x00", 62)+"\x00ab\x00"+strings.Repeat("\x00", 20)), false)
	f.Add([]byte(makeIndex("a")+"TREE\x00\x00\x00\x06\x00-1 0\n"+strings.Repeat("\x00", 20)), true)
	f.Fuzz(func(t *testing.T, data []byte, sha256 bool) {
		algo := sha1Algo
		if sha256 {
			algo = sha256Algo
		}
		x, err := parseIndex(data, algo)
		if err != nil {
			return
		}
		if x.link != nil {
			_, _ = x.join([]entry{{path: "a"}, {path: "b"}})
			return
		}
		for i := range x.entries {
			if j, ok := x.find(x.entries[i].path); !ok || j > i {
				t.Fatalf("entry %d is not found", i)
			}
		}
		fs := memRepo()
		fs["/r/.git/index"], fs["/r/a"], fs["/r/b/c"] = string(data), "1", "2"
		r := fs.open(t)
		st := r.Status("/r", 100)
		if st.Modified > len(x.entries) || st.Tracked > len(x.entries) || st.Staged > len(x.entries) {
			t.Fatalf("%d entries, status %+v", len(x.entries), st)
		}
		r.State("/r/b/c")
	})
}

// configBits are put together to configuration files. Tabs inside values are left
// out: what becomes of them depends on git's version.
var configBits = []string{
	"[core]\n", "[Remote \"Or.i gin\"]\n", "[a.B]", "\n", "x = 1\n", "\tY=two  words \n", "z\n", "key = \"quoted ; # \"tail\n",
	"k = a\\\n b\n", "esc = \\t\\n\\\"\\\\\n", "; comment\n", "# c\n", "v = 1 # c\n", "v = a;b\n", "w =\n", "\r\n", "e = x\r\n",
	"[s \"q\\\"\\\\\"] q = 1\n", "n-1 = \" sp \"\n", "[sec]t=1\n", "[include]\npath = other\n", "[includeIf \"gitdir:**/repo/.git\"]\npath=~/more\n",
	"[includeIf \"gitdir/i:REPO/\"]\n path = third\n", "[includeIf \"onbranch:ma*\"]\n path = fourth\n", "[includeIf \"gitdir:./\"]\n path = here\n",
	"[includeIf \"hasconfig:remote.*.url:https://*/**\"]\n path = fifth\n", "[remote \"u\"]\nurl = https://example.com/x/y\n",
}

func FuzzConfig(f *testing.F) {
	for _, bit := range configBits {
		f.Add([]byte(bit))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, _ := parseConfig(data)
		for _, e := range entries {
			if normalKey(e.key) != e.key {
				t.Fatalf("key %q is not normal", e.key)
			}
		}
		fs := memRepo()
		fs["/r/.git/config"] = string(data)
		fs["/r/.git/other"] = "[x]\ny=1\n"
		if r, err := New(fs, Options{Env: map[string]string{"GIT_CONFIG_PARAMETERS": string(data)}}).Find("/r"); err == nil && r != nil {
			for _, k := range r.ConfigKeys("", 1000) {
				if len(r.Config(k)) == 0 {
					t.Fatalf("key %q has no value", k)
				}
			}
			r.Hooks()
			r.Status("/r", 100)
		}
	})
}

func FuzzIgnore(f *testing.F) {
	f.Add("*.o\n!keep.o\n/a/**/b\n", "a/x/b", false)
	f.Add("[a-\\]]x[[:alpha:]]\n**\n", "a/b", true)
	f.Fuzz(func(t *testing.T, text, name string, fold bool) {
		list, _ := parseIgnore([]byte(text), fold)
		work := 0
		for i := range list {
			p := &list[i]
			if p.rest != nil && len(name) < 500 && p.rest.match(name) != p.rest.matchLong(name) && len(p.rest.toks) <= 60 {
				t.Fatalf("%q on %q: the two ways of matching disagree", text, name)
			}
		}
		decide(list, name, false, &work)
		decide(list, name, true, &work)
	})
}

func FuzzPackedRefs(f *testing.F) {
	f.Add([]byte("# pack-refs with: peeled fully-peeled sorted \n" + strings.Repeat("a", 40) + " refs/heads/x\n^" + strings.Repeat("b", 40) + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parsePackedRefs(data)
		if err != nil {
			return
		}
		for _, name := range p.names("") {
			if _, found := p.at(name); !found || !validRefName(name) {
				t.Fatalf("%q", name)
			}
		}
		_, _ = parseReflog(data)
		_, _ = parseRef(data)
	})
}

// tinyPack is an index of version 1 for one commit, and the head of its pack.
func tinyPack() (idx, pack string) {
	var fan [fanoutLen]byte
	for i := 0xaa; i < 256; i++ {
		fan[4*i+3] = 1
	}
	return string(fan[:]) + "\x00\x00\x00\x0c" + strings.Repeat("\xaa", 20), "PACK\x00\x00\x00\x02\x00\x00\x00\x01\x91\x0ax\x9c"
}

func FuzzPack(f *testing.F) {
	idx, pack := tinyPack()
	f.Add([]byte(idx), []byte(pack))
	f.Add([]byte(idxMagic+"\x00\x00\x00\x02"+idx), []byte(pack+"\x71"+strings.Repeat("\xaa", 20)))
	f.Fuzz(func(_ *testing.T, idx, pack []byte) {
		fs := memRepo()
		fs["/r/.git/objects/pack/pack-1.idx"], fs["/r/.git/objects/pack/pack-1.pack"] = string(idx), string(pack)
		g := New(fs, Options{})
		r, err := g.Find("/r")
		if err != nil || r == nil {
			return
		}
		r.Ref(strings.Repeat("aa", 20))
		r.Ref("aaaa")
		db := r.(*repo).objects()
		for off := range min(len(pack), 40) {
			db.loadPacks(false)
			for _, p := range db.packs {
				_, _, _ = p.read(db, int64(off))
			}
		}
	})
}

func FuzzDelta(f *testing.F) {
	f.Add([]byte("0123456789"), []byte("\x0a\x06\x91\x02\x03\x03abc"))
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		if out, err := applyDelta(base, delta); err == nil && len(out) > maxObject {
			t.Fatal("too large")
		}
	})
}

func FuzzObject(f *testing.F) {
	f.Add([]byte("tree "+emptyTree+"\nparent "+emptyTree+"\ncommitter C <c> 12 +0000\n\n"), []byte("40000 d\x00"+strings.Repeat("i", 20)))
	f.Fuzz(func(_ *testing.T, commit, tree []byte) {
		_, _ = parseCommit(commit, sha1Algo)
		for {
			_, rest, ok := nextEntry(tree, sha1Algo)
			if !ok {
				break
			}
			tree = rest
		}
		parseCacheTree(string(tree), sha1Algo)
		_, _ = parseLink(string(tree), sha1Algo)
	})
}

func FuzzRevision(f *testing.F) {
	fs := memRepo()
	a := fs.addCommit(f, nil, 1)
	b := fs.addCommit(f, []string{a}, 2)
	c := fs.addCommit(f, []string{b, a}, 3)
	fs["/r/.git/refs/heads/main"], fs["/r/.git/refs/tags/v1"] = c+"\n", a+"\n"
	fs["/r/.git/logs/HEAD"] = a + " " + c + " x\tcheckout: moving from main to v1\n"
	fs["/r/.git/config"] = "[branch \"main\"]\nremote=.\nmerge=refs/heads/main\n"
	for _, rev := range []string{
		"HEAD~2^2", "@{-1}", "main@{u}", "@{1}~1", "v1^{commit}", a[:6], "x-1-g" + b[:7], "^{}", "@{-1}@{u}", "@{u}@{u}", "HEAD^{/x}", "../HEAD",
	} {
		f.Add(rev)
	}
	f.Fuzz(func(t *testing.T, rev string) {
		if id := fs.open(t).Ref(rev); id != "" && !slices.Contains([]string{a, b, c}, id) {
			t.Fatalf("Ref(%q) = %q", rev, id)
		}
	})
}
