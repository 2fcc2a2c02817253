// Command sidebyside times heed beside other programs that look at a command
// before it runs, in one run and in turns, each started anew for every answer:
//
//	npm --prefix DIR install cc-safety-net @shellfirm/cli-linux-x64 @sheeki03/tirith-linux-x64
//	go run ./tools/sidebyside -npm DIR -dir WORLD/home/user/project
//
// A program that is not there or does not start is left out. shellfirm wants
// glibc 2.39: -loader names the dynamic loader of a newer one, whose libraries
// lie beside it.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A tool starts one program for a command.
type tool struct {
	name string
	argv func(command string) []string
	hook bool // the command is sent as an agent sends it, on standard input
}

func main() {
	log.SetFlags(0)
	npm := flag.String("npm", "", "DIR where npm installed the others")
	dir := flag.String("dir", ".", "DIR the commands would run in")
	loader := flag.String("loader", "", "FILE that loads shellfirm, if the system's glibc is too old")
	rounds := flag.Int("rounds", 40, "N answers of each program for each command")
	flag.Parse()
	temp, err := os.MkdirTemp("", "sidebyside")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(temp) }()
	heed := filepath.Join(temp, "heed")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", heed, "github.com/heedsh/heed/cmd/heed")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		log.Fatalf("building heed: %v\n%s", err, out)
	}
	modules := filepath.Join(*npm, "node_modules")
	shellfirm := []string{filepath.Join(modules, "@shellfirm/cli-linux-x64/shellfirm")}
	if *loader != "" {
		shellfirm = append([]string{*loader, "--library-path", filepath.Dir(*loader) + ":/usr/lib/x86_64-linux-gnu"}, shellfirm...)
	}
	fixed := func(argv ...string) func(string) []string { return func(string) []string { return argv } }
	with := func(argv ...string) func(string) []string {
		return func(c string) []string { return append(slices.Clip(argv), c) }
	}
	tools := []tool{
		{"heed check", with(heed, "check"), false},
		{"heed hook claude-code", fixed(heed, "hook", "claude-code"), true},
		{"cc-safety-net hook -cc", fixed(filepath.Join(modules, ".bin/cc-safety-net"), "hook", "-cc"), true},
		{"shellfirm check", with(append(shellfirm, "check", "--exit-code", "-c")...), false},
		{"tirith check", with(filepath.Join(modules, "@sheeki03/tirith-linux-x64/bin/tirith"), "check", "--quiet", "--"), false},
	}
	var parts []string
	for i := range 21 {
		parts = append(parts, fmt.Sprintf("grep -rn 'pattern %d' src | sort -u > out%d.txt", i, i))
	}
	commands := []string{"git status", "rm -rf /", strings.Join(parts, " && ")} // the last has 1 KB
	times := map[string][]time.Duration{}
	for range *rounds {
		for i, c := range commands {
			for _, t := range tools {
				if took, ok := once(t, c, *dir, temp); ok {
					key := fmt.Sprint(t.name, i)
					times[key] = append(times[key], took)
				}
			}
		}
	}
	fmt.Printf("%-24s %18s %18s %18s\n", "median of "+fmt.Sprint(*rounds), "git status", "rm -rf /", fmt.Sprintf("%d bytes", len(commands[2])))
	for _, t := range tools {
		fmt.Printf("%-24s", t.name)
		for i := range commands {
			fmt.Print(" ", cell(times[fmt.Sprint(t.name, i)], times[fmt.Sprint("heed check", i)]))
		}
		fmt.Println()
	}
}

// once starts a program and waits for it. Its exit code says what it thinks of
// the command, so that only a program that does not start counts as missing.
func once(t tool, command, dir, home string) (time.Duration, bool) {
	argv := t.argv(command)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+home)
	if t.hook {
		payload, err := json.Marshal(map[string]any{
			"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": dir, "tool_input": map[string]string{"command": command},
		})
		if err != nil {
			return 0, false
		}
		cmd.Stdin = bytes.NewReader(payload)
	}
	start := time.Now()
	err := cmd.Run()
	return time.Since(start), err == nil || cmd.ProcessState != nil
}

// cell shows the median and how many times heed's it is.
func cell(all, base []time.Duration) string {
	if len(all) == 0 || len(base) == 0 {
		return fmt.Sprintf("%18s", "did not start")
	}
	m := median(all)
	return fmt.Sprintf("%9.1f ms %4.1fx", float64(m.Microseconds())/1000, float64(m)/float64(median(base)))
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}
