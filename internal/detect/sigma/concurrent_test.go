package sigma

import (
	"slices"
	"sync"
	"testing"
)

// TestSetIsShared lets goroutines decode the same rules of a cached set at once.
func TestSetIsShared(t *testing.T) {
	t.Parallel()
	data, err := Encode(sampleSet(t))
	if err != nil {
		t.Fatal(err)
	}
	set, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	ev := Event{{"F", "a"}, {"A", "kw -x"}, {"B", "other"}}
	want := slices.Clone(sampleSet(t).Match(nil, LogSource{Product: "linux"}, ev))
	if len(want) == 0 {
		t.Fatal("no rule matches")
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			var m Matcher
			for range 20 {
				if got := set.Match(&m, LogSource{Product: "linux"}, ev); !slices.Equal(got, want) {
					t.Errorf("%v, want %v", got, want)
				}
				_ = set.Meta(0)
			}
		})
	}
	wg.Wait()
}
