package pin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
)

// TestMain makes this test binary also a program that guesses until it is killed:
// it says each comparison that it got.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "guess" {
		s := cheap(os.Args[2])
		for i := 0; ; i++ {
			err := s.Check(context.Background(), fmt.Appendf(nil, "%06d", 700000+i))
			if errors.As(err, new(Wait)) {
				os.Exit(3)
			}
			if errors.As(err, new(Wrong)) {
				fmt.Println("compared")
			} else {
				fmt.Println(err)
			}
		}
	}
	os.Exit(m.Run())
}

// cheap is a store below a directory whose hashes cost little.
func cheap(dir string) *Store {
	s, err := Open(func(name string) string { return map[string]string{"XDG_STATE_HOME": dir}[name] })
	if err != nil {
		panic(err)
	}
	s.cost = cost{1, 64, 1}
	return s
}

// set is a store in which 271828 is set up, with a clock that stands still.
func set(t *testing.T) (*Store, *time.Time) {
	t.Helper()
	s := cheap(t.TempDir())
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	s.now = func() time.Time { return now }
	if err := s.Set(nil, []byte("271828")); err != nil {
		t.Fatal(err)
	}
	return s, &now
}

func check(s *Store, pin string) error { return s.Check(context.Background(), []byte(pin)) }

func TestRightAndWrong(t *testing.T) {
	t.Parallel()
	s := cheap(t.TempDir())
	if is, err := s.Exists(); is || err != nil {
		t.Errorf("before: %v, %v", is, err)
	}
	if err := check(s, "271828"); !errors.Is(err, ErrNone) {
		t.Errorf("before: %v", err)
	}
	if err := s.Remove([]byte("271828")); !errors.Is(err, ErrNone) {
		t.Errorf("before: %v", err)
	}
	pin := []byte("271828")
	if err := s.Set(nil, pin); err != nil || !bytes.Equal(pin, make([]byte, 6)) {
		t.Fatalf("%v, and it is wiped: %q", err, pin)
	}
	if is, err := s.Exists(); !is || err != nil {
		t.Errorf("after: %v, %v", is, err)
	}
	pin = []byte("271828")
	if err := s.Check(context.Background(), pin); err != nil || !bytes.Equal(pin, make([]byte, 6)) {
		t.Errorf("right: %v, %q", err, pin)
	}
	var wrong Wrong
	if err := check(s, "271829"); !errors.As(err, &wrong) || wrong.Left != 4 || !wrong.Until.IsZero() {
		t.Errorf("wrong: %v", err)
	}
	if err := check(s, "2718280"); !errors.As(err, &wrong) || wrong.Left != 3 {
		t.Errorf("longer: %v", err)
	}
	// A slip costs nothing, and the right one gives all tries back.
	if err := check(s, "2718"); err == nil || errors.As(err, &wrong) && wrong.Left != 3 {
		t.Errorf("short: %v", err)
	}
	if err := check(s, "271828"); err != nil {
		t.Error(err)
	}
	if err := check(s, "111222"); !errors.As(err, &wrong) || wrong.Left != 4 {
		t.Errorf("after a right one: %v", err)
	}
	text, err := os.ReadFile(s.File())
	if err != nil || bytes.Contains(text, []byte("271828")) {
		t.Errorf("%s, %v", text, err)
	}
	for _, f := range []string{s.File(), filepath.Join(filepath.Dir(s.File()), lockName)} {
		if i, err := os.Stat(f); err != nil || i.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f, i, err)
		}
	}
	if i, err := os.Stat(filepath.Dir(s.File())); err != nil || i.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", i, err)
	}
}

func TestAnotherAndNone(t *testing.T) {
	t.Parallel()
	s, _ := set(t)
	for _, old := range []string{"", "1", "314159"} {
		if err := s.Set([]byte(old), []byte("161803")); err == nil {
			t.Errorf("set with %q", old)
		}
		if err := s.Remove([]byte(old)); err == nil {
			t.Errorf("removed with %q", old)
		}
	}
	if err := s.Set([]byte("271828"), []byte("161803")); err != nil {
		t.Fatal(err)
	}
	if err := check(s, "271828"); err == nil {
		t.Error("the old one is right")
	}
	if err := s.Remove([]byte("161803")); err != nil {
		t.Fatal(err)
	}
	if is, err := s.Exists(); is || err != nil {
		t.Errorf("%v, %v", is, err)
	}
}

func TestWhatIsNoPIN(t *testing.T) {
	t.Parallel()
	s := cheap(t.TempDir())
	for _, pin := range []string{
		"", "12345", "12345a", "１２３４５６", "000000", "7777777", "123456", "654321", "890123", "210987", "121212", "12121212", "123123", "4564564", strings.Repeat("27", 33),
	} {
		if err := s.Set(nil, []byte(pin)); err == nil {
			t.Errorf("%q is taken", pin)
			s.Remove([]byte(pin))
		}
	}
	for _, pin := range []string{"271828", "112233", "123457", "0123455", "90817263544536271809"} {
		if err := s.Set(nil, []byte(pin)); err != nil {
			t.Errorf("%q: %v", pin, err)
		}
		if err := s.Remove([]byte(pin)); err != nil {
			t.Error(err)
		}
	}
}

func TestWaits(t *testing.T) {
	t.Parallel()
	s, now := set(t)
	var wrong Wrong
	for left := 4; left >= 0; left-- {
		if err := check(s, "314159"); !errors.As(err, &wrong) || wrong.Left != left || wrong.Until.IsZero() != (left > 0) {
			t.Errorf("%d left: %v", left, err)
		}
	}
	waits := []time.Duration{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440}
	for _, w := range waits {
		w *= time.Minute
		if !wrong.Until.Equal(now.Add(w)) {
			t.Errorf("until %s, want %s later", wrong.Until, w)
		}
		*now = now.Add(w - time.Millisecond)
		var wait Wait
		// Also the right one waits, in another process too.
		if err := check(s, "271828"); !errors.As(err, &wait) || !wait.Until.Equal(wrong.Until) {
			t.Errorf("after %s: %v", w, err)
		}
		*now = now.Add(time.Millisecond)
		wrong = Wrong{}
		if err := check(s, "314159"); !errors.As(err, &wrong) || wrong.Left != 0 {
			t.Errorf("after %s: %v", w, err)
		}
	}
	*now = now.Add(24 * time.Hour)
	if err := check(s, "271828"); err != nil {
		t.Error(err)
	}
	wrong = Wrong{}
	if err := check(s, "314159"); !errors.As(err, &wrong) || wrong.Left != 4 {
		t.Errorf("after the right one: %v", err)
	}
}

// TestClockThatIsSetBack: no wait gets shorter, and none lasts for ever.
func TestClockThatIsSetBack(t *testing.T) {
	t.Parallel()
	s, now := set(t)
	for range 7 {
		check(s, "314159")
		*now = now.Add(5 * time.Minute)
	}
	check(s, "314159") // the eighth: eight minutes
	var wait Wait
	*now = now.Add(-365 * 24 * time.Hour)
	if err := check(s, "271828"); !errors.As(err, &wait) || wait.Until.Sub(*now) < 4*time.Minute {
		t.Fatalf("%v at %s", err, now)
	}
	first := wait.Until
	*now = now.Add(time.Minute)
	if err := check(s, "271828"); !errors.As(err, &wait) || !wait.Until.Equal(first) {
		t.Errorf("a minute later: %v", err)
	}
	*now = first
	if err := check(s, "271828"); err != nil {
		t.Errorf("at the end: %v", err)
	}
}

// TestAtOnce: whoever guesses in parallel has five tries.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	s, _ := set(t)
	var mu sync.Mutex
	compared, waiting := 0, 0
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			other := *s // as another process would have it
			err := other.Check(context.Background(), fmt.Appendf(nil, "%06d", 700000+i))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.As(err, new(Wrong)):
				compared++
			case errors.As(err, new(Wait)):
				waiting++
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if compared != 5 || waiting != 15 {
		t.Errorf("%d compared, %d waited", compared, waiting)
	}
}

// TestKilled: processes that guess and are killed get no more tries than the file
// has counted, and together no more than five.
func TestKilled(t *testing.T) {
	t.Parallel()
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for round := range 12 {
		dir := t.TempDir()
		s := cheap(dir)
		s.cost = cost{2, 4 << 10, 1} // long enough to be killed in
		if err := s.Set(nil, []byte("271828")); err != nil {
			t.Fatal(err)
		}
		said := make([]bytes.Buffer, 4)
		var guessers []*exec.Cmd
		for i := range said {
			g := exec.Command(me, "guess", dir)
			g.Stdout = &said[i]
			if err := g.Start(); err != nil {
				t.Fatal(err)
			}
			guessers = append(guessers, g)
		}
		time.Sleep(time.Duration(round) * 4 * time.Millisecond)
		for _, g := range guessers {
			g.Process.Kill()
			g.Wait()
		}
		compared := 0
		for i := range said {
			compared += strings.Count(said[i].String(), "compared")
		}
		text, err := os.ReadFile(s.File())
		if err != nil {
			t.Fatal(err)
		}
		st, err := parse(text)
		if err != nil || st.Failed < compared || compared > 5 {
			t.Errorf("%d compared, and the file says %+v, %v", compared, st, err)
		}
		// What was left behind is in nobody's way.
		if err := check(s, "271828"); err != nil && !errors.As(err, new(Wait)) {
			t.Error(err)
		}
	}
}

// TestDamaged: a file that is not as heed writes it is no PIN, and no leave to do
// without.
func TestDamaged(t *testing.T) {
	t.Parallel()
	s, _ := set(t)
	good, err := os.ReadFile(s.File())
	if err != nil {
		t.Fatal(err)
	}
	change := func(do func(m map[string]any)) []byte {
		var m map[string]any
		if err := json.Unmarshal(good, &m); err != nil {
			t.Fatal(err)
		}
		do(m)
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for name, text := range map[string][]byte{
		"empty":             {},
		"cut":               good[:len(good)/2],
		"more":              append(bytes.Clone(good), '1'),
		"no JSON":           []byte("271828"),
		"another form":      change(func(m map[string]any) { m["format"] = "heed-pin/9" }),
		"no hash":           change(func(m map[string]any) { delete(m, "hash") }),
		"a hash of nothing": change(func(m map[string]any) { m["hash"] = make([]byte, 32) }),
		"a short salt":      change(func(m map[string]any) { m["salt"] = []byte("x") }),
		"all the memory":    change(func(m map[string]any) { m["argon2id"] = map[string]any{"time": 1, "memory": 1 << 30, "threads": 1} }),
		"for ever":          change(func(m map[string]any) { m["argon2id"] = map[string]any{"time": 1 << 30, "memory": 64, "threads": 1} }),
		"no threads":        change(func(m map[string]any) { m["argon2id"] = map[string]any{"time": 1, "memory": 64, "threads": 0} }),
		"counted below":     change(func(m map[string]any) { m["failed"] = -100 }),
		"another key":       change(func(m map[string]any) { m["x"] = 1 }),
		"long":              append(bytes.Repeat([]byte(" "), maxFile), good...),
	} {
		if err := os.WriteFile(s.File(), text, 0o600); err != nil {
			t.Fatal(err)
		}
		refuses(t, s, name)
	}
	if err := os.WriteFile(s.File(), good, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := check(s, "271828"); err != nil {
		t.Errorf("as it was: %v", err)
	}
}

// refuses expects that nothing works, and that nothing says that there is no PIN.
func refuses(t *testing.T, s *Store, name string) {
	t.Helper()
	if is, err := s.Exists(); is || err == nil {
		t.Errorf("%s: exists: %v, %v", name, is, err)
	}
	for what, err := range map[string]error{"check": check(s, "271828"), "set": s.Set([]byte("271828"), []byte("161803")), "remove": s.Remove([]byte("271828"))} {
		if err == nil || errors.Is(err, ErrNone) || errors.As(err, new(Wrong)) || errors.As(err, new(Wait)) {
			t.Errorf("%s: %s: %v", name, what, err)
		}
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, file string) error{
		"others may read it":     func(_ *testing.T, file string) error { return os.Chmod(file, 0o640) },
		"others may write it":    func(_ *testing.T, file string) error { return os.Chmod(file, 0o602) },
		"others may write there": func(_ *testing.T, file string) error { return os.Chmod(filepath.Dir(file), 0o770) },
		"a link": func(_ *testing.T, file string) error {
			return errors.Join(os.Rename(file, file+".real"), os.Symlink(file+".real", file))
		},
		"a link to elsewhere": func(t *testing.T, file string) error {
			to := filepath.Join(t.TempDir(), "x")
			return errors.Join(os.Rename(file, to), os.Symlink(to, file))
		},
		"a linked directory": func(_ *testing.T, file string) error {
			dir := filepath.Dir(file)
			return errors.Join(os.Rename(dir, dir+".real"), os.Symlink(dir+".real", dir))
		},
		"a directory": func(_ *testing.T, file string) error {
			return errors.Join(os.Remove(file), os.Mkdir(file, 0o700))
		},
		"another account's": func(t *testing.T, file string) error {
			if os.Geteuid() != 0 {
				return os.Chmod(file, 0o640) // it cannot be given away
			}
			return os.Chown(file, 1, 1)
		},
		"another account's directory": func(t *testing.T, file string) error {
			if os.Geteuid() != 0 {
				return os.Chmod(filepath.Dir(file), 0o770)
			}
			return os.Chown(filepath.Dir(file), 1, 1)
		},
		"nothing can be locked": func(_ *testing.T, file string) error {
			lock := filepath.Join(filepath.Dir(file), lockName)
			return errors.Join(os.RemoveAll(lock), os.MkdirAll(filepath.Join(lock, "x"), 0o700))
		},
	} {
		s, _ := set(t)
		if err := change(t, s.File()); err != nil {
			t.Fatal(err)
		}
		if name == "nothing can be locked" { // it exists, and is not compared
			if err := check(s, "271828"); err == nil || errors.As(err, new(Wrong)) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		refuses(t, s, name)
	}
	if _, err := Open(func(string) string { return "relative" }); err == nil {
		t.Error("a relative home is taken")
	}
}

// TestLockThatIsRemoved: nobody hangs, or is let in, because the lock's file comes
// and goes. (Who can remove it can remove the PIN.)
func TestLockThatIsRemoved(t *testing.T) {
	t.Parallel()
	s, _ := set(t)
	stop := make(chan struct{})
	var remover sync.WaitGroup
	remover.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				os.Remove(filepath.Join(s.dir, lockName))
			}
		}
	})
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := check(s, fmt.Sprintf("%06d", 700000+i)); err == nil {
				t.Error("right")
			}
		})
	}
	all.Wait()
	close(stop)
	remover.Wait()
}

// TestNobodyWaitsForEver: a lock that is kept ends with the caller's patience.
func TestNobodyWaitsForEver(t *testing.T) {
	t.Parallel()
	s, _ := set(t)
	root, err := s.open(false)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	l, err := ownfile.Lock(context.Background(), root, lockName, false, patience)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Check(ctx, []byte("271828")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestUsualCost: what is set up costs what OWASP asks for.
func TestUsualCost(t *testing.T) {
	t.Parallel()
	s := cheap(t.TempDir())
	s.cost = usual()
	if err := s.Set(nil, []byte("271828")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(s.File())
	if err != nil || !strings.Contains(string(text), `"argon2id":{"time":2,"memory":19456,"threads":1}`) {
		t.Errorf("%s, %v", text, err)
	}
	if err := check(s, "271828"); err != nil {
		t.Error(err)
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 26, 12, 0, 0, 1, time.Local)
	for err, want := range map[error]string{
		Wrong{Left: 2}:   "wrong PIN; tries left: 2",
		Wrong{Until: at}: "wrong PIN; the next try is at 2026-11-26 12:00:01",
		Wait{at}:         "too many wrong PINs; the next try is at 2026-11-26 12:00:01",
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
}
