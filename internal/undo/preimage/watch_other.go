//go:build !linux

package preimage

import (
	"context"

	"github.com/heedsh/heed/internal/undo"
)

func watch(context.Context, *undo.Store, *Command, string) error { return undo.ErrUnsupported }

// IsWatch reports whether this process was started to wait for the end of a command.
func IsWatch([]string) bool { return false }

// Watch does nothing.
func Watch([]string) int { return 1 }
