package generate

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
)

// Main is a generator's main function. It reads the command line, makes the files, named
// from the working directory on, and writes them; with -check it writes nothing, and fails
// if one is stale. again is the command that makes them afresh, "go generate ./risk".
func Main(again string, files func() (map[string][]byte, error)) {
	check := flag.Bool("check", false, "write nothing; fail if a file is stale")
	flag.Parse()
	made, err := files()
	if err == nil {
		err = Write(made, again, *check)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Write writes files, or compares them with what is there.
func Write(files map[string][]byte, again string, check bool) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !check {
			if err := os.WriteFile(name, files[name], 0o644); err != nil {
				return fmt.Errorf("writing what was generated: %w", err)
			}
			continue
		}
		old, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(old, files[name]) {
			return errors.Join(fmt.Errorf("%s is stale: run %s", name, again), err)
		}
	}
	return nil
}
