package eval_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/eval"
	"github.com/heedsh/heed/risk"
)

// FuzzRead: any bytes are cases or an error that names the line, and cases
// that were read can be counted.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"id":"1","suite":"s","kind":"benign","cmd":"ls","class":"read-only"}` + "\n\n" + `{"cmd":"rm -rf /","class":"must-stop"}`))
	f.Add([]byte("{}\n{"))
	f.Add([]byte("null\n[]\n\"\"\n"))
	f.Add([]byte(`{"cwd":null,"accept":[]}`))
	f.Add([]byte("\xff\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		cases, err := eval.Read(strings.NewReader(string(data)), "dir/suite.jsonl")
		if err != nil {
			if !strings.Contains(err.Error(), "suite.jsonl") {
				t.Fatalf("the error does not name the file: %v", err)
			}
			return
		}
		results := eval.Run(cases, func(*eval.Case) risk.Assessment { return risk.Assessment{Tier: risk.Review, Level: risk.C} }, nil)
		s := eval.Summarize(results)
		wrong := 0
		for i := range results {
			if results[i].Case.Suite == "" {
				t.Fatalf("case %d has no suite", i)
			}
			if !results[i].Right {
				wrong++
			}
		}
		counted := 0
		for _, c := range s.Classes {
			counted += c.Wrong
			if c.Wrong > c.Cases || c.Share() < 0 || c.Share() > 100 {
				t.Fatalf("%d of %d wrong, %f %%", c.Wrong, c.Cases, c.Share())
			}
		}
		if counted > wrong {
			t.Fatalf("%d wrong answers counted of %d", counted, wrong)
		}
		if worse := s.Worse(s, 0); len(worse) > 0 {
			t.Fatalf("worse than itself: %v", worse)
		}
		if _, err := json.Marshal(s); err != nil {
			t.Fatal(err)
		}
	})
}
