package syntax

import "iter"

// FieldsQuoted splits text into words as a shell does, without expanding.
func FieldsQuoted(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var word []byte
		started := false
		for i := 0; i < len(s); i++ {
			c := s[i]
			switch {
			case c == ' ' || c == '\t' || c == '\n':
				if started && !yield(string(word)) {
					return
				}
				word, started = nil, false
				continue
			case c == '\'' || c == '"':
				end := SkipString(s, i)
				word = append(word, s[min(i+1, end):end]...)
				i = end
			case c == '\\' && i+1 < len(s):
				i++
				word = append(word, s[i])
			default:
				word = append(word, c)
			}
			started = true
		}
		if started {
			yield(string(word))
		}
	}
}
