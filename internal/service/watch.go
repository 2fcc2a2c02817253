package service

import (
	"context"
	"fmt"
	"time"

	"github.com/heedsh/heed/internal/assess"
)

// A TooLate says that work did not end in time.
type TooLate struct{ Limit time.Duration }

// Error implements error.
func (t *TooLate) Error() string { return fmt.Sprintf("heed took longer than %s to judge it", t.Limit) }

// Within does work with a clock beside it, for those who must answer in time and
// whatever happens: a fault becomes a [*Failure], and what does not end within
// the limit a [*TooLate], without waiting for it. The work's context is
// cancelled then.
func Within[T any](ctx context.Context, limit time.Duration, work func(context.Context) (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	inside, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if value := recover(); value != nil {
				r = result{err: assess.Fault(value)}
			}
			done <- r
		}()
		r.value, r.err = work(inside)
	}()
	select {
	case r := <-done:
		// Work that failed because it was cancelled was late.
		if r.err == nil || inside.Err() == nil {
			return r.value, r.err
		}
	case <-inside.Done():
	}
	var none T
	if err := ctx.Err(); err != nil {
		return none, fmt.Errorf("assessing: %w", err)
	}
	return none, &TooLate{limit}
}
