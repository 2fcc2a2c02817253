//go:build !linux && !darwin

package prompt

import (
	"context"
	"errors"
)

// Serve is for Linux and macOS; shells on other systems are answered one line at a time.
func (h *Helper) Serve(context.Context, string, int, func()) error {
	return errors.New("a resident helper needs Linux or macOS")
}
