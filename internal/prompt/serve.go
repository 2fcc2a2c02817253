package prompt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Once answers one request on in to out.
func (h *Helper) Once(ctx context.Context, in io.Reader, out io.Writer) error {
	req, err := newReader(in).next()
	a := Answer{}
	switch {
	case err == nil:
		a = h.Answer(ctx, req)
	case req == nil:
		return fmt.Errorf("reading a request: %w", err)
	default:
		a = unanswered(err)
	}
	return a.write(out, req.Nonce)
}

// loop answers requests until there are none, one after the other: a shell has one line at
// a time. What an answer need not wait for is done between them.
func (h *Helper) loop(ctx context.Context, in io.Reader, out io.Writer, between func()) error {
	var later []func()
	h.Behind = func(work func()) { later = append(later, work) }
	requests := newReader(in)
	for {
		req, err := requests.next()
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, os.ErrClosed), errors.Is(err, io.EOF):
			return nil
		case req == nil:
			return err
		case errors.Is(err, errInterrupted):
			continue // its shell waits no more
		}
		a := Answer{}
		if err != nil {
			a = unanswered(err)
		} else {
			a = h.Answer(ctx, req)
		}
		if err := a.write(out, req.Nonce); err != nil {
			return err
		}
		for _, work := range later {
			work()
		}
		later = nil
		between()
	}
}
