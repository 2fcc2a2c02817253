package intent

import "fmt"

// An Intent says what a command seems to be for.
type Intent uint8

// The five intents.
const (
	Benign         Intent = iota // ordinary work
	Reconnaissance               // finds out about a machine, its accounts or its network
	Destructive                  // loses data or stops a service
	Exfiltration                 // takes data out
	Persistence                  // arranges to come back, or to stay
)

// Count is how many intents there are.
const Count = 5

var intentNames = [Count]string{"BENIGN", "RECONNAISSANCE", "DESTRUCTIVE", "EXFILTRATION", "PERSISTENCE"}

// String returns the intent's name, for example "BENIGN".
func (i Intent) String() string {
	if int(i) < len(intentNames) {
		return intentNames[i]
	}
	return fmt.Sprintf("Intent(%d)", int(i))
}

// Parse returns the intent of a name as [Intent.String] writes it.
func Parse(name string) (Intent, error) {
	for i, n := range intentNames {
		if n == name {
			return Intent(i), nil
		}
	}
	return 0, fmt.Errorf("unknown intent %q: want one of %q", name, intentNames)
}

// Mask is the byte that stands in [Input.Text] and [Input.Argv] for a word, or
// a part of one, that is only data to the program that gets it: what echo
// prints, what grep looks for, a commit message. One byte stands for any length.
const Mask = '\x00'

// An Input is what the model sees of a command.
type Input struct {
	// Text is the command as it was written, each data word masked.
	Text string
	// Argv are the resolved words of each invocation, nested and decoded ones
	// included, data words masked.
	Argv [][]string
	// Depth is the longest chain of programs that run programs: 0 for `rm x`,
	// 1 for `sudo rm x`.
	Depth int
	// Tokens are what [Tokens] made of the effects and unknowns.
	Tokens []Token
}

// A Result is the model's answer.
type Result struct {
	Intent        Intent         // the likeliest
	Probabilities [Count]float32 // calibrated; their sum is 1
	Confidence    float32        // the probability of Intent
	// Harm is the probability of destruction, exfiltration and persistence
	// together.
	Harm float32
	// Alarm is set when Harm is above the model's threshold, which one ordinary
	// command in 200 of the training data passes: by models that had not seen it.
	Alarm bool
	// Fallback is set when no model answered but the rules of [Fallback].
	Fallback bool
}

// risks are the risk of each intent, from 0 to 100, in the order of the
// intents: those of the CommandRisk scheme.
var risks = [Count]int{Benign: 0, Reconnaissance: 30, Destructive: 80, Exfiltration: 90, Persistence: 70}

// Risk combines a syntax score from 0 to 100 with an intent as the CommandRisk
// scheme does: 30 % syntax and 70 % the risk of the intent (BENIGN 0,
// RECONNAISSANCE 30, PERSISTENCE 70, DESTRUCTIVE 80, EXFILTRATION 90), rounded
// down. Confidence has no part in it: a doubtful answer is no less of a risk.
func Risk(syntax int, r Result) int {
	syntax = min(max(syntax, 0), 100)
	if int(r.Intent) >= len(risks) {
		return 100
	}
	return (30*syntax + 70*risks[r.Intent]) / 100
}
