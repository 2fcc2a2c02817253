package intent

// fallbackConfidence is how sure the rules are of themselves: the figure of the
// CommandRisk scheme.
const fallbackConfidence = 0.6

// Fallback guesses an intent by rules, from the effects if there are any and
// else from the structure of the text. It serves when there is no model.
func Fallback(in *Input) Result { return fallback(in, new(Scratch)) }

func fallback(in *Input, s *Scratch) (r Result) {
	s.shape.measure(in)
	r.Fallback = true
	r.Intent = byTokens(in)
	if r.Intent == Benign {
		r.Intent = byShape(&s.shape)
	}
	const rest = (1 - fallbackConfidence) / (Count - 1)
	for c := range r.Probabilities {
		r.Probabilities[c] = rest
	}
	r.Probabilities[r.Intent] = fallbackConfidence
	r.Confidence = fallbackConfidence
	r.Harm = harm(&r.Probabilities)
	r.Alarm = r.Intent == Destructive || r.Intent == Exfiltration || r.Intent == Persistence
	return r
}

// has says whether an input has one of the facts.
func has(in *Input, facts ...string) bool {
	for _, f := range facts {
		t := TokenOf(f)
		for _, have := range in.Tokens[:min(len(in.Tokens), maxTokens)] {
			if have == t {
				return true
			}
		}
	}
	return false
}

// byTokens asks for the gravest intent first.
func byTokens(in *Input) Intent {
	secret := has(in, "secret.read", "fs.read/secret", "fs.read/accounts", "fs.read/other-home")
	switch {
	case has(in, "secret.send"), secret && has(in, "net.send", "net.connect", "vcs.push", "net.fetch<"):
		return Exfiltration
	case has(in, "fs.delete+root", "fs.delete/system", "fs.delete/home", "fs.delete/other-home", "disk.write", "vcs.discard", "vcs.force",
		"vcs.rewrite", "remote.destroy", "db.destroy", "resource.exhaust", "fs.write/device", "sys.power"):
		return Destructive
	case has(in, "persist.add", "agent.config", "fs.write/startup", "fs.create/startup", "priv.gain:setuid"):
		return Persistence
	case has(in, "fs.read/accounts"), secret:
		return Reconnaissance
	}
	return Benign
}

// byShape knows only the text.
func byShape(s *Shape) Intent {
	outward := s[shapeURL]+s[shapeRemote]+s[shapeAddress] > 0
	switch {
	case s[shapeSecret] > 0 && outward && s[shapePipes]+s[shapeIn]+s[shapeRemote] > 0:
		return Exfiltration
	case s[shapeForce] > 0 && s[shapeRoot] > 0:
		return Destructive
	case s[shapeStartup] > 0 && s[shapeAppend] > 0 && s[shapeHome]+s[shapeSystem] > 0:
		return Persistence
	}
	return Benign
}
