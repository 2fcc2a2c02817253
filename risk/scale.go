package risk

import "fmt"

// A Tier says how hard a person should read a command before it runs.
// Tiers are ordered: a larger tier asks for more attention.
type Tier uint8

// The three tiers. There are no more on purpose: with four or more, people
// stop telling the middle ones apart.
const (
	Safe    Tier = iota // reads, prints, changes nothing worth reading about
	Caution             // changes something that can be brought back, or is not fully known
	Review              // loss, control, trust or blindness: read every word
)

var tierNames = [...]string{"SAFE", "CAUTION", "REVIEW"}

// String returns the word shown in the badge: SAFE, CAUTION or REVIEW.
func (t Tier) String() string { return name(tierNames[:], int(t), "Tier") }

// MarshalText implements [encoding.TextMarshaler].
func (t Tier) MarshalText() ([]byte, error) { return marshal(tierNames[:], int(t), "tier") }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (t *Tier) UnmarshalText(b []byte) error { return unmarshal(tierNames[:], b, t, "tier") }

// A Level is the least approval that a command needs.
type Level uint8

// The approval ladder: none; one click after reading; click and PIN.
const (
	A Level = iota
	B
	C
)

var levelNames = [...]string{"A", "B", "C"}

// String returns A, B or C.
func (l Level) String() string { return name(levelNames[:], int(l), "Level") }

// MarshalText implements [encoding.TextMarshaler].
func (l Level) MarshalText() ([]byte, error) { return marshal(levelNames[:], int(l), "level") }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (l *Level) UnmarshalText(b []byte) error { return unmarshal(levelNames[:], b, l, "level") }

// A Verdict is what unattended use should do with the 0-100 score.
type Verdict uint8

// The verdicts, by score: 0-49, 50-69 and 70-100.
const (
	Allow Verdict = iota
	Warn
	Block
)

var verdictNames = [...]string{"ALLOW", "WARN", "BLOCK"}

// String returns ALLOW, WARN or BLOCK.
func (v Verdict) String() string { return name(verdictNames[:], int(v), "Verdict") }

// MarshalText implements [encoding.TextMarshaler].
func (v Verdict) MarshalText() ([]byte, error) { return marshal(verdictNames[:], int(v), "verdict") }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (v *Verdict) UnmarshalText(b []byte) error { return unmarshal(verdictNames[:], b, v, "verdict") }

// A Band is one step of heed's single scale. Tier, level, score and verdict
// are all read from it, so that they cannot contradict each other.
type Band uint8

// The bands, from the least to the most attention.
const (
	BandSafe     Band = iota // SAFE / A, score 0-29, ALLOW
	BandCautionA             // CAUTION / A, score 30-49, ALLOW
	BandCautionB             // CAUTION / B, score 50-69, WARN
	BandReview               // REVIEW / C, score 70-100, BLOCK
)

var bands = [...]struct {
	tier     Tier
	level    Level
	verdict  Verdict
	low, top int
}{
	BandSafe:     {Safe, A, Allow, 0, 29},
	BandCautionA: {Caution, A, Allow, 30, 49},
	BandCautionB: {Caution, B, Warn, 50, 69},
	BandReview:   {Review, C, Block, 70, 100},
}

// Tier returns the band's tier.
func (b Band) Tier() Tier { return bands[b].tier }

// Level returns the band's approval level.
func (b Band) Level() Level { return bands[b].level }

// Verdict returns the band's verdict.
func (b Band) Verdict() Verdict { return bands[b].verdict }

// Scores returns the lowest and the highest score inside the band.
func (b Band) Scores() (low, high int) { return bands[b].low, bands[b].top }

// Raise returns the band n steps up, at most [BandReview].
func (b Band) Raise(n int) Band { return min(b+Band(n), BandReview) }

// String names the band as the decision table does, for example "CAUTION/B".
func (b Band) String() string { return b.Tier().String() + "/" + b.Level().String() }

func name(names []string, i int, kind string) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("%s(%d)", kind, i)
}

func marshal(names []string, i int, kind string) ([]byte, error) {
	if i >= len(names) {
		return nil, fmt.Errorf("unknown %s %d", kind, i)
	}
	return []byte(names[i]), nil
}

func unmarshal[T ~uint8](names []string, text []byte, to *T, kind string) error {
	for i, n := range names {
		if n == string(text) {
			*to = T(i)
			return nil
		}
	}
	return fmt.Errorf("unknown %s %q: want one of %q", kind, text, names)
}
