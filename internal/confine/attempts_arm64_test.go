//go:build linux

package confine_test

func segments() error { return unfit("there are none") }

func ports() error { return unfit("there are none") }
