//go:build linux

package gitstate

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// bigLab makes a repository of n committed files in directories of twenty, with a
// few changes and an ignored directory.
func bigLab(t testing.TB, n int) *lab {
	l := newLab(t)
	for i := range n {
		dir := filepath.Join(l.dir, fmt.Sprintf("dir%02d/sub%03d", i/20%40, i/800))
		if i%20 == 0 {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%06d.go", i)), []byte(fmt.Sprint("package p", i)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l.sh(`git init -q -b main .; printf 'out/\n*.o\n' >.gitignore; git add .; git commit -qm all; sleep 0.02; touch later; git add later; git commit -qm later
mkdir out; touch out/1 out/2 x.o new; echo changed >>dir00/sub000/file000000.go; git add dir00; echo again >>dir00/sub000/file000001.go`)
	return l
}

func benchStatus(b *testing.B, n int) {
	l := bigLab(b, n)
	fs := &rangeFS{}
	r := l.open(fs)
	b.Logf("%+v", r.Status(l.dir, 1_000_000))
	lstats, dirs := fs.lstats.Load(), fs.readDirs.Load()
	for b.Loop() {
		r.Status(l.dir, 1_000_000)
	}
	b.ReportMetric(float64(fs.lstats.Load()-lstats)/float64(b.N), "lstats/op")
	b.ReportMetric(float64(fs.readDirs.Load()-dirs)/float64(b.N), "readdirs/op")
}

func BenchmarkStatus3k(b *testing.B)   { benchStatus(b, 3_000) }
func BenchmarkStatus100k(b *testing.B) { benchStatus(b, 100_000) }

func BenchmarkState(b *testing.B) {
	l := bigLab(b, 3_000)
	fs := &rangeFS{}
	g := New(fs, l.options())
	for _, name := range []string{"dir01/sub001/file000825.go", "new", "out/1", "dir00/sub000/file000000.go"} {
		b.Run(filepath.Base(name), func(b *testing.B) {
			r := l.find(g)
			b.Log(r.State(filepath.Join(l.dir, name)))
			n := fs.lstats.Load()
			for b.Loop() {
				r.State(filepath.Join(l.dir, name))
			}
			b.ReportMetric(float64(fs.lstats.Load()-n)/float64(b.N), "lstats/op")
		})
	}
}

func BenchmarkFind(b *testing.B) {
	l := bigLab(b, 100)
	fs := &rangeFS{}
	g := New(fs, l.options())
	l.find(g)
	n := fs.lstats.Load()
	for b.Loop() {
		if _, err := g.Find(filepath.Join(l.dir, "dir01/sub000")); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(fs.lstats.Load()-n)/float64(b.N), "lstats/op")
}

// BenchmarkCold opens, and asks for one state, with nothing cached: what a hook
// process pays.
func BenchmarkCold(b *testing.B) {
	l := bigLab(b, 3_000)
	name := filepath.Join(l.dir, "dir01/sub001/file000825.go")
	for b.Loop() {
		r := l.open(&rangeFS{})
		r.State(name)
	}
}

func BenchmarkMissing(b *testing.B) {
	l := newLab(b)
	l.sh(`git init -q -b main .; git commit -q --allow-empty -m base; git branch base
for i in $(seq 300); do git commit -q --allow-empty -m $i; done; git gc -q`)
	b.Run("warm", func(b *testing.B) {
		r := l.open(&rangeFS{})
		for b.Loop() {
			if n, ok := r.Missing([]string{"main"}, []string{"base"}, 1000); n != 300 || !ok {
				b.Fatal(n, ok)
			}
		}
	})
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			l.open(&rangeFS{}).Missing([]string{"main"}, []string{"base"}, 1000)
		}
	})
}
