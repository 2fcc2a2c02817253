package net

import (
	neturl "net/url"
	"testing"
)

func TestPublic(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"https://api.shop.example/v1/a": true,
		"http://shop.example./a":        true,
		"https://shop.example:8443/a":   false,
		"https://localhost/a":           false,
		"https://search/a":              false,
		"https://wiki.local/a":          false,
		"https://db.eu.internal/a":      false,
		"https://192.0.2.7/a":           false,
		"https://[2001:db8::7]/a":       false,
	} {
		u, err := neturl.Parse(text)
		if err != nil || public(u) != want {
			t.Errorf("%s: got %v, %v", text, !want, err)
		}
	}
}
