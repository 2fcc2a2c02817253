package flow

import "testing"

func TestSecretShape(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"API_TOKEN=abc123def\nDEBUG=1\n":                                        true,
		"# settings\nexport DB_PASSWORD='hunter22'\n":                           true,
		"[default]\naws_secret_access_key = abcdefgh\n":                         true,
		"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n":                           true,
		"-----BEGIN PUBLIC KEY-----\nAAAA\n":                                    false,
		"API_TOKEN=<your token>\n":                                              false,
		"API_TOKEN=${TOKEN}\nX=1\n":                                             false,
		"API_TOKEN=changeme\n":                                                  false,
		"PORT=8080\nHOST=localhost\n":                                           false,
		"token = lexer.next()\nif token:\n    return 1\nprint(token)\nmore()\n": false,
		"": false, "plain text": false,
	} {
		if got := secretShape(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
