package gitstate

import (
	"testing"

	"github.com/heedsh/heed/internal/world"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	const at = 1_700_000_000_000_000_500
	file := world.Info{Kind: world.Regular, Mode: 0o644, Size: 10, MTime: at, CTime: at, Ino: 1<<32 + 7}
	index := entry{mode: 0o100644, size: 10, mtime: at, mtimeNsec: true, ctime: at, ino: 7}
	strict := settings{fileMode: true, trustCTime: true, fullStat: true, symlinks: true}
	for _, c := range []struct {
		name   string
		change func(*world.Info, *entry, *settings)
		want   match
	}{
		{"as it was", func(*world.Info, *entry, *settings) {}, same},
		{"size", func(f *world.Info, _ *entry, _ *settings) { f.Size++ }, changed},
		{"size not known", func(_ *world.Info, e *entry, _ *settings) { e.size = 0 }, unsure},
		{"executable", func(f *world.Info, _ *entry, _ *settings) { f.Mode = 0o755 }, changed},
		{"executable does not count", func(f *world.Info, _ *entry, s *settings) { f.Mode, s.fileMode = 0o755, false }, same},
		{"a link now", func(f *world.Info, _ *entry, _ *settings) { f.Kind = world.Symlink }, changed},
		{"a directory now", func(f *world.Info, _ *entry, _ *settings) { f.Kind = world.Dir }, changed},
		{"gone", func(f *world.Info, _ *entry, _ *settings) { *f = world.Info{} }, changed},
		{"link", func(f *world.Info, e *entry, _ *settings) { f.Kind, e.mode = world.Symlink, 0o120000 }, same},
		{"link as file", func(_ *world.Info, e *entry, s *settings) { e.mode, s.symlinks = 0o120000, false }, same},
		{"link as file where links are", func(_ *world.Info, e *entry, _ *settings) { e.mode = 0o120000 }, changed},
		{"nanoseconds", func(f *world.Info, _ *entry, _ *settings) { f.MTime++ }, unsure},
		{"nanoseconds not recorded", func(f *world.Info, e *entry, _ *settings) { f.MTime++; e.mtime -= 500; e.mtimeNsec = false }, same},
		{"seconds", func(f *world.Info, e *entry, _ *settings) { f.MTime += second; e.mtimeNsec = false }, unsure},
		{"change time", func(f *world.Info, _ *entry, _ *settings) { f.CTime += second }, unsure},
		{"change time not trusted", func(f *world.Info, _ *entry, s *settings) { f.CTime += second; s.trustCTime = false }, same},
		{"change time not recorded", func(f *world.Info, e *entry, _ *settings) { f.CTime += second; e.ctime = 0 }, same},
		{"inode", func(f *world.Info, _ *entry, _ *settings) { f.Ino++ }, unsure},
		{"inode, minimal", func(f *world.Info, _ *entry, s *settings) { f.Ino++; s.fullStat = false }, same},
		{"added with -N", func(_ *world.Info, e *entry, _ *settings) { e.flags |= intentToAdd }, changed},
		{"never seen", func(_ *world.Info, e *entry, _ *settings) { e.flags |= noStat }, unsure},
		{"submodule", func(_ *world.Info, e *entry, _ *settings) { e.mode = 0o160000 }, changed},
	} {
		f, e, s := file, index, strict
		c.change(&f, &e, &s)
		if got := e.compare(&f, &s, at+second); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := index.compare(&file, &strict, at); got != unsure {
		t.Errorf("written with the index: %v", got)
	}
	coarse := index
	coarse.mtime, coarse.mtimeNsec = at-500, false
	if got := coarse.compare(&file, &strict, at); got != unsure {
		t.Errorf("written in the same second as the index: %v", got)
	}
}
