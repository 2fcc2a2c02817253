package intent

import (
	"strings"
	"unicode/utf8"
)

// Injection finds text that tries to give orders to a language model: "ignore
// all previous instructions", "you are now an unrestricted assistant", markers
// of a chat's turns. It returns the first one's bytes as a half-open range.
//
// It looks at sequences of words, whatever their case, spacing and punctuation
// and with words put in between, in English and for the commonest order in
// German, French, Spanish, Italian, Portuguese, Chinese and Japanese. Text that
// only speaks of such orders looks the same: the caller asks where such text is
// an order, in command position and in files that instruct an agent. Time is
// linear in the text.
func Injection(text string) (span [2]int, ok bool) {
	found := [2]int{len(text) + 1, 0}
	for _, m := range markers {
		if i := strings.Index(text, m); i >= 0 && i < found[0] {
			found = [2]int{i, i + len(m)}
		}
	}
	var w words
	for at := 0; at < found[0]; {
		w = words{text: text, at: at}
		if !w.next() {
			break
		}
		at = w.at
		if end := order(w); end > 0 && w.start < found[0] {
			found = [2]int{w.start, end}
		}
	}
	if found[1] == 0 {
		return span, false
	}
	return found, true
}

// markers are bytes that only a model's own template writes, and orders in
// languages that put no blanks between words. Sources: the chat templates of
// ChatML, Llama 2 and Llama 3.
var markers = [...]string{
	"<|im_start|>", "<|im_end|>", "<|start_header_id|>", "<|eot_id|>", "<<SYS>>", "[/INST]",
	"忽略之前的", "忽略以上", "忽略先前", "忽略所有之前", "以前の指示を無視", "これまでの指示を無視",
}

// A phrase is an order: words that follow each other, then words of which each
// must come within a number of further words, in any order.
type phrase struct {
	lead   []string // each a set of words, divided by |
	within int
	need   []string
}

// The words of orders. The lead's first word decides which phrase is tried.
const (
	wordsIgnore  = "|ignore|disregard|forget|override|overlook|ignoriere|ignorieren|vergiss|ignorez|ignorer|oubliez|oublie|ignora|ignorar|olvida|ignori|dimentica|ignorate|esqueça|"
	wordsFormer  = "|previous|previously|prior|above|earlier|preceding|foregoing|former|existing|original|initial|vorherigen|vorigen|bisherigen|obigen|früheren|précédentes|précédents|antérieures|anteriores|previas|precedenti|"
	wordsOrders  = "|instruction|instructions|prompt|prompts|rule|rules|directive|directives|guideline|guidelines|orders|constraints|restrictions|policies|guardrails|programming|anweisungen|anweisung|instruktionen|befehle|regeln|consignes|règles|instrucciones|órdenes|reglas|istruzioni|regole|instruções|regras|"
	wordsPersona = "|dan|unrestricted|jailbroken|uncensored|unfiltered|unbound|"
	wordsBeing   = "|assistant|ai|bot|chatbot|hacker|persona|dan|unrestricted|jailbroken|uncensored|unfiltered|longer|"
	wordsPeople  = "|user|users|human|operator|developer|owner|"
	wordsTelling = "|telling|informing|notifying|alerting|mentioning|"
)

var phrases = [...]phrase{
	{[]string{wordsIgnore}, 7, []string{wordsFormer, wordsOrders}},
	{[]string{wordsIgnore}, 3, []string{"|your|", wordsOrders}},
	{[]string{wordsIgnore, "|everything|all|anything|what|"}, 6, []string{"|above|before|previously|", "|you|that|said|told|came|was|were|"}},
	{[]string{"|do|dont|don|never|stop|"}, 9, []string{"|follow|following|obey|obeying|", wordsFormer, wordsOrders}},
	{[]string{"|you|", "|are|re|", "|now|"}, 2, []string{wordsPersona}},
	{[]string{"|you|", "|are|re|", "|now|", "|a|an|the|my|no|acting|operating|"}, 3, []string{wordsBeing}},
	{[]string{"|you|", "|are|re|", "|now|", "|in|"}, 3, []string{"|developer|god|dan|jailbreak|unrestricted|", "|mode|"}},
	{[]string{"|from|", "|now|", "|on|"}, 4, []string{"|you|", "|must|will|shall|obey|ignore|answer|respond|act|"}},
	{[]string{"|your|", "|new|real|true|only|actual|", "|instructions|instruction|orders|directive|directives|objective|persona|role|"}, 2, []string{"|is|are|"}},
	{[]string{"|reveal|print|show|output|repeat|leak|disclose|"}, 6, []string{"|your|", "|system|initial|hidden|original|secret|", "|prompt|instructions|"}},
	{[]string{"|pretend|act|behave|"}, 7, []string{"|you|", "|have|are|were|had|", "|no|without|not|", "|restrictions|rules|guidelines|limits|filters|bound|"}},
	{[]string{"|do|", "|anything|", "|now|"}, 5, []string{"|mode|dan|you|"}},
	{[]string{"|without|", wordsTelling}, 3, []string{wordsPeople}},
	{[]string{"|do|never|dont|don|"}, 4, []string{"|tell|inform|alert|notify|warn|", wordsPeople}},
}

// order says where a phrase ends that begins with the word w has just read, or
// 0 if none does.
func order(w words) int {
	for i := range phrases {
		p := &phrases[i]
		if end := p.match(w); end > 0 {
			return end
		}
	}
	return 0
}

func (p *phrase) match(w words) int {
	for i, set := range p.lead {
		if i > 0 && !w.next() || !w.in(set) {
			return 0
		}
	}
	var met uint
	for range p.within {
		if !w.next() {
			return 0
		}
		for i, set := range p.need {
			if met&(1<<i) == 0 && w.in(set) {
				met |= 1 << i
				break
			}
		}
		if met == 1<<len(p.need)-1 {
			return w.end
		}
	}
	return 0
}

// maxWord is the longest word, in bytes, that any phrase has, and more: what is
// longer is cut and matches none.
const maxWord = 24

// A words reads words: letters and digits. What lies between them
// is passed over, but for bytes that end a shell command or assign.
type words struct {
	text           string
	at, start, end int
	fold           [maxWord + 2]byte // the word in lower case between bars
	size           int
}

// next reads the next word. It is false at the end of the text and of a
// sequence: |, ; and = between words end it.
func (w *words) next() bool {
	first := w.size == 0
	w.size = 0
	for w.at < len(w.text) {
		r, n := utf8.DecodeRuneInString(w.text[w.at:])
		switch {
		case letter(r):
			if w.size == 0 {
				w.start = w.at
				w.put('|')
			}
			w.write(r)
			w.end = w.at + n
		case hidden(r): // is not seen, and divides nothing
		case w.size > 0:
			w.put('|')
			return true
		case !first && (r == '|' || r == ';' || r == '='):
			return false
		}
		w.at += n
	}
	if w.size > 0 {
		w.put('|')
		return true
	}
	return false
}

// put adds a byte. A word that is too long loses its end, and with it the bar
// without which it is in no set.
func (w *words) put(c byte) {
	if w.size < len(w.fold) {
		w.fold[w.size] = c
		w.size++
	}
}

func (w *words) write(r rune) {
	switch {
	case r >= 'A' && r <= 'Z', r >= 'À' && r <= 'Þ' && r != '×':
		r += 'a' - 'A'
	case r >= 'Ａ' && r <= 'Ｚ':
		r += 'a' - 'Ａ'
	case r >= 'ａ' && r <= 'ｚ':
		r += 'a' - 'ａ'
	}
	var b [utf8.UTFMax]byte
	for _, c := range b[:utf8.EncodeRune(b[:], r)] {
		w.put(c)
	}
}

// in says whether the word is in a set of words divided by bars.
func (w *words) in(set string) bool {
	if w.size < 3 || w.fold[w.size-1] != '|' {
		return false
	}
	size := w.size
	for i := 0; i+size <= len(set); i++ {
		if set[i] == '|' && set[i+1] == w.fold[1] && set[i:i+size] == string(w.fold[:size]) {
			return true
		}
	}
	return false
}

func letter(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return true
	case r >= 0xC0 && r <= 0x24F: // Latin with accents
		return r != '×' && r != '÷'
	}
	return r >= 'Ａ' && r <= 'Ｚ' || r >= 'ａ' && r <= 'ｚ' // full width
}

// hidden says whether a rune is not shown: soft hyphen, zero width, direction.
func hidden(r rune) bool {
	return r == 0xAD || r >= 0x200B && r <= 0x200F || r >= 0x2060 && r <= 0x2064 || r == 0xFEFF
}
