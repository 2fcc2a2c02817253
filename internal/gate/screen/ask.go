package screen

import (
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/risk"
)

// How long a question stands on the screen before a key counts, and before a yes to what
// takes a typed word does.
const (
	settle     = 200 * time.Millisecond
	think      = time.Second
	anyWord    = "run it"
	keepsQuiet = "what you type is not shown"
)

// What the person is doing.
type mode uint8

const (
	reading  mode = iota
	typing        // the word that a yes takes
	pinning       // the PIN
	checking      // waiting for what the PIN comes to
	editing
	reasoning // why not
	ruling    // reading a rule
	choosing  // one of the safer commands
	stepping  // through the parts
	awaiting  // what a preview shows
	viewing   // what it has shown
)

// An ask is one question while it is answered. It knows no terminal.
type ask struct {
	q     *gate.Question
	keys  []key
	spare []rune // letters for what is asked further
	facts []fact // what stands below the sentence, in this question's order
	typed bool   // a yes takes a word or the PIN
	desk  bool   // there is a desk to go back to
	place string // where it stands among those that wait there
	now   func() time.Time

	mode   mode
	line   editor
	pin    []byte
	step   int
	upto   int         // to how many steps a yes is; 0: to the whole
	rule   gate.Choice // which rule is read: for this session, or for good
	scroll int
	note   string
	showed string // what the last preview said
	seen   bool   // all of the question was on the screen
	small  bool   // the window shows no question: nothing but leaving it counts

	body []line // as it was worked out last, and for what
	of   frame

	opened, drawn time.Time // when it was put, and when it stood on the screen

	done *gate.Answer
	back bool // to the desk, unanswered
}

// newAsk puts a question.
func newAsk(q *gate.Question, now func() time.Time) *ask {
	c := q.Shown
	a := &ask{q: q, now: now, opened: now()}
	a.typed = typed(c)
	by := chance(q)
	a.keys, a.spare = keysOf(q, by)
	a.facts = factsOf(q)
	by.Shuffle(len(a.facts), func(i, j int) { a.facts[i], a.facts[j] = a.facts[j], a.facts[i] })
	return a
}

// typed reports whether a yes takes a word or the PIN.
func typed(c *consent.Consent) bool {
	return c.Tier == risk.Review || c.Confirm.By == consent.ByWord || c.Confirm.By == consent.ByPin
}

// steps are what is gone through step by step: the commands of a line's top level, where
// it has several, or else its programs.
func (a *ask) steps() int {
	if n := len(a.q.Shown.Steps); n > 0 {
		return n
	}
	return len(a.q.Shown.Parts)
}

// asked is what the person is asked to agree to.
func (a *ask) asked() *consent.Consent {
	if part, err := a.q.Shown.Up(a.upto); a.upto > 0 && err == nil {
		return part
	}
	return a.q.Shown
}

// upTo reports whether a yes can be given to the steps that were gone through so far.
func (a *ask) upTo() bool {
	if a.mode != stepping || a.step == 0 || !a.q.Offered(gate.Part) {
		return false
	}
	_, err := a.q.Shown.Up(a.step)
	return err == nil
}

// standing is told that the question stands on the screen.
func (a *ask) standing() {
	if a.drawn.IsZero() {
		a.drawn = a.now()
	}
}

// stood is how long the question has stood on the screen.
func (a *ask) stood() time.Duration {
	if a.drawn.IsZero() {
		return -1
	}
	return a.now().Sub(a.drawn)
}

// word is what a yes takes, and what it is.
func (a *ask) word() (what, word string) {
	c := &a.asked().Confirm
	if c.By == consent.ByWord && c.Word != "" {
		return c.What, c.Word
	}
	return "words", anyWord
}

// byPin reports whether a yes takes the PIN.
func (a *ask) byPin() bool { return a.asked().Confirm.By == consent.ByPin }

// press takes one key. What was pressed before the question stood does not count.
func (a *ask) press(k tea.Key) tea.Cmd {
	name := k.Keystroke()
	if name == "ctrl+c" && !a.desk {
		a.no("")
		return nil
	}
	if a.done != nil || a.stood() < settle || a.mode == checking || a.mode == awaiting || a.small && name != "esc" {
		return nil
	}
	a.note = ""
	switch a.mode {
	case typing, editing, reasoning:
		a.pressTyping(name, k.Text)
	case pinning:
		return a.pressPIN(name, k.Text)
	case reading:
		if name == "tab" && a.previews() {
			return a.look()
		}
		a.pressReading(name, letter(k))
	default:
		a.pressReading(name, letter(k))
	}
	return nil
}

// letter is the letter of a key, whatever the shift lock says, or 0.
func letter(k tea.Key) rune {
	r := []rune(k.Text)
	if len(r) != 1 || k.Mod&^(tea.ModShift|tea.ModCapsLock|tea.ModNumLock|tea.ModScrollLock) != 0 {
		return 0
	}
	return unicode.ToLower(r[0])
}

// paste takes pasted text. A word that stands for a yes is typed.
func (a *ask) paste(text string) {
	if a.done != nil || a.stood() < settle {
		return
	}
	switch a.mode {
	case editing, reasoning:
		a.line.insert(strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(text))
	case typing, pinning:
		a.note = "Type it: what is pasted does not count."
	}
}

// pressReading is a key while nothing is typed.
func (a *ask) pressReading(name string, letter rune) {
	switch name {
	case "up":
		a.scroll--
	case "down":
		a.scroll++
	case "pgup":
		a.scroll -= 10
	case "pgdown", "space":
		a.scroll += 10
	case "home":
		a.scroll = 0
	case "end":
		a.scroll = 1 << 20
	case "esc":
		a.leave()
	default:
		if letter == 0 {
			return
		}
		a.pressLetter(letter)
	}
	a.scroll = max(0, a.scroll)
}

// leave is the way back: from what is asked further to the question, from the question
// to the desk, or to a no.
func (a *ask) leave() {
	switch {
	case a.mode != reading:
		a.to(reading)
	case a.desk:
		a.back = true
	default:
		a.no("")
	}
}

// to goes on to another mode.
func (a *ask) to(m mode) {
	a.mode, a.scroll, a.line = m, 0, editor{}
	clear(a.pin)
	a.pin = nil
	if m != stepping {
		a.step = 0
	}
	if m == reading || m == stepping {
		a.upto, a.typed = 0, typed(a.q.Shown)
	}
}

// pressLetter is a letter that stands for something.
func (a *ask) pressLetter(letter rune) {
	switch a.mode {
	case viewing: // nothing is agreed to there
	case ruling:
		if letter == a.spare[0] {
			a.yes(a.rule, "")
		}
	case choosing:
		for i, s := range a.safer() {
			if letter == a.spare[i] {
				a.yes(gate.Instead, s.Command)
			}
		}
	case stepping:
		if a.upTo() && letter == a.partLetter() {
			a.upto = a.step
			a.typed = typed(a.asked())
			a.agree()
			return
		}
		if letter != a.stepLetter() {
			return
		}
		if a.scroll, a.step = 0, a.step+1; a.step == a.steps() {
			a.agree()
		}
	default:
		for _, k := range a.keys {
			if k.letter == letter {
				a.act(k.action)
			}
		}
	}
}

// act does what a key of the question says.
func (a *ask) act(what action) {
	switch what {
	case runOnce:
		a.agree()
	case runSession:
		if a.q.Rule == "" {
			a.yes(gate.ThisSession, "")
			return
		}
		a.to(ruling)
		a.rule = gate.ThisSession
	case makeRule:
		a.to(ruling)
		a.rule = gate.AsRule
	case editIt:
		a.to(editing)
		a.line = edit(a.q.Text)
	case runSafer:
		a.to(choosing)
	case stepwise:
		a.to(stepping)
	case denyIt:
		a.to(reasoning)
	}
}

// safer are the safer commands that have a letter.
func (a *ask) safer() []risk.Safer {
	return a.q.Shown.Safer[:min(len(a.q.Shown.Safer), len(a.spare))]
}

// stepLetter is the letter that agrees to this step: another one each time.
func (a *ask) stepLetter() rune { return a.spare[a.step%(len(a.spare)-1)] }

// partLetter is the letter that runs what was agreed to so far, and no step's.
func (a *ask) partLetter() rune { return a.spare[len(a.spare)-1] }

// agree is a yes to the whole, as far as a key can give it.
func (a *ask) agree() {
	switch {
	case a.typed && !a.seen && a.mode == reading:
		a.note = "There is more to read, below: the end key, or space, first."
	case a.byPin():
		a.to(pinning)
	case a.typed:
		a.to(typing)
	default:
		a.yes(gate.Once, "")
	}
}

// pressTyping is a key while a line is typed.
func (a *ask) pressTyping(name, text string) {
	switch name {
	case "esc":
		a.leave()
	case "enter":
		a.enter()
	default:
		a.line.press(name, text)
	}
}

// enter ends a line.
func (a *ask) enter() {
	text := a.line.value()
	switch a.mode {
	case typing:
		what, word := a.word()
		if text != word {
			a.note = "That is not the " + what + "; Esc goes back."
			a.line = editor{}
			return
		}
		a.yes(gate.Once, "")
	case editing:
		switch text {
		case "":
			a.note = "There is nothing to run; Esc goes back."
		case strings.TrimSpace(a.q.Text):
			a.note = "That is the same command; Esc goes back."
		default:
			a.yes(gate.Edit, text)
		}
	case reasoning:
		a.no(text)
	}
}

// maxPIN bounds what is typed as a PIN, in bytes.
const maxPIN = 64

// pressPIN is a key while the PIN is typed. Nothing of it is shown, not even how much.
func (a *ask) pressPIN(name, text string) tea.Cmd {
	switch name {
	case "esc":
		a.leave()
	case "backspace":
		if n := len(a.pin); n > 0 {
			a.pin[n-1] = 0
			a.pin = a.pin[:n-1]
		}
	case "ctrl+u":
		clear(a.pin)
		a.pin = a.pin[:0]
	case "enter":
		if len(a.pin) == 0 {
			a.leave()
			return nil
		}
		if a.hasty() {
			return nil
		}
		pin, check := a.pin, a.q.CheckPIN
		a.pin, a.mode = nil, checking
		return func() tea.Msg {
			defer clear(pin)
			if check == nil {
				return pinMsg{a, errNoPIN{}}
			}
			return pinMsg{a, check(pin)}
		}
	default:
		if a.pin == nil {
			a.pin = make([]byte, 0, maxPIN) // never moved, so that nothing of it is left behind
		}
		if len(a.pin)+len(text) <= maxPIN {
			a.pin = append(a.pin, text...)
		}
	}
	return nil
}

// A pinMsg is what a PIN came to.
type pinMsg struct {
	of  *ask
	err error
}

// errNoPIN says that there is nothing to hold a PIN against.
type errNoPIN struct{}

func (errNoPIN) Error() string { return "heed has no PIN to hold it against" }

// checked is told what the PIN came to.
func (a *ask) checked(err error) {
	if a.done != nil || a.mode != checking {
		return
	}
	if err != nil {
		a.mode, a.note = pinning, explain.Visible(err.Error())
		return
	}
	a.yes(gate.Once, "")
}

// hasty reports whether a yes comes before anybody can have read what it is to.
func (a *ask) hasty() bool {
	if a.typed && a.stood() < think {
		a.note = "That was quick: read it, then press Enter again."
		return true
	}
	return false
}

// yes answers the question.
func (a *ask) yes(c gate.Choice, command string) {
	if a.hasty() {
		return
	}
	by := "click"
	if c == gate.Once && a.typed {
		by = "person"
		if a.byPin() {
			by = "pin"
		}
	}
	answer := gate.Answer{Choice: c, By: by, Command: command, Waited: a.now().Sub(a.opened)}
	if a.upto > 0 {
		answer = answer.Of(a.upto)
	}
	a.done = &answer
}

// no leaves the command.
func (a *ask) no(reason string) {
	by := "click"
	if a.typed {
		by = "person"
	}
	clear(a.pin)
	a.done = &gate.Answer{Choice: gate.No, By: by, Reason: reason, Waited: a.now().Sub(a.opened)}
}
