package intent

import "github.com/heedsh/heed/risk"

// A Token is the hash of one fact about a command's effects.
type Token uint32

// maxTokens bounds the tokens of one command; further effects are not looked at.
const maxTokens = 64

// The offset basis and the prime of 32-bit FNV-1a. Source: RFC 9923, section 5.
const (
	fnvBasis = 2166136261
	fnvPrime = 16777619
)

func hashString(h uint32, s string) uint32 {
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * fnvPrime
	}
	return h
}

func hashByte(h uint32, c byte) uint32 { return (h ^ uint32(c)) * fnvPrime }

// mix spreads the entropy of a hash over all its bits: the finalizer of
// MurmurHash3 by Austin Appleby.
func mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// TokenOf returns the token of a fact's text, for example "fs.delete/workspace".
func TokenOf(s string) Token { return Token(hashString(fnvBasis, s)) }

// Tokens appends the tokens of effects and unknowns to dst, each once, and
// returns it. They are: verb; verb/scope; verb:detail; verb+flag for recursive,
// many, forced, root, privileged, a target that is not wholly known and an
// effect that is only possible; verb<source for what flows into a target; and
// "hole" and "unknown:" + role for each unknown. What the machine happens to
// hold (counts, whether a target exists, what git knows) is left out: a model
// trained in one world is asked about others.
func Tokens(dst []Token, effects []risk.Effect, unknowns []risk.Unknown) []Token {
	start := len(dst)
	for i := range effects {
		if len(dst)-start >= maxTokens {
			return dst
		}
		dst = effectTokens(dst, start, &effects[i])
	}
	for i := range unknowns {
		if len(dst)-start >= maxTokens {
			return dst
		}
		dst = appendOnce(dst, start, hashString(hashString(fnvBasis, "unknown:"), unknowns[i].Role.String()))
	}
	return dst
}

func effectTokens(dst []Token, start int, e *risk.Effect) []Token {
	verb := hashString(fnvBasis, string(e.Verb))
	dst = appendOnce(dst, start, verb)
	if e.Scope != "" {
		dst = appendOnce(dst, start, hashString(hashByte(verb, '/'), string(e.Scope)))
	}
	if e.Kind != risk.NoKind {
		dst = appendOnce(dst, start, hashString(hashByte(verb, ':'), e.Kind.String()))
	}
	if !e.Source.IsZero() {
		dst = appendOnce(dst, start, hashByte(verb, '<'))
	}
	for _, f := range [...]struct {
		set  bool
		name string
	}{
		{e.Recursive, "+recursive"},
		{e.Many, "+many"},
		{e.Forced, "+forced"},
		{e.Root, "+root"},
		{e.Privileged, "+privileged"},
		{e.Certainty == risk.Possible, "+possible"},
		{e.Host != "", "+elsewhere"},
	} {
		if f.set {
			dst = appendOnce(dst, start, hashString(verb, f.name))
		}
	}
	if e.Unresolved != "" {
		dst = appendOnce(dst, start, hashString(verb, "+hole"))
		dst = appendOnce(dst, start, hashString(fnvBasis, "hole"))
	}
	return dst
}

// appendOnce appends a token that is not yet among dst[start:].
func appendOnce(dst []Token, start int, h uint32) []Token {
	t := Token(h)
	for _, have := range dst[start:] {
		if have == t {
			return dst
		}
	}
	return append(dst, t)
}
