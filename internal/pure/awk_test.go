package pure

import "testing"

// awkStatements are run in BEGIN.
func awkStatements() []string {
	return []string{
		`print 1 -1`, `print -3%2, 7%3, int(-2.5), int("3x")`, `print substr("hello",-1) "|" substr("hello",2,100)`, `print substr("hello", 2, -1) "|"`,
		`print length(), length`, `print length "x"`, `print index("abc","c")`, `print toupper("aZ1")`, `print ("a" < "b"), (10 < 9), ("10" < "9"), (1=="1")`, `x["a"]; print length(x)`,
		`print 1e3 "", 0.000001 "", 1234567.5 "", 3.0 ""`, `print -0, 1/3`, `print "A\101"`, `print "\x41z"`, `print "a\"b\\c\td"`,
		`printf "%c%c|%5.2f|%-5s|%05d|%x|%e\n", 65, "hello", 3.14159, "ab", 42, 255, 12345.678`, `printf "%d %d\n", "3x", -2.9`, `printf "%i|%5d|%-5d|%+d|% d\n", 1,2,3,4,5`,
		`printf "%s %s %s\n", 1, 2.5, 1e6`, `printf "%s\n", 0.1+0.2`, `printf "%5s|%.2s|%-4s|\n", "abc","abc","a"`, `printf "%o %X %u\n", 8, 255, 3`, `printf "%g %G\n", 1e10, 0.0001`, `printf "%%\n"`, `printf("%s %s\n", "a", "b")`,
		`print substr("hello",6) "|"`, `print ".5."+0, "1e2x"+0, "+5"+0, "- 5"+0`, `print !0 + 1`, `print !"" , !"a", !"0"`, `print !x + 0`, `print 5 % 0.3`, `print length("")`,
		`s="aaa"; print gsub(/a/,"b&",s), s`, `s="aaa"; sub(/a/,"[\\&]",s); print s`, `s="a.b.c"; gsub(".", "x", s); print s`, `s="a.b.c"; gsub("\\.", "x", s); print s`, `s="a.b.c"; gsub(/\./, "x", s); print s`, `s="abc"; gsub(/$/,"X",s); print s`,
		`s="abc"; gsub(/^/,"X",s); print s`, `s="path/to"; gsub("/", "_", s); print s`, `s="path/to"; gsub(/\//, "_", s); print s`, `s="a\\b"; gsub(/\\/, "/", s); print s`, `print match("foobar",/o+/), RSTART, RLENGTH`, `print match("x",/y/), RSTART, RLENGTH`,
		`n=split("a:b:c",q,":"); print n,q[1],q[3]`, `n=split("",q); print n`, `n=split(" a  b ",q); print n,q[1]`, `n=split("abc",q,""); print n,q[2]`, `n=split("a1b22c",q,/[0-9]+/); print n,q[3]`, `n=split("a b",q,/ /); print n,q[2]`, `n=split(" a b",q,"[ ]"); print n,q[2]`,
		`print "abc" ~ /b/, "abc" ~ "^b", "abc" !~ "z"`, `print "a]b" ~ /[]]/`, `print "tab\there" ~ /\t/`, `print 0.1, 1e-5, 123456.789, 1e5+0.5`,
		`$0="a b c"; print NF, $2`, `$0="a b c"; $5="e"; print; print NF`, `$0="a b c"; NF=2; print; $2=""; print`, `$0="a b c"; print $1$2`, `$0="3 4"; print $1*$2, $1+$2, $1-$2, $1/$2, $1 $2`, `$0="3 4"; print $1 -1`, `$0="3 4"; print -$1`, `$0="a b"; print $(1+1), $NF, $(NF-1)`,
		`$0="a b"; OFS="-"; print $1,$2; print $0`, `$0="a b"; OFS="-"; $1=$1; print`, `i=1; print i++ + ++i, i`, `i=1; print i++ i`, `i=5; print i--, i, --i`, `x = 5; x += 2; x *= 3; x -= 1; x /= 4; x %= 3; print x`,
		`x = y = 3; print x, y`, `print x = 5`, `print (1>2) ? "a" : "b"`, `print 1 2, 3 " " 4`, `print 1+2 3`, `a["x"]=1; if ("x" in a) print "in"; print ("y" in a)`, `a[1,2]=3; for (k in a) { split(k, p, SUBSEP); print p[1], p[2] }`, `a[1]; delete a[1]; print (1 in a)`,
		`while (i<3) { i++; if (i==2) continue; print i }`, `do { i++; print i } while (i<3)`, `for (;;) { if (++i>3) break }; print i`, `exit 3`, `print "x"; exit`, `if (1) print "y"; else print "n"`, `if (0) print "y"`, `{ print 1 } { print 2 }`, `print substr("x", 1, 1) substr("yz", 2)`,
		`print tolower("ABC") toupper("x")`, `print sprintf("%03d", 7)`, `print length(12345)`, `print ("a" "b" == "ab")`, `x = "A"; y = x++; print x, y`, `print "3" + "4", "3" "4"`, `print -"3x"`, `print 1e3, 1E3, .5, 5.`, `print substr(12345, 2, 3)`, `print 7, 1.0, 1.50`,
		`print ENVIRON["GREETING"]`, `print -"", - -3, !!3`, `print 2 - -3`, `print 10 % 3 * 2, 2 * 10 % 3`, `print "x" ; ; print "y"`, `print("a")("b")`, `print ("a")("b")`, `print ("a","b")`, `print (1)(2)`, `print (1,2) in a`,
		`$0 = "10 1e1 abc"; print ($1 == $2), ($1 < $3), ($1 == "10")`, `$0 = " 5 "; print ($0 == 5)`, `print index("foobar", "bar") substr("foobar", index("foobar", "bar"))`, `print a b`, `OFS=","; print 1, 2`, `ORS="|"; print 1; print 2`, `NR=5; print NR`,
		`$0="a,b"; FS=","; print $1`, `print toupper(substr("abc", 1, 1)) substr("abc", 2)`, `print length 5`, `for (i = 0; i < 3; i++) printf "%d ", i; print ""`, `for (i in a) print i`, `if (!(3 in a)) print "no"`, `print 1 in a`, `print $1 = 5`, `print "\052\060"`, `print /a/ ? 1 : 0`, `print 3000000000 % 7`,
		`x["a"]=1; delete x; print length(x)`, `s = "hello"; r = ""; for (i = length(s); i > 0; i--) r = r substr(s, i, 1); print r`, "print 1 # comment\nprint 2", "print \\\n 3", `if (1) { print "a" } else if (2) print "b"; else { print "c" }`, `n = split("3 1 2", v); for (i = 1; i <= n; i++) for (k = i + 1; k <= n; k++) if (v[k] < v[i]) { t = v[i]; v[i] = v[k]; v[k] = t }; print v[1] v[2] v[3]`,
		`printf "%s"  "%s\n", "a", "b"`, `printf "\162\155\040-rf /\n"`, `printf "%c%c%c\n", 114, 109, 32`, `print substr("abc", "2")`, `print length(sprintf("%10s", "x"))`, `a["k"]++; print a["k"], a["k"]++ + 0, a["k"]`, `print (1==1), "x"`, `print substr("hello", 1.0, 2)`, `print index("a.b", ".")`, `x = "a" "b"; print x; x = x x; print x`,
	}
}

func awkRows() []row {
	rows := []row{}
	for _, s := range awkStatements() {
		rows = append(rows, row{"awk 'BEGIN{" + s + "}'", ""})
	}
	const users = "root:x:0:0\nann:x:1000:100\nbob:x:1001:100\n"
	return append(rows, []row{
		{"awk '{print $1}'", fruit},
		{"awk '{print $2, $1}'", fruit},
		{"awk '{print $NF}'", fruit},
		{"awk '{print $1\"-\"$2}'", fruit},
		{"awk -F: '{print $1}'", users},
		{"awk -F : '$3 >= 1000 {print $1}'", users},
		{"awk -F: '$4 == 100'", users},
		{"awk /ann/", users},
		{"awk '!/ann/'", users},
		{"awk '/ann/,/bob/'", users},
		{"awk 'NR==2'", users},
		{"awk 'NR>1{print NR\": \"$0}'", users},
		{"awk 'END{print NR}'", users},
		{"awk '{s+=$2} END{print s}'", fruit},
		{"awk 'END{print $0, NF}'", fruit},
		{"awk '{n[$1]++} END{print n[\"apple\"]}'", fruit},
		{"awk '!seen[$0]++'", fruit},
		{"awk '{print length}'", fruit},
		{"awk '{print length($1)}'", fruit},
		{"awk 'length > 6'", fruit},
		{"awk '{$1=\"\"; print}'", fruit},
		{"awk '{$1=\"\"; print substr($0, 2)}'", fruit},
		{"awk '{print toupper($1)}'", fruit},
		{"awk '{for(i=NF;i>0;i--) printf \"%s%s\", $i, (i>1 ? OFS : ORS)}'", fruit},
		{"awk '{l[NR]=$0} END{for(i=NR;i>0;i--) print l[i]}'", fruit},
		{"awk '{l[n++]=$0} END{print n, l[0]}'", fruit},
		{"awk -v x=5 'BEGIN{print x+1}'", ""},
		{"awk -vx=a 'BEGIN{print x}'", ""},
		{"awk -v OFS=- '{print $1,$2}'", fruit},
		{"awk -v 'x=a\\tb' 'BEGIN{print x}'", ""},
		{"awk 'BEGIN{FS=\":\"} {print $3}'", users},
		{"awk 'BEGIN{FS=\":\";OFS=\",\"} {$1=$1} 1'", users},
		{"awk -F'[:x]+' '{print $2}'", users},
		{"awk -F'|' '{print $2}'", "a|b|c\n"},
		{"awk -F'\\|' '{print $2}'", "a|b|c\n"},
		{"awk -F'\\t' '{print $2}'", "a\tb c\n"},
		{"awk -F. '{print $2}'", "a.b\n"},
		{"awk -F, '{print NF}'", ",a,,\n"},
		{"awk '{print NF}'", "  a  b \n\n"},
		{"awk 1", "a\nb"},
		{"awk 0", "a\n"},
		{"awk '{print; next; print \"no\"}'", "a\n"},
		{"awk 'NR==1{next} {print}'", users},
		{"awk 'NR==2{exit} {print}'", users},
		{"awk '{exit 4} END{print \"end\"}'", users},
		{"awk '{gsub(/o/,\"0\"); print}'", users},
		{"awk '{sub(/:.*/, \"\"); print}'", users},
		{"awk '{sub(\"x\", \"[&]\"); print $1}'", "axb c\n"},
		{"awk '{gsub(\"[aeiou]\", \"\", $1)} 1'", fruit},
		{"awk '{split($0, p, \":\"); print p[3]}'", users},
		{"awk '$1 ~ /^a/ {print $2}'", fruit},
		{"awk '$1 !~ /^a/'", fruit},
		{"awk '{print ($2 > 2 ? \"big\" : \"small\")}'", fruit},
		{"awk '{print $1; print $2}'", "a b\n"},
		{"awk '{ if ($2 > m) m = $2 } END { print m }'", fruit},
		{"awk '{print NR, FNR}' abc num", ""},
		{"awk '{print}' noeol", ""},
		{"awk '{s=\"\";for(i=length($0);i>0;i--)s=s substr($0,i,1);print s}'", "/ fr- mr\n"},
		{"awk '{s=\"\";for(i=length;i>0;i--)s=s substr($0,i,1);print s}'", "abc\ndef"},
		{"awk '{print substr($0, index($0, \" \") + 1)}'", fruit},
		{"awk '$2'", "a 0\nb 1\nc\n"},
		{"awk '$1 == \"fig\"'", fruit},
		{"awk '$2 == 10 && $1 ~ /p/ || /fig/'", fruit},
		{"awk 'NF'", "a\n\nb\n"},
		{"awk 'BEGIN{exit 2} END{print \"e\"}'", ""},
		{"awk '{exit 1} END{print \"e\"; exit}'", "a\n"},
		{"awk '{print $1+0}'", "3x 010 0 x\n010\n-1.5e1z\n+7\n"},
		{"awk 'NR%2'", lines5},
		{"awk 'NR%2==0'", lines5},
		{"awk 'BEGIN{while(i++<3)printf \"%d\",i;print \"\"}'", ""},
		{"awk -v RS=';' '{print NR\":\"$0}'", "a;b;c"},
		{"awk '{ORS=(NR%2?\",\":\"\\n\")} 1'", lines5},
		{"awk '{a[NR]=$1} END{printf \"%s%s\", a[1], a[2]; print \"\"}'", fruit},
		{"awk '\n/ann/ { print \"1\" }\n/bob/ { print \"2\" }\n'", users},
		{"awk 'BEGIN{print \"a\"} {print} END{print \"z\"}'", "m\n"},
	}...)
}

func TestAwk(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"awk", "mawk", "gawk", "original-awk"} {
		s := setting{dir: testDir(t), locale: "C", names: map[string]string{"awk": program}}
		s.checkAll(t, awkRows())
	}
}

func TestAwkUnknown(t *testing.T) {
	t.Parallel()
	s := setting{dir: testDir(t), locale: "C.UTF-8"}
	for _, stmt := range []string{
		`print 2^31`, `print 1e15`, `print 2**3`, `print substr("hello", 0, 2)`, `print substr("hello",1.5,2)`, `print 1==1`, `print "a\/b"`, `printf "%c", ""`, `printf "%c", 256`, `printf "%5%|\n"`, `printf "%*d", 5, 3`, `printf "%d", 2147483648`, `print 010`, `print 0x11`, `s="hello"; gsub(/l*/,"-",s); print s`, `s="path"; gsub(/[/]/,"_",s)`, `print "a{2}" ~ /a{2}/`, `print "a b" ~ /a\sb/`,
		`print "x" > "/tmp/x"`, `print "x" | "sh"`, `system("id")`, `"id" | getline x`, `getline`, `print rand()`, `print "nan"+0`, `print "0x1A"+0`, `print "a\qb"`, `print 1/0`, `print ARGC`, `print "é" length("é")`, `print toupper("é")`, `a[1];a[2]; for (k in a) print k`, `next`, `printf "%s"`, `while (1) x = x "aaaaaaaaaaaaaaaa"`, `for (;;) ;`, `print 1 == 1 == 1`, `if (! 3 in a) print`, `x = "a"; x[1] = 2`, `print log(1)`, `break`, `print $-1`, `print "a`, `print "a" "b" == "ab"`, `CONVFMT="%d"; print 1.5 ""`, `i=1; a[i] = i++`, `print -`, `print (1,2)(3)`, `print index("a", "")`, `printf "%d", "nan"`,
	} {
		argv := []string{"awk", "BEGIN{" + stmt + "}"}
		if out, ok := Run(s.input(argv, "")); ok {
			t.Errorf("%s: computed %q, want unknown", stmt, out.Stdout)
		}
	}
	s.refuse(t, []row{
		{"awk '{print > $1}'", "a\n"}, {"awk -f nope", ""}, {"awk '{print}' x=1", "a\n"}, {"awk --version", ""}, {"awk -W version", ""}, {"awk -F t 1", "a\n"}, {"awk 'function f(x){return x} {print f(1)}'", "a\n"},
	})
}
