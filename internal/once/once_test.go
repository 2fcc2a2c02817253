package once_test

import (
	"sync"
	"testing"

	"github.com/heedsh/heed/internal/once"
)

func TestValueIsMadeOnce(t *testing.T) {
	t.Parallel()
	made := 0
	v := once.Value[*int]{Make: func() *int { made++; return new(int) }}
	var all sync.WaitGroup
	got := make([]*int, 8)
	for i := range got {
		all.Go(func() { got[i] = v.Get() })
	}
	all.Wait()
	for _, p := range got {
		if p == nil || p != got[0] {
			t.Fatalf("not the same: %v", got)
		}
	}
	if made != 1 {
		t.Errorf("made %d times", made)
	}
}
