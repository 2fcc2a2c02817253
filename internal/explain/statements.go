package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// andRuns tells of a line of several statements of which one fails and others run all the
// same, before it or behind; "" where no other does.
func (in *Input) andRuns(reason *risk.Ending, behind []int, lead int, at place) string {
	if reason.How != risk.EndFails || reason.Asked {
		return ""
	}
	before, after, asks := in.alongside(reason, behind, lead)
	if len(before)+len(after)+len(asks) == 0 {
		return ""
	}
	fails := "fails: "
	if i := slices.IndexFunc(in.Acts, func(a Act) bool { return a.Ends == reason }); i >= 0 {
		fails = "fails at " + in.Acts[i].short() + ": "
	}
	fails += why(reason, at)
	var ways []string
	if several := slices.ContainsFunc(in.Acts, func(a Act) bool { return stops(a.Ends) != nil && a.Ends != reason }); several && len(behind)+len(asks) == 0 {
		if all := joined(in.Acts, at, false); strings.Contains(all, why(reason, at)) && !strings.Contains(all, "uns `") {
			ways = append(ways, all)
		}
	}
	tells := func(which []int) []string {
		names := in.nameSome(which)
		if told := in.tellSome(which, at); told != "" && !strings.Contains(told, "uns `") {
			return []string{lower(told), names}
		}
		return []string{names}
	}
	skips := []string{""}
	if len(behind) > 0 {
		skips = []string{", so " + in.Acts[behind[0]].short() + " does not run", ""}
	}
	for _, first := range tells(before) {
		if first != "" {
			first = bracketed(first) + ", then "
		}
		for _, skip := range skips {
			for _, then := range tells(after) {
				if then != "" {
					then = "; then " + then
				}
				if len(asks) > 0 {
					ways = append(ways, first+fails+skip+then+"; may run "+strings.TrimPrefix(in.nameSome(asks), "runs "))
				}
				ways = append(ways, first+fails+skip+then)
			}
		}
	}
	would := []string{""}
	if lead >= 0 && (in.Bands[lead] >= risk.BandReview || in.Bands[lead] >= risk.BandCautionB && in.Effects[lead].By.Unreached != nil) && !reason.Never && wouldMatter(&in.Effects[lead]) {
		would = in.would(&in.Effects[lead], at)
	}
	for _, would := range would {
		for _, text := range ways {
			if length(text+would) < maxSentence {
				return upper(text) + would
			}
		}
	}
	return ""
}

// alongside are the acts that run although one fails, which stand in other statements: before
// it, behind it, and those of which a test decides. What waits is none of them.
func (in *Input) alongside(reason *risk.Ending, behind []int, lead int) (before, after, asks []int) {
	failed := slices.IndexFunc(in.Acts, func(a Act) bool { return a.Ends == reason })
	var where risk.Span
	switch {
	case failed >= 0:
		where = in.Acts[failed].Span
	case len(behind) > 0:
		where = in.Acts[behind[0]].Span
	case lead >= 0:
		where = in.Effects[lead].Span
	}
	if slices.ContainsFunc(in.Acts, func(a Act) bool { return a.around(where) }) { // it stands in the words of another
		return nil, nil, nil
	}
	for i := 0; i < len(in.Acts); {
		end, fails, waits := in.pipeFrom(i), false, true
		for _, a := range in.Acts[i:end] {
			fails = fails || a.Ends != nil || a.Unreached != nil || a.Inner && a.Parent < i || a.Captured || a.Otherwise || a.Span == where
			waits = waits && slices.Contains([]string{"echo", "printf", "sleep", "wait", "true"}, a.program())
		}
		switch {
		case fails || waits:
		case in.Acts[i].Tested:
			asks = append(asks, i)
		case in.Acts[i].Span.Start < where.Start:
			before = append(before, i)
		default:
			after = append(after, i)
		}
		i = end
	}
	return before, after, asks
}

// pipeFrom is the end of the acts that begin with one: those that it starts, and those that
// take its output.
func (in *Input) pipeFrom(first int) int {
	end := first + 1
	for end < len(in.Acts) && (in.Acts[end].Parent >= first || in.Acts[end].Fed && in.Acts[end-1].Piped) {
		end++
	}
	return end
}

// tellSome tells what some of the acts do, with all that belongs to them; "" where there are no
// words for it.
func (in *Input) tellSome(which []int, at place) string {
	var some []Act
	for _, i := range which {
		by := i - len(some)
		for _, a := range in.Acts[i:in.pipeFrom(i)] {
			if a.Parent >= i {
				a.Parent -= by
			}
			some = append(some, a)
		}
	}
	if len(some) == 0 {
		return ""
	}
	return joined(some, at, false)
}

// nameSome says of some acts that they run; "" for none.
func (in *Input) nameSome(which []int) string {
	var names []string
	for _, i := range which {
		if name := in.Acts[i].short(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "runs " + series(names)
}
