package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/once"
)

// A Sentence is a command with what a person would say of it.
type Sentence struct {
	Case
	Facts []string `json:"facts"` // what a good sentence carries
	Third *int     `json:"third"` // which part of the collection it is in
}

// ReadSentences reads a JSON object a line; name is for errors. Of a row that is only
// a case, nothing but the sentence itself is measured.
func ReadSentences(r io.Reader, name string) (rows []Sentence, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var s Sentence
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("reading %s, line %d: %w", name, n, err)
		}
		if s.Cmd == "" {
			return nil, fmt.Errorf("reading %s, line %d: no cmd", name, n)
		}
		rows = append(rows, s)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return rows, nil
}

// Told counts what can be counted of sentences.
type Told struct {
	Sentences int `json:"sentences"`
	Facts     int `json:"facts"`
	Carried   int `json:"carried"`  // facts of whose words at least half stand in the answer
	Category  int `json:"category"` // sentences that name a kind of thing and not what is done
	Counted   int `json:"counted"`  // sentences that end in a number of further effects
	Long      int `json:"long"`     // longer than MaxTold
	Holes     int `json:"holes"`    // with something that is not known
}

// MaxTold is how long a sentence should be at most, in characters.
const MaxTold = 140

// Tell counts one answer: the sentence, and the texts beside it, in which facts may
// stand too.
func (t *Told) Tell(s *Sentence, sentence string, beside ...string) {
	t.Sentences++
	lower := strings.ToLower(sentence)
	t.Category += one(strings.ContainsFunc(lower, unicode.IsLetter) && containsAny(lower, categories))
	t.Counted += one(counted.Get().MatchString(sentence))
	t.Long += one(utf8.RuneCountInString(sentence) > MaxTold)
	t.Holes += one(containsAny(lower, []string{"not known", "not set)", "“<"}))
	all := map[string]bool{}
	for _, text := range append(beside, sentence) {
		for _, w := range contentWords(text) {
			all[w] = true
		}
	}
	for _, fact := range s.Facts {
		words := contentWords(fact)
		found := 0
		for _, w := range words {
			found += one(all[w])
		}
		t.Facts++
		t.Carried += one(2*found >= len(words))
	}
}

// WriteRow writes the shares in a line.
func (t *Told) WriteRow(w io.Writer, name string) error {
	facts := "-"
	if t.Facts > 0 {
		facts = share(t.Carried, t.Facts)
	}
	_, err := fmt.Fprintf(w, "%24s %9d %12s %14s %10s %8s %8s\n", name, t.Sentences, facts,
		share(t.Category, t.Sentences), share(t.Counted, t.Sentences), share(t.Long, t.Sentences), share(t.Holes, t.Sentences))
	return err
}

// WriteToldHead writes what the columns of [Told.WriteRow] are.
func WriteToldHead(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%24s %9s %12s %14s %10s %8s %8s\n", "", "sentences", "facts' words", "category words", "“+N more”", "> 140", "holes")
	return err
}

// categories are the words of sentences that name a kind of thing.
var categories = []string{
	"only reads or prints", "changes the configuration", "changes the machine's configuration", "changes state", "remote state through",
	"runs code of", "code of this project, not inspected", "manages ", "works with ", "shows repository data", "changes local git state",
}

var counted = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp { return regexp.MustCompile(`\(\+[0-9,]+ more\)`) }}

func containsAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// contentWords are the words of a text that carry something, cut to their stem's first
// letters: "deletes" and "deleted" are one.
func contentWords(text string) (words []string) {
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '_' && r != '-'
	}) {
		w = strings.Trim(w, ".-_")
		if len(w) < 3 || containsWord("the and its for not are with from that this only all any has was into than then here nothing", w) {
			continue
		}
		words = append(words, w[:min(len(w), 6)])
	}
	return words
}

func containsWord(list, w string) bool { return strings.Contains(" "+list+" ", " "+w+" ") }
