package posix

import "strings"

// ansiC decodes the escapes of $'…' (bash reference manual, 3.1.2.4).
func ansiC(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'a', 'b', 'e', 'E', 'f', 'n', 'r', 't', 'v':
			b.WriteByte(map[byte]byte{'a': 7, 'b': 8, 'e': 27, 'E': 27, 'f': 12, 'n': 10, 'r': 13, 't': 9, 'v': 11}[c])
		case '\\', '\'', '"', '?':
			b.WriteByte(c)
		case 'x':
			n, used := digits(s[i+1:], 16, 2)
			i += used
			b.WriteByte(byte(n))
		case 'u', 'U':
			width := 4
			if c == 'U' {
				width = 8
			}
			n, used := digits(s[i+1:], 16, width)
			i += used
			b.WriteRune(rune(n))
		case 'c':
			if i+1 < len(s) {
				i++
				b.WriteByte(s[i] & 0x1f)
			}
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n, used := digits(s[i:], 8, 3)
			i += used - 1
			b.WriteByte(byte(n))
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	text := b.String()
	if i := strings.IndexByte(text, 0); i >= 0 {
		text = text[:i] // a NUL ends the string
	}
	return text
}

// digits reads up to width digits of a base and returns their value and count.
func digits(s string, base, width int) (n, used int) {
	for used < len(s) && used < width {
		d := strings.IndexByte("0123456789abcdef", s[used]|0x20)
		if s[used] >= '0' && s[used] <= '9' {
			d = int(s[used] - '0')
		}
		if d < 0 || d >= base {
			break
		}
		n = n*base + d
		used++
	}
	return n, used
}
