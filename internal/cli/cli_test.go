package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/risk"
)

// streams returns the streams of a process in an empty directory.
func streams(t *testing.T, in string) (s Streams, out, errs *bytes.Buffer) {
	t.Helper()
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	dir := t.TempDir()
	return Streams{In: strings.NewReader(in), Out: out, Err: errs, Dir: dir, Env: []string{"HOME=" + dir, "PATH=/usr/bin:/bin", "USER=u"}}, out, errs
}

func TestColourOnlyRepeatsTheWord(t *testing.T) {
	t.Parallel()
	for tier, command := range map[risk.Tier]string{risk.Safe: "ls", risk.Caution: "mkdir x", risk.Review: "rm -rf /etc"} {
		s, plain, _ := streams(t, "")
		Main([]string{"check", command}, s)
		s.Colour = true
		var coloured bytes.Buffer
		s.Out = &coloured
		Main([]string{"check", command}, s)
		word := "[" + tier.String() + "]"
		if !strings.HasPrefix(plain.String(), word+" ") {
			t.Errorf("%s: %q does not begin with %s", command, plain, word)
		}
		if !strings.HasPrefix(coloured.String(), "\x1b[") || !strings.Contains(coloured.String(), word+"\x1b[0m ") {
			t.Errorf("%s: %q has no coloured %s", command, &coloured, word)
		}
	}
}

func TestTerminalWithoutACommand(t *testing.T) {
	t.Parallel()
	s, _, errs := streams(t, "never read")
	s.InTTY = true
	if code := Main([]string{"check"}, s); code != ExitUsage {
		t.Errorf("exit code %d, want %d", code, ExitUsage)
	}
	if !strings.Contains(errs.String(), "heed check --help") {
		t.Errorf("%q does not say what next", errs)
	}
}

// TestBatchAnswersAtOnce writes a request and waits for its answer with the
// input still open, as a co-process does.
func TestBatchAnswersAtOnce(t *testing.T) {
	t.Parallel()
	s, _, _ := streams(t, "")
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	s.In, s.Out = in, out
	done := make(chan int, 1)
	go func() {
		defer out.Close()
		done <- Main([]string{"check", "--batch"}, s)
	}()
	lines := bufio.NewScanner(answers)
	for _, id := range []string{"one", "two", "three"} {
		if _, err := io.WriteString(requests, `{"id":"`+id+`","cmd":"ls"}`+"\n"); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() {
			t.Fatal("no answer")
		}
		if !strings.HasPrefix(lines.Text(), `{"id":"`+id+`"`) {
			t.Errorf("answer to %s: %s", id, lines.Text())
		}
	}
	requests.Close()
	if lines.Scan() {
		t.Errorf("one more answer: %s", lines.Text())
	}
	if code := <-done; code != ExitOK {
		t.Errorf("exit code %d", code)
	}
}

// TestBatchKeepsOrder answers many more requests than fit in the chunks that
// are on their way.
func TestBatchKeepsOrder(t *testing.T) {
	t.Parallel()
	var in strings.Builder
	var want []string
	for i := range 3000 {
		id, command := strings.Repeat("x", i%7)+string(rune('a'+i%26)), "ls"
		if i%13 == 0 {
			command = "rm -rf /etc"
		}
		line, err := json.Marshal(map[string]string{"id": id, "cmd": command})
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
		want = append(want, id)
	}
	s, out, _ := streams(t, in.String())
	if code := Main([]string{"check", "--batch"}, s); code != ExitOK {
		t.Fatalf("exit code %d", code)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		var a risk.Assessment
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		got = append(got, a.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d answers, want %d in the order of the requests", len(got), len(want))
	}
}

// brokenReader fails after its text.
type brokenReader struct{ *strings.Reader }

var errBroken = errors.New("the disk is gone")

func (r brokenReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil {
		err = errBroken
	}
	return n, err
}

func TestInputThatBreaks(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"check"}, {"check", "--batch"}, {"explain"}} {
		s, out, errs := streams(t, "")
		s.In = brokenReader{strings.NewReader("{\"cmd\":\"ls\"}\n")}
		if code := Main(args, s); code != ExitUsage {
			t.Errorf("%v: exit code %d, want %d", args, code, ExitUsage)
		}
		if !strings.Contains(errs.String(), "standard input: the disk is gone") {
			t.Errorf("%v: %q", args, errs)
		}
		if args[len(args)-1] == "--batch" && !strings.Contains(out.String(), `"tier":"SAFE"`) {
			t.Errorf("the line before the fault was not answered: %q", out)
		}
	}
}
