package catalog

import "testing"

func TestCommonStringsAreShortInTheBlob(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range common {
		if seen[s] || s == "" {
			t.Errorf("%q stands twice, or is empty", s)
		}
		seen[s] = true
	}
	names := []string{"tool", common[0], common[len(common)-1], common[0] + "x"}
	data, err := Encode([]*Program{{Names: names, Source: common[1]}})
	if err != nil {
		t.Fatal(err)
	}
	p, ok := blob(data).find("tool")
	if !ok || p.Source != common[1] || len(p.Names) != len(names) {
		t.Fatalf("got %+v", p)
	}
	for i, n := range names {
		if p.Names[i] != n {
			t.Errorf("name %d is %q, want %q", i, p.Names[i], n)
		}
	}
}

func TestAnUnknownCommonStringIsEmpty(t *testing.T) {
	d := decoder{data: "\xff\x7f"}
	if s := d.string(); s != "" {
		t.Errorf("got %q", s)
	}
}
