package inline
import ("testing";"strings")
func BenchmarkX(b *testing.B){ t:=strings.Repeat("x='a';",30000); for b.Loop(){ Scan("perl",t)} }
