package pure

import (
	"strings"
	"unicode/utf8"
)

// A charset says how the program's locale reads bytes above 127.
type charset uint8

const (
	charsetUnknown charset = iota // the locale may or may not be installed
	charsetBytes                  // C, POSIX or nothing set
	charsetUTF8                   // C.UTF-8
)

// ctype is the charset of LC_CTYPE. Only the C locales are certain to exist:
// a program falls back to C without a word if "en_US.UTF-8" is not installed.
func (j *job) ctype() charset { return j.locale("LC_CTYPE") }

func (j *job) locale(category string) charset {
	switch j.localeName(category) {
	case "", "C", "POSIX":
		return charsetBytes
	case "C.UTF-8", "C.utf8":
		return charsetUTF8
	}
	return charsetUnknown
}

// localeName is the locale of a category as the environment sets it
// (POSIX.1-2024, section 8.2); empty if nothing does.
func (j *job) localeName(category string) string {
	for _, name := range []string{"LC_ALL", category, "LANG"} {
		if v, _ := j.env(name); v != "" {
			return v
		}
	}
	return ""
}

// decimalPoint reports whether numbers surely have a point, not a comma.
func (j *job) decimalPoint() bool {
	if j.locale("LC_NUMERIC") != charsetUnknown {
		return true
	}
	name, _, _ := strings.Cut(j.localeName("LC_NUMERIC"), ".")
	switch name {
	case "en_AU", "en_CA", "en_GB", "en_IE", "en_IN", "en_NZ", "en_US", "he_IL", "ja_JP", "ko_KR", "th_TH", "zh_CN", "zh_HK", "zh_TW":
		return true
	}
	return false
}

// oddLocale reports whether the locale may cut bytes above 127 into
// characters unlike UTF-8 does (EUC, Shift JIS, GBK); everywhere says that it
// maps even ASCII letters to another case (Turkish).
func (j *job) oddLocale() (odd, everywhere bool) {
	name := j.localeName("LC_CTYPE")
	language, codeset, _ := strings.Cut(name, ".")
	codeset, _, _ = strings.Cut(codeset, "@")
	switch charsetName(codeset) {
	case "utf8", "iso88591", "iso885915":
	default:
		odd = j.ctype() == charsetUnknown
	}
	return odd, strings.HasPrefix(language, "tr") || strings.HasPrefix(language, "az")
}

// chars reports whether what the program calls a character is certain in b:
// all ASCII, or the locale is C (single bytes), or C.UTF-8 and b is valid.
func (j *job) chars(b []byte) (utf8Mode, ok bool) {
	if isASCII(b) {
		return false, true
	}
	switch j.ctype() {
	case charsetBytes:
		return false, true
	case charsetUTF8:
		return true, utf8.Valid(b)
	}
	return false, false
}

func isASCII[T string | []byte](b T) bool {
	for i := range len(b) {
		if b[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
