//go:build !linux

package undo

import (
	"context"
	"os"
)

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
func (*Store) Keep(context.Context, Order) (*Entry, error) { return nil, ErrUnsupported }

// List fails.
func (*Store) List() ([]*Entry, []Damaged, error) { return nil, nil, ErrUnsupported }

// Find fails.
func (*Store) Find(string) (*Entry, error) { return nil, ErrUnsupported }

// Running fails.
func (*Store) Running(context.Context, string) (*os.File, error) { return nil, ErrUnsupported }

// Seal fails.
func (*Store) Seal(context.Context, string, func() error) error { return ErrUnsupported }

// Check fails.
func (*Store) Check(context.Context, string, []string) (*Undone, error) {
	return nil, ErrUnsupported
}

// Restore fails.
func (*Store) Restore(context.Context, string, []string, bool) (*Undone, error) {
	return nil, ErrUnsupported
}
