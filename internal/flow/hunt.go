package flow

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// credentialWords are what people search for who look for credentials
// (ATT&CK T1552.001, Unsecured Credentials: Credentials In Files).
var credentialWords = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)passw(or)?d|\bpwd\b|secret|token|api.?key|credential|passphrase|private.?key|access.?key|BEGIN.*PRIVATE`)
}}

// accountWords name services whose variables are credentials by their own
// documentation (AWS_SECRET_ACCESS_KEY, AZURE_CLIENT_SECRET, OPENAI_API_KEY …):
// who searches an environment for them has these shown if they are set.
var accountWords = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\W*(aws|azure|arm|openai|anthropic|stripe|twilio|sendgrid|vault|hcloud|digitalocean|cloudflare|heroku)\W*_?\W*$`)
}}

// hunt tells of a search for credentials: through directories outside the
// workspace, or through the environment. No single file that it reads needs to
// be a known secret.
func (d *Deed) hunt() {
	r := d.Result
	if r.Match == nil || !r.Traits.Has(catalog.Searches) || r.Match.Help {
		return
	}
	environment := r.ShowsStdin && d.Inv.HasStdin && d.Inv.Stdin.Lists(value.OfEnvironment).Of != value.NoListing
	search := risk.Effect{Verb: risk.SecretRead, Kind: risk.KindSearch, Program: r.Match.Program.Names[0]}
	switch {
	case d.looksFor(credentialWords.Get()):
	case environment && d.looksFor(accountWords.Get()):
		search.Kind = risk.KindVariablesOfAnAccount
	default:
		return
	}
	if environment {
		search.Source = risk.FromEnvironment()
		d.tell(search)
		return
	}
	for _, e := range slices.Clone(d.effects()) {
		if e.Verb == risk.FSRead && e.Recursive && d.outside(&e) {
			search.Source = risk.From(e.Target)
			d.tell(search)
		}
	}
}

// looksFor reports whether a pattern of the search is one of these words.
func (d *Deed) looksFor(words *regexp.Regexp) bool {
	m := d.Result.Match
	return slices.ContainsFunc(append(m.Values("pattern"), m.Values("expression")...), func(v value.Value) bool {
		text, ok := v.Known()
		return ok && words.MatchString(text)
	})
}

// outside reports whether what is read lies where credentials of others or of
// the machine could be: a home, or the system but for what is public.
func (d *Deed) outside(e *risk.Effect) bool {
	outside := e.Scope == risk.InSystem || e.Scope == risk.InOtherHome || e.Scope == risk.InHome && d.Space.OwnHome(e.Target)
	return outside && !public(e.Target)
}

// huntNames tells of a search for files of credentials by their names, outside
// the workspace (ATT&CK T1552.001 and T1552.004): what is found is read next.
func (d *Deed) huntNames() {
	i := slices.IndexFunc(d.Result.Sought, d.credentialFile)
	if i < 0 || d.Result.Match == nil || d.Result.Match.Help {
		return
	}
	search := risk.Effect{Verb: risk.FSRead, Kind: risk.KindCredentialSearch, Named: d.Result.Sought[i], Target: "/", Scope: risk.InSystem}
	reads := func(x catalog.Effect) bool { return x.Verb == risk.FSRead }
	if !slices.ContainsFunc(d.Result.Effects, reads) { // it searches an index of the whole machine
		d.tell(search)
		return
	}
	for _, x := range d.effects() {
		if x.Verb == risk.FSRead && d.outside(&x) {
			search.Target, search.Scope = x.Target, x.Scope
			d.tell(search)
			return
		}
	}
}

// credentialFile reports whether a file of that name, or one that matches it
// as a pattern, would hold credentials.
func (sc *Scene) credentialFile(name string) bool {
	plain := strings.Trim(name, "*?")
	return plain != "" && (sc.Space.Scope(path.Join("/home/any", plain)) == risk.IsSecret || credentialWords.Get().MatchString(plain) && !strings.Contains(plain, "."))
}

// public reports whether a directory holds only what was installed for
// everybody: documentation, sources and headers.
func public(dir string) bool {
	for _, d := range []string{"/usr/share", "/usr/include", "/usr/lib", "/usr/src", "/usr/local/lib", "/usr/local/share", "/usr/local/include", "/proc", "/sys"} {
		if dir == d || strings.HasPrefix(dir, d+"/") {
			return true
		}
	}
	return false
}

// passwordFiles hold the hashes of every account's password (shadow(5),
// opasswd(5), master.passwd(5)).
var passwordFiles = []string{"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/master.passwd", "/etc/security/opasswd"}

// passwords tells of a program that is handed a file of password hashes, in
// whatever role: most programs show a line that they cannot use.
func (d *Deed) passwords() {
	wraps := func(run catalog.Run) bool { return run.Kind == catalog.RunArgv || run.Kind == catalog.RunShell }
	if d.Result.Match == nil || d.Result.Traits.Has(catalog.Talks) || slices.ContainsFunc(d.Result.Runs, wraps) {
		return
	}
	d.Handed(d.State, d.Inv, d.Program, d.effects())
}

// Handed records the files of password hashes among a program's words that
// none of the effects names.
func (sc *Scene) Handed(st *shell.State, inv *shell.Invocation, program string, told []risk.Effect) {
	for _, w := range inv.Argv[1:] {
		text, known := w.Value.Known()
		at := strings.Index(text, "/etc/")
		if !known || at < 0 || !slices.Contains(passwordFiles, path.Clean(text[at:])) {
			continue
		}
		if at > 0 && !strings.ContainsAny(text[at-1:at], "=@:,/") {
			continue
		}
		if !slices.ContainsFunc(told, func(e risk.Effect) bool { return e.Target == path.Clean(text[at:]) }) {
			e := risk.Effect{Verb: risk.FSRead, Target: path.Clean(text[at:]), Scope: risk.IsSecret, Program: program}
			if slices.ContainsFunc(told, func(e risk.Effect) bool { return e.Verb == risk.NetFetch && e.Target == text }) {
				e.Host = strings.TrimRight(text[:at], ":/") // of another machine
			}
			sc.Effect(st, inv.Span, e)
		}
	}
}
