package rules

import (
	"os"
	"testing"

	"github.com/heedsh/heed/internal/detect/sigma"
)

// imported returns the encoded rules of the directory that HEED_SIGMA names.
func imported(tb testing.TB) []byte {
	tb.Helper()
	dir := os.Getenv("HEED_SIGMA")
	if dir == "" {
		tb.Skip("HEED_SIGMA names no directory")
	}
	c, _, err := Import(tb.Context(), []Source{{Name: dir, FS: os.DirFS(dir), Path: "."}}, sigma.Options{}, func(string, int, int) {})
	if err != nil {
		tb.Fatal(err)
	}
	data, err := c.Encode()
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// BenchmarkFirstEvent opens a cache and matches one event, as heed check does.
func BenchmarkFirstEvent(b *testing.B) {
	data := imported(b)
	ev := sigma.EventOf(map[string]string{"Image": "/usr/bin/ls", "CommandLine": "ls"})
	b.ReportAllocs()
	for b.Loop() {
		c, err := Decode(data)
		if err != nil {
			b.Fatal(err)
		}
		c.Set.Match(nil, sigma.ProcessCreation("linux"), ev)
	}
}
