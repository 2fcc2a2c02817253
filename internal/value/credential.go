package value

import "strings"

// CredentialName reports whether a variable holds a secret, by the words that
// tools use in such names (AWS_SECRET_ACCESS_KEY, GITHUB_TOKEN, PGPASSWORD …).
func CredentialName(name string) bool {
	upper := strings.ToUpper(name)
	for _, w := range []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "PRIVATE_KEY", "ACCESS_KEY", "CREDENTIAL", "PASSPHRASE", "AUTH_KEY"} {
		if strings.Contains(upper, w) {
			return !strings.HasSuffix(upper, "_FILE") && !strings.HasSuffix(upper, "_PATH") && !strings.HasSuffix(upper, "_ID")
		}
	}
	return false
}

// CredentialParameter reports whether a parameter of a URL's query is made for a
// secret: an interface that takes one there names it so, and is where it belongs.
func CredentialParameter(name string) bool {
	switch strings.ToLower(name) {
	case "key", "auth", "appid", "sig", "signature", "pat", "jwt":
		return true
	}
	return CredentialName(name)
}

// NamesCredential returns the first word of a text that is the name of a variable
// with a secret, or "".
func NamesCredential(text string) string {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		if CredentialName(word) {
			return word
		}
	}
	return ""
}

// HoldsPassword reports whether an address has a password before its host (RFC 3986,
// 3.2.1).
func HoldsPassword(address string) bool {
	_, rest, ok := strings.Cut(address, "://")
	user, _, at := strings.Cut(rest, "@")
	_, password, both := strings.Cut(user, ":")
	return ok && at && both && password != "" && !strings.ContainsAny(user, "/ ")
}

// GitCredential reports whether a line of git's settings holds a credential: in the
// address of a remote, or in a header (gitcredentials(7); git-config(1),
// "http.extraHeader").
func GitCredential(line string) (address, header bool) {
	name, v, _ := strings.Cut(line, "=")
	return HoldsPassword(v), strings.EqualFold(strings.TrimSpace(name), "extraheader")
}
