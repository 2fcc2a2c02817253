package profile

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// YAML makes the file of a profile, as a person would write it. It fails for what could
// not be read again.
func (p *Profile) YAML() ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "summary: %s\n", scalar(p.Summary))
	for _, l := range []struct {
		key  string
		list []string
	}{{"read", p.Read}, {"hide", p.Hide}, {"secrets", p.Secrets}, {"write", p.Write}, {"names", p.Names}, {"keep", p.Keep}, {"hosts", p.Hosts}} {
		switch {
		case len(l.list) == 0:
		case len(l.list) <= 3:
			fmt.Fprintf(&b, "%s: [%s]\n", l.key, strings.Join(scalars(l.list), ", "))
		default:
			fmt.Fprintf(&b, "%s:\n  - %s\n", l.key, strings.Join(scalars(l.list), "\n  - "))
		}
	}
	fmt.Fprintf(&b, "net: %s\nsockets: %t\nsignals: %t\n", p.Net, p.Sockets, p.Signals)
	again, err := Parse("the profile", []byte(b.String()))
	if err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(again.plain(), p.plain()) {
		return nil, fmt.Errorf("the profile cannot be written as YAML")
	}
	return []byte(b.String()), nil
}

// plain is a profile in which an empty list is none.
func (p *Profile) plain() *Profile {
	q := *p
	for _, list := range []*[]string{&q.Read, &q.Hide, &q.Secrets, &q.Write, &q.Names, &q.Keep, &q.Hosts} {
		if len(*list) == 0 {
			*list = nil
		}
	}
	return &q
}

func scalars(list []string) []string {
	out := slices.Clone(list)
	for i := range out {
		out[i] = scalar(out[i])
	}
	return out
}

// scalar writes a text so that YAML reads the same one: plain where nothing in it can
// mean anything else.
func scalar(s string) string {
	if regexp.MustCompile(`^(~?/[A-Za-z0-9._@+/-]*|workspace(/[A-Za-z0-9._@+/-]*)?|caches|secrets)$`).MatchString(s) {
		return s
	}
	if regexp.MustCompile(`^[A-Z][a-z]+( [A-Za-z0-9._/-]+)+$`).MatchString(s) {
		return s
	}
	text, err := json.Marshal(s)
	if err != nil {
		return `""` // a text is always written
	}
	return string(text)
}
