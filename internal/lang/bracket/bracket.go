package bracket

import "strings"

// maxClass is how long the name of a class of characters can be.
const maxClass = 32

// ClassLen is the length of the [:class:], [.element.] or [=equivalents=] that
// s begins with but for its last byte, 0 if there is none (POSIX.1-2024, XBD
// 9.3.5).
func ClassLen(s string) int {
	if len(s) < 2 || strings.IndexByte(":.=", s[1]) < 0 {
		return 0
	}
	n := strings.Index(s[2:min(len(s), maxClass)], s[1:2]+"]")
	if n < 0 {
		return 0
	}
	return 2 + n + 1
}
