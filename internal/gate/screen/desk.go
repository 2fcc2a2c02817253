package screen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/risk"
)

// A Desk is what Watch shows, and answers. It is asked by one goroutine at a time for
// each of its methods.
type Desk interface {
	// List returns all requests, whatever their state.
	List() ([]*approval.Request, error)
	// Question is what is asked about one. An error says why it cannot be asked about.
	Question(r *approval.Request) (*gate.Question, error)
	// Answer keeps what the person said.
	Answer(r *approval.Request, a gate.Answer) error
	// Attend says that somebody is there, for the next seconds.
	Attend() error
}

// How often a desk looks for requests, and says that somebody is there.
const (
	pollEvery   = 500 * time.Millisecond
	attendEvery = 2 * time.Second
)

// Watch shows the requests of all agents at a terminal, the worst first, and lets a
// person answer them one by one, until he leaves or the context ends.
func Watch(ctx context.Context, tty *os.File, desk Desk) error {
	err := run(ctx, tty, newWatching(desk, time.Now))
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// A watching is a desk as Bubble Tea sees it.
type watching struct {
	desk Desk
	now  func() time.Time
	w, h int
	out  *output

	waiting  []*approval.Request // the worst first, of them the oldest
	answered []*approval.Request // the youngest first
	chosen   string              // the digest of the one that is chosen
	said     map[string]bool     // what was answered here
	news     []string
	looked   bool // the requests are known
	attended time.Time
	opens    int

	open *approval.Request
	ask  *ask // the question about it
}

func newWatching(desk Desk, now func() time.Time) *watching {
	return &watching{desk: desk, now: now, said: map[string]bool{}}
}

// What a desk is told.
type (
	poll   struct{}
	listed struct {
		all      []*approval.Request
		attended bool
		err      error
	}
	kept struct {
		r   *approval.Request
		a   gate.Answer
		err error
	}
)

func (m *watching) on(out *output) { m.out = out }

// Init implements [tea.Model].
func (m *watching) Init() tea.Cmd { return m.look() }

// look looks for requests.
func (m *watching) look() tea.Cmd {
	desk, attend := m.desk, m.now().Sub(m.attended) >= attendEvery
	return func() tea.Msg {
		out := listed{attended: attend}
		if attend {
			out.err = desk.Attend()
		}
		all, err := desk.List()
		out.all, out.err = all, errors.Join(out.err, err)
		return out
	}
}

// Update implements [tea.Model].
func (m *watching) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case poll:
		return m, m.look()
	case listed:
		m.take(&msg)
		return m, tea.Tick(pollEvery, func(time.Time) tea.Msg { return poll{} })
	case kept:
		m.keep(&msg)
	case tick:
		if m.ask != nil {
			return m, stands(m.ask, m.h > 0 && m.out.since(m.ask.opened))
		}
	case tea.KeyPressMsg:
		return m.press(tea.Key(msg))
	case tea.PasteMsg:
		if m.ask != nil {
			m.ask.paste(msg.Content)
		}
	case previewMsg:
		msg.of.looked(msg.text, msg.err)
	case pinMsg:
		msg.of.checked(msg.err)
		if msg.of == m.ask {
			return m.after(nil)
		}
	}
	return m, nil
}

// press takes one key.
func (m *watching) press(k tea.Key) (tea.Model, tea.Cmd) {
	name := k.Keystroke()
	switch {
	case name == "ctrl+c":
		return m, tea.Quit
	case m.ask == nil:
		return m.pressList(name)
	case m.ask.mode == reading && (name == "left" || name == "right" || name == "tab"):
		step := 1
		if name == "left" {
			step = -1
		}
		m.choose(step, true)
		return m, m.put()
	}
	return m.after(m.ask.press(k))
}

// pressList is a key in the list.
func (m *watching) pressList(name string) (tea.Model, tea.Cmd) {
	switch name {
	case "up", "left":
		m.choose(-1, false)
	case "down", "right", "tab":
		m.choose(1, false)
	case "home":
		m.choose(-len(m.waiting), false)
	case "end":
		m.choose(len(m.waiting), false)
	case "enter":
		return m, m.put()
	case "esc", "q":
		return m, tea.Quit
	}
	return m, nil
}

// after looks what came of a key that a question took.
func (m *watching) after(cmd tea.Cmd) (tea.Model, tea.Cmd) {
	switch {
	case m.ask.done != nil:
		r, a, desk := m.open, *m.ask.done, m.desk
		m.said[r.Digest] = true
		// Not only with the next look: who goes on at once would be asked about it again.
		m.waiting = slices.DeleteFunc(m.waiting, func(w *approval.Request) bool { return w.Digest == r.Digest })
		m.rechoose()
		m.close()
		return m, func() tea.Msg { return kept{r, a, desk.Answer(r, a)} }
	case m.ask.back:
		m.close()
	}
	return m, cmd
}

func (m *watching) close() { m.open, m.ask = nil, nil }

// index is where the chosen request stands.
func (m *watching) index() int {
	return max(0, slices.IndexFunc(m.waiting, func(r *approval.Request) bool { return r.Digest == m.chosen }))
}

// choose goes on by so many requests; round says that the first follows the last.
func (m *watching) choose(step int, round bool) {
	n := len(m.waiting)
	if n == 0 {
		return
	}
	i := m.index() + step
	if round {
		i = (i + n) % n
	}
	m.chosen = m.waiting[max(0, min(n-1, i))].Digest
}

// put asks about the chosen request.
func (m *watching) put() tea.Cmd {
	if len(m.waiting) == 0 {
		return nil
	}
	r := m.waiting[m.index()]
	q, err := m.desk.Question(r)
	if err != nil {
		m.close()
		m.tell(approval.Show(r.Digest) + ": " + err.Error())
		return nil
	}
	m.opens++
	q.Exposure += m.opens // the letters are others each time, also of the same request
	m.open, m.ask, m.chosen = r, newAsk(q, m.now), r.Digest
	m.ask.desk = true
	return nextTick()
}

// maxNews is how many lines of news are shown.
const maxNews = 3

// tell shows a line of news.
func (m *watching) tell(text string) {
	m.news = append(m.news, text)
	m.news = m.news[max(0, len(m.news)-maxNews):]
}

// take takes what the desk holds now.
func (m *watching) take(l *listed) {
	if l.attended {
		m.attended = m.now()
	}
	if l.err != nil {
		if text := l.err.Error(); len(m.news) == 0 || m.news[len(m.news)-1] != text {
			m.tell(text)
		}
		if l.all == nil {
			return // what is known stays
		}
	}
	was := m.waiting
	m.looked, m.waiting, m.answered = true, nil, nil
	states := map[string]approval.State{}
	for _, r := range l.all {
		states[r.Digest] = r.State
		switch {
		case r.State == approval.Pending && !m.said[r.Digest]:
			m.waiting = append(m.waiting, r)
		case r.State != approval.Pending:
			m.answered = append(m.answered, r)
		}
	}
	slices.SortStableFunc(m.waiting, func(a, b *approval.Request) int {
		return cmp.Or(cmp.Compare(tierOf(b), tierOf(a)), cmp.Compare(a.Made, b.Made), cmp.Compare(a.Digest, b.Digest))
	})
	for _, r := range was {
		state, there := states[r.Digest]
		switch {
		case state == approval.Pending || m.said[r.Digest]:
			continue
		case !there:
			m.tell(m.name(r) + " is gone.")
		case state == approval.Expired:
			m.tell(m.name(r) + " is too old: it does not wait any more.")
		case r.State == approval.Pending:
			m.tell(m.name(r) + " was answered elsewhere: " + string(state) + ".")
		}
		if m.open != nil && m.open.Digest == r.Digest {
			m.close()
		}
	}
	for digest := range m.said {
		if states[digest] != approval.Pending {
			delete(m.said, digest) // it can be asked about anew
		}
	}
	m.rechoose()
}

// rechoose chooses the worst request where the chosen one does not wait any more.
func (m *watching) rechoose() {
	if slices.ContainsFunc(m.waiting, func(r *approval.Request) bool { return r.Digest == m.chosen }) {
		return
	}
	m.chosen = ""
	if len(m.waiting) > 0 {
		m.chosen = m.waiting[0].Digest
	}
}

// keep is told what came of an answer.
func (m *watching) keep(k *kept) {
	switch {
	case k.err != nil:
		delete(m.said, k.r.Digest) // if it still waits, it is shown again
		m.tell(m.name(k.r) + ": " + k.err.Error() + ".")
	case k.a.Choice == gate.No:
		m.tell("You said no to " + m.name(k.r) + ".")
	case k.a.Choice == gate.Part:
		m.tell(fmt.Sprintf("You agreed to the first steps of %s: %d of %d.", m.name(k.r), k.a.Steps, len(k.r.Shown.Steps)))
	default:
		m.tell("You agreed to " + m.name(k.r) + ".")
	}
}

// tierOf is the tier of a request; what says none is asked about first.
func tierOf(r *approval.Request) risk.Tier {
	if r.Shown == nil {
		return risk.Review
	}
	return r.Shown.Tier
}

// commandOf is the command of a request, as people see it.
func commandOf(r *approval.Request) string {
	if r.Shown == nil {
		return explain.Visible(r.Facts.Command)
	}
	return explain.Visible(r.Shown.Command)
}

// name is a request in a line of news.
func (m *watching) name(r *approval.Request) string {
	return approval.Show(r.Digest) + " (" + explain.Cut(commandOf(r), 30) + ")"
}

// View implements [tea.Model].
func (m *watching) View() tea.View { return view(m.lines()) }

// lines draws the desk, or the question that is open.
func (m *watching) lines() []line {
	if m.ask != nil {
		m.ask.place = fmt.Sprintf("%d of %d wait: left, right. ", m.index()+1, len(m.waiting))
		return m.ask.lines(m.w, m.h)
	}
	w, h := m.w, m.h
	head := line{{"heed watch", strong}, {": " + m.count(), plain}}
	var foot []line
	for _, text := range m.news {
		foot = append(foot, line{{cut(explain.Visible(text), w), plain}})
	}
	foot = append(foot, line{{"Up and down choose, Enter shows one, Esc leaves.", faint}})
	room := max(0, h-len(foot)-3)
	body, at := m.list(w)
	from := 0
	if len(body) > room {
		from = max(0, min(at-room/2, len(body)-room))
	}
	out := append([]line{head, rule(w, "")}, fill(body[from:min(len(body), from+room)], room, w)...)
	out = append(out, rule(w, ""))
	return fill(append(out, foot...), h, w)
}

// count says how many wait.
func (m *watching) count() string {
	switch n := len(m.waiting); {
	case !m.looked:
		return "looking …"
	case n == 0:
		return "nothing waits for you. What does appears here by itself."
	case n == 1:
		return "one waits for you"
	default:
		return fmt.Sprintf("%d wait for you, the worst first", n)
	}
}

// maxAnswered is how many requests are listed that do not wait any more.
const maxAnswered = 5

// list draws the requests, and says in which line the chosen one stands.
func (m *watching) list(w int) (out []line, at int) {
	const margin = 12
	room := w - margin
	chosen := ""
	if len(m.waiting) > 0 {
		chosen = m.waiting[m.index()].Digest
	}
	for _, r := range m.waiting {
		sign := "  "
		if r.Digest == chosen {
			sign, at = "> ", len(out)
		}
		b := badge(tierOf(r))
		asks := "not known"
		if r.Shown != nil {
			asks = explain.Visible(r.Shown.Asks)
		}
		out = append(out,
			line{{sign, strong}, b, {strings.Repeat(" ", max(0, margin-2-width(b.text))), plain}, {cut(fmt.Sprintf("%s, waits for %s", asks, age(m.now().Sub(time.UnixMilli(r.Made)))), room), plain}},
			line{{strings.Repeat(" ", margin), plain}, {cut(commandOf(r), room), strong}})
		if r.Shown != nil {
			out = append(out, line{{strings.Repeat(" ", margin), plain}, {cut(explain.Visible(r.Shown.Explanation), room), faint}})
		}
	}
	if len(m.answered) > 0 {
		out = append(out, nil, line{{"not waiting any more", faint}})
	}
	for _, r := range m.answered[:min(len(m.answered), maxAnswered)] {
		out = append(out, line{{"  " + pad(string(r.State), margin-2), faint}, {cut(commandOf(r), room), faint}})
	}
	return out, at
}

// age is how long something waits, in one unit.
func age(d time.Duration) string {
	switch d = max(0, d); {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h", int(d.Hours()))
}
