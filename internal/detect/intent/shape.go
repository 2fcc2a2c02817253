package intent

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/once"
)

// The structural features, counts and flags of a command's text. Those of the
// CommandRisk scheme are among them: pipes, eval, subshells, root paths,
// sensitive files.
const (
	shapeLength  = iota // binary logarithm of the bytes
	shapeWords          // binary logarithm of the words
	shapePipes          // |
	shapeLists          // ; && || &
	shapeSubst          // $( ` <(
	shapeEval           // eval, exec, source
	shapeOut            // >
	shapeAppend         // >>
	shapeIn             // <
	shapeHeredoc        // <<
	shapeRoot           // / or /* as a word
	shapeSystem         // paths of the system
	shapeHome           // ~ and $HOME
	shapeSecret         // files that hold secrets
	shapeStartup        // files that are run later
	shapeURL            // ://
	shapeAddress        // four numbers with dots
	shapeRemote         // name@host: and /dev/tcp
	shapeEntropy        // bits a byte of the text
	shapeEncoded        // logarithm of the longest run of base64 characters
	shapeEscapes        // \x, \u and \0
	shapeNesting        // depth of brackets
	shapeQuoted         // quotes
	shapeUpper          // eighths of the text in upper case
	shapeVars           // $
	shapeFlags          // words that begin with -
	shapeSudo           // sudo, doas, su
	shapeGlob           // *
	shapeForce          // -f, --force, -rf
	shapeLines          // line breaks
	shapeMasked         // masked words
	shapeRuns           // invocations
	shapeDepth          // Input.Depth
	shapeTokens         // effect tokens
	shapeCount
)

// A Shape is the structural features of a command.
type Shape [shapeCount]float32

// ShapeOf measures an input.
func ShapeOf(in *Input) (s Shape) {
	s.measure(in)
	return s
}

// step is the step of a structural feature that the linear model sees.
func step(v float32) uint8 { return uint8(min(max(v*2, 0), 30)) }

// The words that mark files, in lower case.
var (
	secretMarks = [...]string{
		".ssh", "id_rsa", "id_ed25519", "shadow", ".aws", "credential", ".env", ".kube/config", ".gnupg", ".netrc", ".pgpass",
		"keychain", "password", "secret", "token", "cookies", "login data", ".docker/config", ".npmrc", ".pem", "wallet",
	}
	startupMarks = [...]string{
		".bashrc", ".profile", ".zshrc", ".bash_profile", "cron", "systemd", ".service", "launchagents", "launchdaemons", "rc.local",
		"init.d", "autostart", "authorized_keys", "ld.so.preload", ".git/hooks", "loginhook", "at.allow", "update-rc", "udev/rules", "motd",
	}
	systemMarks = [...]string{"/etc", "/usr", "/bin", "/boot", "/dev/", "/var", "/lib", "/sys", "/proc", "/system", "/library"}
	fileMarks   = once.Value[*marks]{Make: newMarks}
	evalWords   = [...]string{"eval", "exec", "source", "."}
	sudoWords   = [...]string{"sudo", "doas", "su", "pkexec"}
	forceWords  = [...]string{"-f", "--force", "-rf", "-fr", "-Rf", "--hard", "-y", "--yes"}
)

// Where the words of each list begin among all that mark files.
const (
	startupFrom = len(secretMarks)
	systemFrom  = startupFrom + len(startupMarks)
)

// marks are the words that mark files, a bit for each.
type marks struct {
	words []string
	by    [256]uint64 // those that begin with a byte
}

func newMarks() *marks {
	m := &marks{words: slices.Concat(secretMarks[:], startupMarks[:], systemMarks[:])}
	for k, w := range m.words {
		m.by[w[0]] |= 1 << k
	}
	return m
}

// measure looks at the head and the tail of the text, as the other features do.
func (s *Shape) measure(in *Input) {
	*s = Shape{}
	text := in.Text
	if len(text) > 2*maxPart {
		s.scan(text[:maxPart])
		text = text[len(text)-maxPart:]
	}
	s.scan(text)
	s[shapeLength] = float32(log2(1 + float64(len(in.Text))))
	s[shapeWords] = float32(log2(1 + float64(s[shapeWords])))
	s[shapeEncoded] = float32(log2(1 + float64(s[shapeEncoded])))
	s[shapeRuns] = float32(log2(1 + float64(len(in.Argv))))
	s[shapeDepth] = float32(min(max(in.Depth, 0), 15))
	s[shapeTokens] = float32(log2(1 + float64(len(in.Tokens))))
}

func (s *Shape) scan(text string) {
	s.letters(text)
	for start := 0; start < len(text); {
		for start < len(text) && text[start] <= ' ' {
			start++
		}
		end := start
		for end < len(text) && text[end] > ' ' {
			end++
		}
		if end > start {
			s.word(text[start:end])
		}
		start = max(end, start+1)
	}
	found := fileMarks.Get().in(text)
	s[shapeSecret] += float32(bits.OnesCount64(found & (1<<startupFrom - 1)))
	s[shapeStartup] += float32(bits.OnesCount64(found & (1<<systemFrom - 1) >> startupFrom))
	s[shapeSystem] += float32(bits.OnesCount64(found >> systemFrom))
}

// in finds which of the words occur in the text, whatever their case. It looks at each
// position once and compares only where a first letter fits.
func (m *marks) in(text string) (found uint64) {
	for i := range len(text) {
		for may := m.by[lower(text[i])] &^ found; may != 0; may &= may - 1 {
			if k := bits.TrailingZeros64(may); hasFold(text[i:], m.words[k]) {
				found |= 1 << k
			}
		}
	}
	return found
}

func hasFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lower(s[i]) != prefix[i] {
			return false
		}
	}
	return true
}

func (s *Shape) word(w string) {
	s[shapeWords]++
	switch {
	case w == "/" || w == "/*":
		s[shapeRoot]++
	case w[0] == '-' && len(w) > 1:
		s[shapeFlags]++
		if among(w, forceWords[:]) {
			s[shapeForce]++
		}
	case among(w, evalWords[:]):
		s[shapeEval]++
	case among(w, sudoWords[:]):
		s[shapeSudo]++
	}
	url := strings.IndexByte(w, ':') >= 0 && strings.Contains(w, "://")
	if at := strings.IndexByte(w, '@'); at > 0 && strings.IndexByte(w[at:], ':') > 0 && !url {
		s[shapeRemote]++
	}
	if url {
		s[shapeURL]++
	}
	if address(w) {
		s[shapeAddress]++
	}
	slash := strings.IndexByte(w, '/') >= 0
	if slash && (strings.Contains(w, "/dev/tcp") || strings.Contains(w, "/dev/udp")) {
		s[shapeRemote]++
	}
	if w[0] == '~' || slash && strings.Contains(w, "/home/") || strings.Contains(w, "$HOME") {
		s[shapeHome]++
	}
}

func among(w string, words []string) bool {
	for _, x := range words {
		if w == x {
			return true
		}
	}
	return false
}

// address says whether a word holds four numbers joined by dots.
func address(w string) bool {
	parts, digits := 0, 0
	for i := range len(w) {
		switch c := w[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == '.' && digits > 0 && digits <= 3:
			parts, digits = parts+1, 0
		default:
			if parts == 3 && digits > 0 {
				return true
			}
			parts, digits = 0, 0
		}
	}
	return parts == 3 && digits > 0
}
