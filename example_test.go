package heed_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/heedsh/heed"
	"github.com/heedsh/heed/heedtest"
	"github.com/heedsh/heed/risk"
)

// project makes a small directory to ask about, and returns its name and how
// to remove it.
func project() (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "heed-example-")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("one\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "cache"), 0o755); err != nil {
		log.Fatal(err)
	}
	return dir, func() { _ = os.RemoveAll(dir) }
}

// One engine serves a whole program: it is safe for concurrent use.
func ExampleNew() {
	dir, remove := project()
	defer remove()
	engine := heed.New(heed.Options{})

	commands := []string{"cat notes.txt", "rm notes.txt", "rm -rf /"}
	answers := make([]risk.Assessment, len(commands))
	var wg sync.WaitGroup
	for i, command := range commands {
		wg.Go(func() {
			a, err := engine.Assess(context.Background(), risk.Request{Command: command, Dir: dir})
			if err != nil {
				log.Print(err) // and the answer is REVIEW
			}
			answers[i] = a
		})
	}
	wg.Wait()
	for _, a := range answers {
		fmt.Printf("[%s] %s\n", a.Tier, a.Command)
	}
	// Output:
	// [SAFE] cat notes.txt
	// [CAUTION] rm notes.txt
	// [REVIEW] rm -rf /
}

// The environment in a request is the whole environment: a name that it leaves
// out is not set, and what is not set is judged at its worst.
func ExampleEngine_Assess() {
	dir, remove := project()
	defer remove()
	engine := heed.New(heed.Options{})

	for _, env := range []map[string]string{{"DIR": dir}, {}} {
		a, err := engine.Assess(context.Background(), risk.Request{
			Command: `rm -rf "$DIR/cache"`,
			Shell:   "bash",
			Dir:     dir,
			Env:     env,
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(a.Tier, a.Level, a.Verdict)
	}
	// Output:
	// CAUTION B WARN
	// REVIEW C BLOCK
}

// Effects say what would happen to which target, for policies and logs.
func ExampleEngine_Assess_effects() {
	dir, remove := project()
	defer remove()
	engine := heed.New(heed.Options{})

	a, err := engine.Assess(context.Background(), risk.Request{Command: "mkdir new && rm notes.txt", Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range a.Effects {
		if rel, err := filepath.Rel(dir, e.Target); err == nil && e.Tier > risk.Safe {
			fmt.Println(e.Verb, rel, e.Scope)
		}
	}
	// Output:
	// fs.create new workspace
	// fs.delete notes.txt workspace
}

// Without an answer there is an error, and an assessment that says REVIEW.
func ExampleEngine_Assess_cancelled() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a, err := heed.New(heed.Options{}).Assess(ctx, risk.Request{Command: "ls"})
	fmt.Println(a.Tier, errors.Is(err, context.Canceled))
	// Output:
	// REVIEW true
}

// A Failure says why there is no real assessment.
func ExampleFailure() {
	env := map[string]string{"EVERYTHING": strings.Repeat("x", 1<<20)}
	a, err := heed.New(heed.Options{}).Assess(context.Background(), risk.Request{Command: "ls", Dir: "/", Env: env})
	var failure *heed.Failure
	if errors.As(err, &failure) {
		fmt.Println(a.Tier, failure.Reason)
	}
	// Output:
	// REVIEW the environment variable "EVERYTHING" is longer than a program can be given (1048588 bytes, 131072 allowed)
}

// In a made-up world a program that uses heed can be tested anywhere.
func ExampleOptions_world() {
	world, req, err := heedtest.World(`
		git .  on main
		notes.txt      untracked
		node_modules/  ignored 1243 files 312MB
		package.json       tracked "{}"
		package-lock.json  tracked "{}"
	`)
	if err != nil {
		log.Fatal(err)
	}
	engine := heed.New(heed.Options{World: world})
	for _, command := range []string{"rm -rf node_modules", "git clean -fd"} {
		req.Command = command
		a, err := engine.Assess(context.Background(), req)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("[%s] %s\n", a.Tier, a.Summary)
	}
	// Output:
	// [CAUTION] Deletes 1,243 files (312 MB) in ./node_modules; package-lock.json can restore them.
	// [REVIEW] Deletes ./notes.txt, which git does not have.
}
