package pure

import (
	"strings"
	"testing"
	"time"
)

func TestTmpTiming(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	ll := strings.Repeat("the quick brown fox\n", 50000)
	for _, r := range []row{
		{"sed ':a;s/^/a/;ba'", "a\n"}, {"sed ':a;G;h;ba'", "aa\n"}, {"sed 's/a*b\\|a/x/g'", long}, {"grep -oE '(a+b)|a'", long}, {"awk 'BEGIN{for(;;)x=x \"a\"}'", ""}, {"awk 'BEGIN{while(1);}'", ""}, {"grep -oE '(a+b)|a'", strings.Repeat(strings.Repeat("a", 2000)+"\n", 500)},
		{"sed 's/[aeiou]/X/g'", ll}, {"sed -E 's/(.*) (.*)/\\2 \\1/'", ll}, {"grep -E 'a{200}{20}'", long}, {"grep -E '((a{1,20}){1,20}b)'", long}, {"sort", ll}, {"sort -V", ll}, {"sort -k2,2n -k1", ll}, {"awk '{print $2}'", ll}, {"awk '{gsub(/o/,\"0\");print}'", ll}, {"awk 'BEGIN{for(;;)a[i++]=i}'", ""}, {"awk '{x=x $0} END{print x}'", ll}, {"tr a-z A-Z", long}, {"base64", long[:700000]}, {"printf '%65536s' " + strings.Repeat("a ", 60000), ""}, {"seq 0.1 0.0001 9999999", ""}, {"seq 999999999", ""}, {"fold -sw 99999", long}, {"uniq -c", ll}, {"od -c", long[:200000]}, {"awk 'BEGIN{x=\"a\";for(;;){sub(/a/,\"aa\",x)}}'", ""}, {"awk 'BEGIN{for(;;)$1000=1 $0}'", ""}, {"sed -n '$!{H;d};x;s/\\n/,/gp'", ll}, {"dc -e '9 9 ^ d * d * d * d * d * d *'", ""}, {"grep -f pats", ll}, {"awk '{for(i=length;i>0;i--)s=s substr($0,i,1)} END{print s}'", ll},{"bc", "x=7^2900\n"+strings.Repeat("y=x*1\n", 20000)}, {"dc", "7 2900 ^ "+strings.Repeat("d d * r ", 3)}, {"awk 'BEGIN{for(;;)printf \"%s\", sprintf(\"%60000s\",\"\")>\"\"}'",""},{"awk 'BEGIN{for(;;)x=sprintf(\"%60000s\",\"a\")}'",""},{"sed ':a;s/a/b/;s/b/a/;ba'", long},{"sed ':a;y/a/b/;ba'", long},{"sed ':a;P;ba'", long},{"sed ':a;x;G;x;ba'", long},{"awk '{for(;;)$1=$1}'", ll}, {"awk 'BEGIN{for(;;)split(\"a b c d e f\",a)}'", ""}, {"awk 'BEGIN{for(;;)x=toupper(y)}'", ""}, {"awk 'BEGIN{y=sprintf(\"%60000s\",1);for(;;)n=index(y,\"a\")}'", ""}, {"awk 'BEGIN{y=sprintf(\"%60000s\",1);for(;;)n=length(y)}'", ""}, {"awk 'BEGIN{y=sprintf(\"%60000s\",1);for(;;)n=(y<y)}'", ""}, {"awk 'BEGIN{y=sprintf(\"%60000s\",1);for(;;)n=y+1}'", ""}, {"awk 'BEGIN{y=sprintf(\"%60000s\",1);for(;;)a[y]=1}'", ""}, {"awk 'BEGIN{y=sprintf(\"%60000s\",1);for(;;)$0=y}'", ""}, {"awk 'BEGIN{for(;;)x=1.5 \"\"}'", ""}, {"awk 'BEGIN{for(;;)x=sprintf(\"%.99f\",1e90)}'", ""},
	} {
		in := setting{dir: "/", locale: "C"}.input(words(t, r.cmd), r.stdin)
		s := time.Now()
		_, ok := Run(in)
		if d := time.Since(s); d > 150*time.Millisecond {
			c := r.cmd
			if len(c) > 80 { c = c[:80] }
			t.Logf("%6dms ok=%v %s", d.Milliseconds(), ok, c)
		}
	}
}
