package system

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// rename reads Perl's form (EXPRESSION FILE…) and util-linux's (FROM TO FILE…).
// A plain substitution or transliteration is not code that needs reading.
func rename(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	code := m.Values("code")
	switch {
	case len(code) > 0:
	case len(words) > 0 && (s.Name == "prename" || s.Name == "file-rename" || s.Name == "perl-rename" || s.Name != "rename.ul" && mayBePerl(words[0])):
		code, words = words[:1], words[1:]
	case len(words) == 2: // rename OLD NEW of mksh; without files the program says how it is used
		words = words[:1]
	default:
		if len(words) > 2 {
			m.Bind("old", words[0])
			m.Bind("new", words[1])
		}
		words = words[min(2, len(words)):]
	}
	for _, c := range code {
		m.Bind("by", c)
	}
	for _, v := range words {
		m.Bind("renamed", v)
	}
	for _, c := range code {
		if !plainSubstitution(c) {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "perl", Text: c})
		}
	}
	if m.Has("noact") {
		return
	}
	for _, v := range words {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSMove, Target: v, Arg: "file", Forced: m.Has("force"), Kind: risk.KindRename})
	}
}

// mayBePerl reports whether a word is more than a part of a name, as util-linux's
// rename takes it: then Perl's may run it. To Perl, words with dots and dashes
// between are texts, unless one of them is a word of its own language.
func mayBePerl(v value.Value) bool {
	text, known := v.Known()
	if !known {
		return true
	}
	return strings.IndexFunc(text, func(c rune) bool { return !partOfName(c) }) >= 0 ||
		slices.ContainsFunc(strings.FieldsFunc(text, func(c rune) bool { return c == '.' || c == '-' || c == '+' || c == ',' || c == ' ' }), perlWord)
}

func partOfName(c rune) bool {
	return c == '.' || c == '-' || c == '+' || c == ',' || c == ' ' || c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

// perlWord reports whether a word is a function, an operator or a block of Perl's own
// (perlfunc 5.38, "Alphabetical Listing of Perl Functions"; perlop, "Quote and Quote-like
// Operators"; perlmod), but for those that compute with what they are given.
func perlWord(word string) bool {
	const words = " accept alarm bind binmode bless caller chdir chmod chown chroot close closedir connect dbmclose dbmopen delete die do dump eof eval evalbytes exec exit fcntl " +
		"fileno flock fork format formline getc getlogin glob goto ioctl kill last link listen local m map mkdir my next no open opendir our package pipe print printf push q qq qr qw " +
		"qx read readdir readline readlink readpipe recv redo rename require reset return rewinddir rmdir s say seek seekdir select semctl semget semop send setpgrp setpriority " +
		"setsockopt shmctl shmget shmread shmwrite shutdown sleep socket socketpair sort sprintf srand state study sub symlink syscall sysopen sysread sysseek system syswrite tell " +
		"telldir tie tied tr truncate umask undef unlink unshift untie use utime wait waitpid warn write y " +
		"BEGIN END INIT CHECK UNITCHECK AUTOLOAD DESTROY __DATA__ __END__ if unless while until for foreach given when default and or not xor cmp x "
	return strings.Contains(words, " "+word+" ")
}

// plainSubstitution reports whether v is one s///, y/// or tr/// without code
// in it.
func plainSubstitution(v value.Value) bool {
	text, known := v.Known()
	if !known || strings.Contains(text, "(?{") || strings.Contains(text, "(??{") || strings.ContainsAny(text, "`;") || strings.Contains(text, "@{") || strings.Contains(text, "${") {
		return false
	}
	rest, sub := strings.CutPrefix(text, "s")
	if !sub {
		var ok bool
		if rest, ok = strings.CutPrefix(text, "tr"); !ok {
			if rest, ok = strings.CutPrefix(text, "y"); !ok {
				return false
			}
		}
	}
	if len(rest) < 3 || strings.IndexByte("/|#!,@:~", rest[0]) < 0 {
		return false
	}
	parts := strings.Split(strings.ReplaceAll(rest[1:], `\`+rest[:1], ""), rest[:1])
	return len(parts) == 3 && strings.Trim(parts[2], "gimosxcdr") == ""
}
