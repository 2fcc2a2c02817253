package cloud

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// The tables of commands of az and gcloud are too long to be written out: what prints a
// credential is known by its words (Azure CLI 2.60, gcloud 480).

// credentialNouns end the name of a command that shows credentials: list-keys,
// get-auth-string, show-connection-string, list-admin-credentials.
const credentialNouns = " key keys credential credentials secret secrets password passwords kubeconfig token connection-string connection-strings auth-string key-string "

// credentialThings are what list, show and their like show the value of.
const credentialThings = " keys key shared-key shared-keys auth-key auth-keys admin-key query-key connection-string connection-strings appsettings "

const showingWords = " list show get print renew regenerate reset "

// credentials turns a question into the showing of a secret where the words of the
// command, or an option, say that it answers with one.
func credentials(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	asks := func(e catalog.Effect) bool { return e.Verb == risk.RemoteRead }
	if r.Help || !slices.ContainsFunc(r.Effects, asks) {
		return
	}
	words := slices.Clone(m.Called())
	for _, v := range append(m.Values("word"), m.Values("object")...) {
		if text, known := v.Known(); known && len(words) < maxWords {
			words = append(words, text)
		}
	}
	shown := func(v value.Value) bool {
		option, _, _ := strings.Cut(v.Prefix(), "=")
		return slices.Contains([]string{"--with-secrets", "--show-values", "--show-secrets", "--include-secrets"}, option)
	}
	if !asksForCredential(words) && !slices.ContainsFunc(s.Args, shown) {
		return
	}
	r.Effects = slices.DeleteFunc(r.Effects, asks)
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SecretRead})
	r.Prints = catalog.PrintsSecret
}

const maxWords = 12

// asksForCredential reports whether the words of a command name a credential as what is
// shown: az iot hub policy list, az eventgrid topic key list, gcloud redis instances
// get-auth-string.
func asksForCredential(words []string) bool {
	has := func(list, word string) bool { return word != "" && strings.Contains(list, " "+word+" ") }
	for i, w := range words {
		verb, noun, _ := strings.Cut(w, "-")
		if has(showingWords, verb) {
			for last := noun; last != ""; _, last, _ = strings.Cut(last, "-") { // admin-credentials, credentials
				if has(credentialNouns, last) {
					return !describes(words[:i], last)
				}
			}
		}
		if i > 0 && has(showingWords, w) && (has(credentialThings, words[i-1]) || identityKeys(words[:i])) {
			return !describes(words[:i], "")
		}
	}
	return false
}

// describes reports whether what is listed is only told of: keys that never leave the
// vault, public ones, and the form of a connection string without its password.
func describes(group []string, noun string) bool {
	for _, w := range group {
		switch {
		case w == "keyvault", w == "kms", w == "ad", w == "service-accounts", w == "api-keys" && noun == "":
			return true
		case strings.HasPrefix(noun, "connection-string") && strings.Contains(" sql mysql postgres mariadb ", " "+w+" "):
			return true
		case noun == "credentials" && (w == "aks" || w == "fleet" || w == "clusters"): // written to the kubeconfig
			return true
		}
	}
	return slices.Contains(group, "secrets") || noun == "key" && slices.Contains(group, "public")
}

// identityKeys reports whether a group is one of Azure IoT whose answers have keys in them.
func identityKeys(group []string) bool {
	if len(group) < 2 || group[0] != "iot" {
		return false
	}
	last := group[len(group)-1]
	return last == "policy" || last == "device-identity" || last == "module-identity"
}
