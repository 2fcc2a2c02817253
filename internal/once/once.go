// Package once makes values when they are first asked for.
//
// In goes a function; out comes what it returns, the same each time. It is
// [sync.OnceValue] for variables of packages: a Value is plain data, so that a
// package that has some does nothing before main. heed is started for every
// command of an agent, and a page of code touched for each package that makes
// something at its start is what starting costs.
package once

import "sync"

// A Value is made by Make when it is first asked for. It may be asked by several
// goroutines and must not be copied.
type Value[T any] struct {
	Make func() T

	done  sync.Once
	value T
}

// Get returns the value.
func (v *Value[T]) Get() T {
	v.done.Do(func() { v.value = v.Make() })
	return v.value
}
