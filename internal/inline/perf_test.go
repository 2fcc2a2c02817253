package inline

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func TestZZPerf(t *testing.T) {
	if os.Getenv("PERF") == "" {
		t.Skip()
	}
	units := []string{"(", "[", "{", "f'{", "f'{f\"{", "`${", "<<A\n", "<<<A\n", "a.b", "a(", "x=x+x\n", "if x:\n ", "\"$x[", "\"#{", "%q(", "{|x|", "do |x| ", "lambda x:", "(a)=>", "function(){", "a?b:", "not ", "- ", "q{", "s{", "<a ", "[[", "--[[", "/*", "/", "$$", "@{", "def f():\n f()\nf()\n", "f=lambda: f();f()\n", "for x in y:\n ", "x+", "x.y[", "a,", "1;", "'a'+", "x='a';", "eval('", "print(x);", "$a=", "if(a){", "sub f{", "a b ", "unlink <*>;", "=begin\n", "\\\n", "os.remove('a');", "exec \"$x\";", "[x for x in ", "${", "function f(){f();f()};", "while(1){", "for(;;){"}
	for _, u := range units {
		text := strings.Repeat(u, maxText/len(u))
		for _, lang := range []string{"python", "perl", "ruby", "php", "node", "lua", "tcl", "r", "applescript"} {
			start := time.Now()
			Scan(lang, text)
			if d := time.Since(start); d > 400*time.Millisecond {
				fmt.Printf("%q %s %v\n", u, lang, d)
			}
		}
	}
}
