package screen

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/risk"
)

// An action is what a key does to a question.
type action uint8

const (
	runOnce action = iota
	runSession
	makeRule
	editIt
	runSafer
	stepwise
	denyIt
)

// label is what stands beside a key.
func (a action) label() string {
	return [...]string{"run it once", "this session", "as a rule", "edit it", "run safer", "step by step", "say no, why"}[a]
}

// A key is a letter, what it does, and where it stands below the question.
type key struct {
	action
	letter   rune
	row, col int
}

// The letters of the tiers. They share none, and none of them is the y, n or q of other
// programs, nor easily taken for a digit.
const (
	lettersOfClick  = "abcdefghjk"
	lettersOfReview = "mprstuvwxz"
)

// Where keys stand: REVIEW's are in the right half of the screen, all others in the left.
const (
	keyRows  = 4
	halfCols = 2
)

// poolOf is where the letters of a tier come from, and its first column.
func poolOf(t risk.Tier) (letters string, col int) {
	if t == risk.Review {
		return lettersOfReview, halfCols
	}
	return lettersOfClick, 0
}

// chance is what varies a question: the same for the same command and exposure.
func chance(q *gate.Question) *rand.Rand {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", q.Shown.ID, q.Shown.Command, q.Exposure))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])))
}

// actions are what can be said to a question.
func actions(q *gate.Question) []action {
	var out []action
	add := func(a action, open bool) {
		if open {
			out = append(out, a)
		}
	}
	open := !q.Shown.Final
	add(runOnce, open)
	add(runSession, open && q.Offered(gate.ThisSession))
	add(makeRule, open && q.Offered(gate.AsRule) && q.Rule != "")
	add(editIt, q.Offered(gate.Edit))
	add(runSafer, q.Offered(gate.Instead) && len(q.Shown.Safer) > 0)
	add(stepwise, open && (len(q.Shown.Parts) > 1 || q.Offered(gate.Part)))
	add(denyIt, true)
	return out
}

// keysOf gives what can be said to a question letters and places. spare are letters of
// the same tier for what is asked further.
func keysOf(q *gate.Question, by *rand.Rand) (keys []key, spare []rune) {
	pool, col := poolOf(q.Shown.Tier)
	letters := []rune(pool)
	by.Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
	places := by.Perm(keyRows * halfCols)
	for i, a := range actions(q) {
		keys = append(keys, key{a, letters[i], places[i] / halfCols, col + places[i]%halfCols})
	}
	return keys, letters[len(keys):]
}
