package heedrun_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/heedsh/heed/heedrun"
)

// project makes a small directory to run commands in, with a home of its own, and
// returns an environment, the directory and how to remove it.
func project() (env []string, dir string, remove func()) {
	home, err := os.MkdirTemp("", "heed-example-")
	if err != nil {
		log.Fatal(err)
	}
	dir = filepath.Join(home, "project")
	if err := os.Mkdir(dir, 0o755); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("one\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	return []string{"HOME=" + home, "PATH=/usr/bin:/bin", "USER=user"}, dir, func() { _ = os.RemoveAll(home) }
}

// A wrapper that is told nothing runs nothing: it says what it would do.
func ExampleWrapper() {
	env, dir, remove := project()
	defer remove()
	var w heedrun.Wrapper
	w.Env, w.Dir = env, dir

	for _, command := range []string{"cat notes.txt", "rm -rf ~"} {
		r, err := w.Run(context.Background(), command)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("[%s] %s: allowed %t, executed %t\n", r.Assessment.Tier, command, r.Allowed, r.Executed)
	}
	// Output:
	// [SAFE] cat notes.txt: allowed true, executed false
	// [REVIEW] rm -rf ~: allowed false, executed false
}

// With Execute it runs what policy allows, within a time, and refuses the rest.
func ExampleWrapper_Run() {
	env, dir, remove := project()
	defer remove()
	w := heedrun.Wrapper{Execute: true, Timeout: 10 * time.Second, Env: env, Dir: dir}

	r, err := w.Run(context.Background(), "cat notes.txt; exit 3")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q, exit code %d\n", r.Stdout, r.ExitCode)

	_, err = w.Run(context.Background(), "rm -rf ~")
	fmt.Println(errors.Is(err, heedrun.ErrRefused))
	// Output:
	// "one\n", exit code 3
	// true
}
