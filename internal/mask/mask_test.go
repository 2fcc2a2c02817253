package mask_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/mask"
	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                       "",
		"git push https://u:pw@h/r.git":          "git push https://u:<secret:password>@h/r.git",
		"x ghp_hunter2hunter2hunter2xx1":         "x <secret:token>",
		"AKIAIOSFODNN7EXAMPLE":                   "<secret:token>",
		"-----BEGIN RSA PRIVATE KEY-----abc":     "-----BEGIN RSA PRIVATE KEY-----<secret:key>",
		"curl eyJhbGciOiJIUzI1.eyJzdWIiOiIx.sig": "curl <secret:token>",
		"grep sk-learn requirements.txt":         "grep sk-learn requirements.txt",
		"https://host/path:1@2":                  "https://host/path:1@2",
	} {
		if got := mask.Text(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCommand(t *testing.T) {
	t.Parallel()
	env := map[string]string{"DEPLOY_TOKEN": "hunter2hunter2", "PGPASSWORD": "pw", "PATH": "/usr/bin"}
	for command, want := range map[string]string{
		"echo hunter2hunter2":                                            "echo <secret:environment>",
		"API_KEY=abc12345 ./run":                                         "API_KEY=<secret:assigned> ./run",
		"API_KEY=1 ./run 1 21":                                           "API_KEY=<secret:assigned> ./run <secret:assigned> 21",
		`export DB_PASSWORD="two words"`:                                 `export DB_PASSWORD="<secret:assigned>"`,
		"API_KEY=$OTHER ./run":                                           "API_KEY=$OTHER ./run",
		"login --password hunter3 --user-name x":                         "login --password <secret:option> --user-name x",
		"login --password=hunter3":                                       "login --password=<secret:assigned>",
		"login --token-file /run/t":                                      "login --token-file /run/t",
		"login --password-stdin <f":                                      "login --password-stdin <f",
		`curl -H "Authorization: Bearer abcdefgh" https://h/`:            `curl -H "Authorization: Bearer <secret:header>" https://h/`,
		"curl -u me:hunter3 https://h/":                                  "curl -u me:<secret:password> https://h/",
		"curl --user me:hunter3 https://h/":                              "curl --user me:<secret:password> https://h/",
		`curl -d '{"password": "hunter3", "id": "x"}' h`:                 `curl -d '{"password": "<secret:field>", "id": "x"}' h`,
		"sshpass -p hunter3 ssh h":                                       "sshpass -p <secret:password> ssh h",
		"mysql -u root -phunter3 db":                                     "mysql -u root -p<secret:password> db",
		"mkdir -phunter3":                                                "mkdir -phunter3",
		"kubectl create secret generic x --from-literal=password=abc123": "kubectl create secret generic x --from-literal=password=<secret:assigned>",
		"grep -r PASSWORD= src":                                          "grep -r PASSWORD= src",
		"git commit -m 'mention tokens'":                                 "git commit -m 'mention tokens'",
		"docker run -u 1000:1000 img":                                    "docker run -u 1000:1000 img",
	} {
		m := mask.For(command, env)
		if got := m.Text(command); got != want {
			t.Errorf("%s\n got %s\nwant %s", command, got, want)
		}
		if m.Masks(command) != (command != want) {
			t.Errorf("%s: Masks says %v", command, m.Masks(command))
		}
	}
	// What the command gave away is taken out of every text about it.
	m := mask.For("login --password hunter3", nil)
	if got := m.Text("Sends hunter3 to h"); got != "Sends <secret:option> to h" {
		t.Error(got)
	}
}

// TestNoSecretIsLeft gives random secrets to a command in every way that is known.
func TestNoSecretIsLeft(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[A-Za-z0-9]{6,30}`).Draw(t, "secret")
		if strings.Contains("login password curl Authorization Bearer me https secret environment assigned option header field export x TOKEN", secret) {
			t.Skip("a word of the command")
		}
		command := strings.ReplaceAll(rapid.SampledFrom([]string{
			"login --password S x", "TOKEN=S login", "export TOKEN='S'; login", "curl -H 'Authorization: Bearer S' h", "curl -u me:S h",
			"git clone https://me:S@h/r", `curl -d '{"token":"S"}' h`, "echo S",
		}).Draw(t, "form"), "S", secret)
		m := mask.For(command, map[string]string{"A_SECRET": secret})
		if got := m.Text(command); strings.Contains(got, secret) {
			t.Fatalf("%s: %s", command, got)
		}
		again := m.Text(m.Text(command))
		if again != m.Text(command) {
			t.Fatalf("masking twice: %s", again)
		}
	})
}
