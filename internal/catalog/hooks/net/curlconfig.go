package net

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// curlConfigured adds to the words of a command those of the configuration files
// that it names (curl(1), --config), as far as they can be read.
func curlConfigured(m *catalog.Match, s *catalog.Site, r *catalog.Result) []value.Value {
	args := s.Args
	for _, file := range m.Values("configuration") {
		text, ok := site.SiteFile(s, file)
		if site.NetIs(file, "-") && s.HasStdin {
			text, ok = site.Input(s).Known()
		}
		if !ok {
			continue
		}
		words := curlConfig(text)
		for _, e := range m.Program.Match(words).Apply().Effects { // files that other options write
			if e.Verb == risk.FSWrite || e.Verb == risk.FSCreate {
				r.Effects = append(r.Effects, e)
			}
		}
		args = append(args[:len(args):len(args)], words...)
	}
	return args
}

// curlConfig reads a configuration file: an option a line, whose dashes may be
// left out, and its value behind white space, = or :, quoted or up to the next
// white space.
func curlConfig(text string) (words []value.Value) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		end := strings.IndexAny(line, " \t=:")
		if end < 0 {
			end = len(line)
		}
		option := line[:end]
		if !strings.HasPrefix(option, "-") {
			option = "--" + option
		}
		words = append(words, value.Lit(option))
		if rest := strings.TrimLeft(line[end:], " \t=:"); rest != "" {
			words = append(words, value.Lit(curlConfigValue(rest)))
		}
	}
	return words
}

func curlConfigValue(s string) string {
	if s[0] != '"' {
		s, _, _ = strings.Cut(s, " ")
		return s
	}
	var b strings.Builder
	for i := 1; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
			if at := strings.IndexByte("tnrv", s[i]); at >= 0 {
				b.WriteByte("\t\n\r\v"[at])
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
