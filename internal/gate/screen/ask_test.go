package screen

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/risk"
)

// anyQuestion draws a question that consent could have made.
func anyQuestion(t *rapid.T) *gate.Question {
	tier := rapid.SampledFrom([]risk.Tier{risk.Safe, risk.Caution, risk.Review}).Draw(t, "tier")
	text := rapid.StringN(0, 200, -1)
	texts := rapid.SliceOfN(text, 0, 4)
	c := &consent.Consent{
		ID: rapid.StringMatching("[0-9a-f]{64}").Draw(t, "id"), Tier: tier, Explanation: text.Draw(t, "sentence"), Command: text.Draw(t, "command"),
		Why: texts.Draw(t, "why"), Asks: text.Draw(t, "asks"), Dir: text.Draw(t, "dir"), Irreversible: texts.Draw(t, "lost"),
		Consequences: risk.Consequences{Direct: texts.Draw(t, "direct"), Indirect: texts.Draw(t, "indirect")},
		Decision:     "ask", Rule: text.Draw(t, "rule"), Layer: "built in", Final: rapid.IntRange(0, 9).Draw(t, "final") == 0,
	}
	c.Confirm = consent.Confirm{By: rapid.SampledFrom([]string{consent.ByNothing, consent.ByClick, consent.ByWord, consent.ByPin}).Draw(t, "by"), What: "branch", Word: "trunk"}
	for i := range rapid.IntRange(0, 4).Draw(t, "parts") {
		c.Parts = append(c.Parts, consent.Part{Command: text.Draw(t, "part"), Tier: risk.Tier(i % 3), Does: []string{"[CAUTION] fs.delete " + text.Draw(t, "target")}, Decision: "ask"})
	}
	for range rapid.IntRange(0, 6).Draw(t, "safer") {
		c.Safer = append(c.Safer, risk.Safer{Command: text.Draw(t, "safer command"), Why: text.Draw(t, "why")})
	}
	if n := len(c.Command); n > 1 {
		from := rapid.IntRange(0, n-1).Draw(t, "from")
		c.Spans = []risk.Span{{Start: from, End: rapid.IntRange(from, n).Draw(t, "to")}}
	}
	return &gate.Question{
		Shown: c, Offers: []gate.Choice{gate.ThisSession, gate.AsRule, gate.Edit, gate.Instead}[:rapid.IntRange(0, 4).Draw(t, "offers")],
		Rule: text.Draw(t, "rule text"), Covers: &gate.Covers{Days: 7, Some: texts.Draw(t, "covers"), All: rapid.IntRange(0, 1000).Draw(t, "covered"), Left: rapid.Bool().Draw(t, "left")}, Text: text.Draw(t, "text"), Exposure: rapid.IntRange(0, 1000).Draw(t, "exposure"),
		CheckPIN: func([]byte) error { return nil },
	}
}

// TestAlways holds what must be so for every question, at every size, in every mode.
func TestAlways(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := anyQuestion(t)
		a, _ := standing(q, time.Hour)
		pool, _ := poolOf(q.Shown.Tier)
		letters, places := map[rune]bool{}, map[[2]int]bool{}
		for _, k := range a.keys {
			place := [2]int{k.row, k.col}
			switch {
			case letters[k.letter]:
				t.Fatalf("two choices share %c", k.letter)
			case places[place]:
				t.Fatalf("two choices share a place: %v", place)
			case !strings.ContainsRune(pool, k.letter):
				t.Fatalf("%c is not a letter of %s", k.letter, q.Shown.Tier)
			case (q.Shown.Tier == risk.Review) != (k.col >= halfCols):
				t.Fatalf("%s has the place %v", q.Shown.Tier, place)
			case q.Shown.Final && (k.action == runOnce || k.action == runSession || k.action == makeRule || k.action == stepwise):
				t.Fatalf("what is denied for good offers to %s", k.label())
			case q.Shown.Tier == risk.Review && (k.action == runSession || k.action == makeRule):
				t.Fatalf("REVIEW offers %s", k.label())
			}
			letters[k.letter], places[place] = true, true
		}
		for _, r := range a.spare {
			if letters[r] {
				t.Fatalf("%c is asked further, and a choice", r)
			}
		}
		for m := reading; m <= stepping; m++ {
			if m == stepping && len(q.Shown.Parts) == 0 {
				continue
			}
			a.to(m)
			for _, size := range [][2]int{{80, 24}, {200, 60}, {minWidth, minHeight}, {30, 5}, {1, 1}} {
				held(t, a, size[0], size[1])
			}
		}
	})
}

// fataler is the part of tests that held needs.
type fataler interface{ Fatalf(string, ...any) }

// held checks a screen: its badge, its size, and that nothing on it moves the cursor.
func held(t fataler, a *ask, w, h int) []line {
	lines := a.lines(w, h)
	if len(lines) != h {
		t.Fatalf("%d lines of %d", len(lines), h)
	}
	if want := "[" + a.q.Shown.Tier.String() + "]"; w >= 10 && !strings.HasPrefix(lines[0].text(), want) {
		t.Fatalf("the first line is %q", lines[0].text())
	}
	for i, l := range lines {
		if n := width(l.text()); n > w {
			t.Fatalf("line %d is %d wide, of %d: %q", i, n, w, l.text())
		}
		for _, p := range l {
			for _, r := range p.text {
				if r < 0x20 || 0x7f <= r && r < 0xa0 || r == 0x202e || r == 0x200b || r == 0xfeff {
					t.Fatalf("line %d holds %U: %q", i, r, p.text)
				}
			}
		}
	}
	return lines
}

// TestEnterNeverRuns presses Enter, and space, on every question.
func TestEnterNeverRuns(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := anyQuestion(t)
		a, _ := standing(q, time.Hour)
		press(a, "enter", "space", "tab", "enter", "y", "enter")
		if a.done != nil && a.done.Choice != gate.No {
			t.Fatalf("%s: %+v", q.Shown.Tier, a.done)
		}
		for _, k := range a.keys { // and after each key, where a word is wanted
			a, _ := standing(q, time.Hour)
			press(a, string(k.letter), "enter")
			if q.Shown.Tier == risk.Review && a.done != nil && a.done.Choice != gate.No && a.done.Choice != gate.Edit {
				t.Fatalf("REVIEW: %s and Enter: %+v", k.label(), a.done)
			}
		}
	})
}

// TestVaries: letters, places and the order of the facts change with the exposure, and
// are the same for the same.
func TestVaries(t *testing.T) {
	t.Parallel()
	q := &gate.Question{Shown: shown(t, "git push --force origin trunk && rm -rf build", false), Offers: []gate.Choice{gate.Edit, gate.Instead}}
	letters, places, firsts := map[rune]int{}, map[[2]int]int{}, map[string]int{}
	for q.Exposure = range 200 {
		a, b := newAsk(q, time.Now), newAsk(q, time.Now)
		if d := cmp.Diff(screenText(a, 80, 24), screenText(b, 80, 24)); d != "" {
			t.Fatalf("the same question twice:\n%s", d)
		}
		for _, k := range a.keys {
			if k.action == runOnce {
				letters[k.letter]++
				places[[2]int{k.row, k.col}]++
			}
		}
		firsts[a.facts[0].label]++
	}
	if len(letters) != len(lettersOfReview) || len(places) != keyRows*halfCols || len(firsts) != len(newAsk(q, time.Now).facts) {
		t.Errorf("to run it has %d letters and %d places; %d facts lead", len(letters), len(places), len(firsts))
	}
}

const cautious = "rm -rf src && git push origin trunk"

// TestAnswers walks through all that can be said.
func TestAnswers(t *testing.T) {
	t.Parallel()
	click := func() *gate.Question {
		return &gate.Question{
			Shown: shown(t, cautious, false), Text: cautious, Rule: "allow: rm", Covers: &gate.Covers{Days: 7, All: 1, Some: []string{"rm x"}},
			Offers: []gate.Choice{gate.ThisSession, gate.AsRule, gate.Edit, gate.Instead},
		}
	}
	word := func() *gate.Question {
		q := click()
		q.Shown = shown(t, "rm -rf src && git push --force origin trunk", false)
		return q
	}
	pin := func() *gate.Question {
		q := word()
		q.Shown = shown(t, "rm -rf src && git push --force origin trunk", true)
		q.CheckPIN = func(pin []byte) error {
			if string(pin) != "246813" {
				return errors.New("that is not the PIN")
			}
			return nil
		}
		return q
	}
	lost := func() *gate.Question {
		q := click()
		q.Shown = shown(t, "rm -rf build && git push --force origin trunk", false)
		return q
	}
	lostByPIN := func() *gate.Question {
		q := pin()
		q.Shown = shown(t, "rm -rf build && git push --force origin trunk", true)
		return q
	}
	type script func(a *ask)
	key := func(what action, more ...string) script {
		return func(a *ask) { press(a, append([]string{a.keyFor(t, what)}, more...)...) }
	}
	further := func(what action) script {
		return func(a *ask) { press(a, a.keyFor(t, what)); press(a, string(a.spare[0])) }
	}
	steps := func(n int, more ...string) script {
		return func(a *ask) {
			press(a, a.keyFor(t, stepwise))
			for range n {
				press(a, string(a.stepLetter()))
			}
			press(a, more...)
		}
	}
	upto := func(n int, more ...string) script {
		return func(a *ask) {
			steps(n)(a)
			press(a, append([]string{string(a.partLetter())}, more...)...)
		}
	}
	divided := func(q func() *gate.Question) func() *gate.Question {
		return func() *gate.Question {
			out := q()
			out.Offers = append(slices.Clone(out.Offers), gate.Part)
			return out
		}
	}
	for name, c := range map[string]struct {
		q     func() *gate.Question
		after time.Duration
		do    script
		want  string // of the answer, or "" if there is none
	}{
		"once":                             {click, think, key(runOnce), "1 click"},
		"once, with the shift lock":        {click, think, func(a *ask) { press(a, strings.ToUpper(a.keyFor(t, runOnce))) }, "1 click"},
		"this session, seen only":          {click, think, key(runSession), ""},
		"this session":                     {click, think, further(runSession), "2 click"},
		"a rule, seen only":                {click, think, key(makeRule), ""},
		"a rule":                           {click, think, further(makeRule), "3 click"},
		"edited":                           {click, think, key(editIt, append([]string{"ctrl+u"}, append(letters("ls -l"), "enter")...)...), `4 click ls -l`},
		"edited, the same":                 {click, think, key(editIt, "enter"), ""},
		"edited, nothing":                  {click, think, key(editIt, "ctrl+u", "enter"), ""},
		"escape":                           {click, think, func(a *ask) { press(a, "esc") }, "0 click"},
		"no, why":                          {click, think, key(denyIt, append(letters("not now"), "enter")...), "0 click not now"},
		"interrupt":                        {click, think, key(denyIt, "x", "ctrl+c"), "0 click"},
		"steps, all":                       {click, think, steps(2), "1 click"},
		"steps, one":                       {click, think, steps(1), ""},
		"steps, back, and the letter":      {click, think, steps(1, "esc"), ""},
		"too early":                        {click, settle - 1, key(runOnce), ""},
		"the word":                         {word, think, key(runOnce, append(letters("trunk"), "enter")...), "1 person"},
		"another word":                     {word, think, key(runOnce, append(letters("yes"), "enter")...), ""},
		"no word":                          {word, think, key(runOnce, "enter", "enter"), ""},
		"the word too early":               {word, think - 1, key(runOnce, append(letters("trunk"), "enter")...), ""},
		"the word without the key":         {word, think, func(a *ask) { press(a, append(letters("trunk"), "enter")...) }, ""},
		"steps and the word":               {word, think, steps(2, append(letters("trunk"), "enter")...), "1 person"},
		"steps without the word":           {word, think, steps(2, "enter"), ""},
		"up to a step":                     {divided(click), think, upto(1), "6 click 1"},
		"up to a step, with the word":      {divided(lost), think, upto(1, append(letters("build"), "enter")...), "6 person 1"},
		"up to a step, another word":       {divided(lost), think, upto(1, append(letters("trunk"), "enter")...), ""},
		"up to a step, with the PIN":       {divided(lostByPIN), think, upto(1, append(letters("246813"), "enter")...), "6 pin 1"},
		"up to a step that a click is for": {divided(pin), think, upto(1), "6 click 1"},
		"up to no step":                    {divided(click), think, upto(0), ""},
		"up to a step, not offered":        {click, think, upto(1), ""},
		"up to a step, then all":           {divided(lost), think, func(a *ask) { upto(1, "esc")(a); key(runOnce, append(letters("build"), "enter")...)(a) }, "1 person"},
		"the word, pasted": {word, think, func(a *ask) {
			press(a, a.keyFor(t, runOnce))
			a.paste("trunk")
			press(a, "enter")
		}, ""},
		"the PIN":           {pin, think, key(runOnce, append(letters("246813"), "enter")...), "1 pin"},
		"the PIN, mended":   {pin, think, key(runOnce, append(letters("24689"), "backspace", "1", "3", "enter")...), "1 pin"},
		"the PIN too early": {pin, think - 1, key(runOnce, append(letters("246813"), "enter")...), ""},
		"another PIN":       {pin, think, key(runOnce, append(letters("111111"), "enter")...), ""},
		"no PIN":            {pin, think, key(runOnce, "enter", "enter"), ""},
		"the safer one": {word, think, func(a *ask) {
			a.q.Shown.Safer = []risk.Safer{{Command: "git push --force-with-lease origin trunk", Why: "it looks first"}}
			a.keys = append(a.keys, key2(a))
			press(a, a.keyFor(t, runSafer))
			press(a, string(a.spare[0]))
		}, "5 click git push --force-with-lease origin trunk"},
	} {
		q := c.q()
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, _ := standing(q, c.after)
			a.seen = true // see TestReadFirst
			c.do(a)
			got := ""
			if a.done != nil {
				got = strings.TrimSpace(fmt.Sprintf("%d %s %s%s", a.done.Choice, a.done.By, a.done.Reason, a.done.Command))
				if a.done.Steps > 0 {
					got += fmt.Sprintf(" %d", a.done.Steps)
				}
			}
			if got != c.want {
				t.Errorf("answered %q, want %q\n%s", got, c.want, screenText(a, 80, 24))
			}
		})
	}
}

// key2 is a key for the safer command, where the question had none.
func key2(a *ask) key {
	k := key{runSafer, a.spare[len(a.spare)-1], 0, halfCols}
	a.spare = a.spare[:len(a.spare)-1]
	return k
}

// TestReadFirst: what goes on below the screen is read before a yes to REVIEW.
func TestReadFirst(t *testing.T) {
	t.Parallel()
	a, _ := standing(&gate.Question{Shown: shown(t, "rm -rf src && git push --force origin trunk", false)}, think)
	press(a, a.keyFor(t, runOnce))
	if a.mode != reading || !strings.Contains(screenText(a, 80, 24), "There is more to read") {
		t.Errorf("not told to read on:\n%s", screenText(a, 80, 24))
	}
	press(a, "space", "space")
	a.lines(80, 24)
	press(a, a.keyFor(t, runOnce))
	if a.mode != typing {
		t.Errorf("not asked for the word:\n%s", screenText(a, 80, 24))
	}
}

// TestPINIsNotShown: what is typed changes nothing on the screen.
func TestPINIsNotShown(t *testing.T) {
	t.Parallel()
	q := &gate.Question{Shown: shown(t, "git push --force origin trunk", true), CheckPIN: func([]byte) error { return errors.New("no") }}
	a, _ := standing(q, think)
	a.seen = true
	press(a, a.keyFor(t, runOnce))
	before := screenText(a, 80, 24)
	for range 6 {
		press(a, "7")
		if d := cmp.Diff(before, screenText(a, 80, 24)); d != "" {
			t.Fatal(d)
		}
	}
	pin := a.pin[:6]
	press(a, "enter")
	if !cmp.Equal(pin, make([]byte, 6)) {
		t.Errorf("the PIN stays in memory: %q", pin)
	}
}

// TestSmallWindow: where no question can be read nothing is agreed to.
func TestSmallWindow(t *testing.T) {
	t.Parallel()
	a, _ := standing(&gate.Question{Shown: shown(t, cautious, false)}, think)
	a.lines(30, 8)
	press(a, a.keyFor(t, runOnce))
	if a.done != nil {
		t.Errorf("%+v", a.done)
	}
	press(a, "esc")
	if a.done == nil || a.done.Choice != gate.No {
		t.Errorf("%+v", a.done)
	}
}

// TestModifiedLetters: a letter with Ctrl or Alt is another key.
func TestModifiedLetters(t *testing.T) {
	t.Parallel()
	for _, mod := range []tea.KeyMod{tea.ModCtrl, tea.ModAlt, tea.ModMeta} {
		a, _ := standing(&gate.Question{Shown: shown(t, cautious, false)}, think)
		r := []rune(a.keyFor(t, runOnce))[0]
		a.press(tea.Key{Code: r, Text: string(r), Mod: mod})
		if a.done != nil {
			t.Errorf("%v: %+v", mod, a.done)
		}
	}
}

// FuzzLines draws commands that do not want to be read. They come as consent shows them,
// and, as nothing here relies on that, as they are.
func FuzzLines(f *testing.F) {
	for _, s := range []string{"rm -rf \x1b[2J\x1b[H", "a\r\nb\tc", "\u202erm", "e\u0301\u0301\u0301\u0301\u0301", "\u0301x", "漢字かな", "👩‍👩‍👧 🇩🇪 👍🏽", "\xff\xfe", "\x9b31m", "[SAFE] x", "각", "\u115f\u1160", "\ufe0f"} {
		f.Add(s, 80, 24)
		f.Add(strings.Repeat(s, 20), 100, 30)
	}
	f.Fuzz(func(t *testing.T, s string, w, h int) {
		if w < 1 || h < 1 || w > 300 || h > 100 || len(s) > 1000 {
			return
		}
		c := &consent.Consent{
			Tier: risk.Review, Explanation: s, Command: s, Why: []string{s}, Dir: s, Asks: s, Rule: s, Reason: s, Decision: "ask",
			Safer: []risk.Safer{{Command: s, Why: s}}, Parts: []consent.Part{{Command: s, Does: []string{"[REVIEW] " + s}}, {Command: s}},
			Spans: []risk.Span{{Start: 0, End: len(s)}}, Confirm: consent.Confirm{By: consent.ByWord, What: "path", Word: s},
		}
		a, _ := standing(&gate.Question{Shown: c, Rule: s, Covers: &gate.Covers{All: 2, Some: []string{s}}, Text: s, Input: s, Offers: []gate.Choice{gate.Edit, gate.Instead}}, time.Hour)
		for m := reading; m <= stepping; m++ {
			a.to(m)
			if m == editing {
				a.line = edit(s)
			}
			for _, l := range held(t, a, w, h) {
				escapes(t, l)
			}
		}
	})
}

// escapes holds that a drawn line has no escape but those of its styles.
func escapes(t *testing.T, l line) {
	t.Helper()
	rest := regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(l.draw(), "")
	if rest != l.text() {
		t.Fatalf("drawn as %q, and says %q", rest, l.text())
	}
}

// TestCommandIsWhole: nothing of a command is left out, whatever its length and width.
func TestCommandIsWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.RuneFrom([]rune("ab \\n漢é'\"$"))).Draw(t, "command")
		rows, _ := commandLines(s, nil, rapid.IntRange(8, 90).Draw(t, "width"))
		var b strings.Builder
		for _, l := range rows {
			b.WriteString(l.text())
		}
		if b.String() != s {
			t.Fatalf("%q is shown as %q", s, b.String())
		}
	})
}

// TestMarks: the carets stand below what decided, also behind wide characters.
func TestMarks(t *testing.T) {
	t.Parallel()
	const command = "echo 漢字; rm -rf build"
	from := strings.Index(command, "rm")
	rows, deciding := commandLines(command, []risk.Span{{Start: from, End: len(command)}}, 60)
	want := []string{"echo 漢字; rm -rf build", "           ^^^^^^^^^^^^"}
	var got []string
	for _, l := range rows {
		got = append(got, l.text())
	}
	if d := cmp.Diff(want, got); d != "" || deciding != 0 {
		t.Errorf("%d: %s", deciding, d)
	}
}

// BenchmarkLines draws a question about a long script, as at each key.
func BenchmarkLines(b *testing.B) {
	c := &consent.Consent{Tier: risk.Review, Explanation: "Runs it.", Command: strings.Repeat("echo one more line of a script\\n", 5000), Confirm: consent.Confirm{By: consent.ByClick}}
	a, _ := standing(&gate.Question{Shown: c}, time.Hour)
	for b.Loop() {
		a.lines(80, 24)
	}
}

// TestLikeIt: where no rule can be made, what one would have let run is read all the same.
func TestLikeIt(t *testing.T) {
	t.Parallel()
	q := &gate.Question{Shown: shown(t, cautious, false), Rule: "- action: allow\n", Covers: &gate.Covers{Days: 7, All: 9, Left: true, Some: []string{"git push origin trunk"}}}
	a, _ := standing(q, time.Hour)
	if got := screenText(a, 100, 60); !strings.Contains(got, "like it") || !strings.Contains(got, "at least 9 commands, the worst:") || !strings.Contains(got, "  - action: allow\n") {
		t.Errorf("%s", got)
	}
	q.Offers = []gate.Choice{gate.AsRule}
	a, _ = standing(q, time.Hour)
	if got := screenText(a, 100, 60); strings.Contains(got, "like it") {
		t.Errorf("twice: %s", got)
	}
}
