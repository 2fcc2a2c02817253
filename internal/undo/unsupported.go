//go:build !linux

package undo

import "context"

// A Store is where entries are.
type Store struct {
	// Secret is what it is on Linux.
	Secret func(path string) bool
}

// Open fails: nothing is kept here.
func Open(func(string) string) (*Store, error) { return nil, ErrUnsupported }

// Close does nothing.
func (*Store) Close() error { return nil }

// Keep fails.
func (*Store) Keep(context.Context, string, string, []Target) (*Entry, error) {
	return nil, ErrUnsupported
}

// List fails.
func (*Store) List() ([]*Entry, error) { return nil, ErrUnsupported }

// Restore fails.
func (*Store) Restore(context.Context, string, bool) (*Entry, error) { return nil, ErrUnsupported }
