package flow

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// A secret under an innocent name is known by its shape. The text is looked at
// here and nothing of it is kept.

// maxShape is how many bytes a file may have to be looked at: credentials are
// short.
const maxShape = 16 << 10

// shaped reports whether a file that is shown has the shape of a secret.
func (sc *Scene) shaped(st *shell.State, target value.Value) bool {
	if st.Context.Host != "" || st.Context.Container != "" || !Absolute(st, target).IsKnown() {
		return false
	}
	p := sc.Place(st, target, true)
	switch p.Scope {
	case risk.InWorkspace, risk.InTemp, risk.InHome, risk.InOtherRepo, risk.IsStartup, risk.IsAgentConfig:
	default:
		return false
	}
	if p.Info.Kind != world.Regular || p.Info.Size == 0 || p.Info.Size > maxShape || st.FS.Touched(p.Path) || !sc.Spend(2) {
		return false
	}
	text, err := st.FS.ReadFile(p.Path, maxShape)
	return err == nil && (secretShape(string(text)) || gitSettings(p.Path) && gitSecret(string(text)))
}

// gitSettings reports whether a file is called like one of git's settings
// (git-config(1), "FILES").
func gitSettings(name string) bool {
	return path.Base(name) == ".gitconfig" || path.Base(name) == "config" && (strings.Contains(name, "/.git/") || strings.HasSuffix(name, "/git/config"))
}

// gitSecret reports whether settings of git hold a credential.
func gitSecret(text string) bool {
	for line := range strings.Lines(text) {
		if address, header := value.GitCredential(line); address || header {
			return true
		}
	}
	return false
}

// secretShape reports whether a text is a private key (RFC 7468, 10 and 11), or
// a list of variables of which one has a credential: NAME=value in most of its
// lines.
func secretShape(text string) bool {
	if i := strings.Index(text, "-----BEGIN "); i >= 0 {
		label, _, _ := strings.Cut(text[i+len("-----BEGIN "):], "\n")
		if strings.Contains(label, "PRIVATE KEY-----") {
			return true
		}
	}
	lines, set, secret := 0, 0, false
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		if line == "" || line[0] == '#' || line[0] == '[' {
			continue
		}
		lines++
		name, v, ok := strings.Cut(line, "=")
		if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, " \t(){}<>\"'") {
			continue
		}
		set++
		v = strings.Trim(strings.TrimSpace(v), `"'`)
		secret = secret || value.CredentialName(name) && len(v) >= 6 && !placeholderText(v)
	}
	return secret && set*4 >= lines*3
}

// placeholderText reports whether a value stands for one that is to be filled in.
func placeholderText(v string) bool {
	lower := strings.ToLower(v)
	for _, s := range []string{"<", "${", "$(", "xxx", "your", "changeme", "change-me", "change_me", "example", "placeholder", "todo", "...", "***"} {
		if strings.Contains(lower, s) {
			return true
		}
	}
	return false
}
