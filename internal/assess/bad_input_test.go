package assess_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// mib is one mebibyte, the size of hostile input that DESIGN section 9 names.
const mib = 1 << 20

// maxMemory is what the assessment of one mebibyte of hostile input may
// allocate in all, freed or not. A budget that counts steps but lets one step
// make a gigabyte fails here.
const maxMemory = 512 * mib

// Answers that a bad input may get.
const (
	anyTier   = "any"
	review    = "REVIEW"     // too complex, unparsable or truly dangerous
	notReview = "not REVIEW" // large, but plain data
)

// An input is a command and the answer that it must get.
type input struct{ cmd, want string }

// rep repeats s to about n bytes.
func rep(s string, n int) string { return strings.Repeat(s, n/len(s)) }

// numbered writes n pieces that differ by their number.
func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// doubled is n definitions that each use the next one twice.
func doubled(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i, i+1)
	}
	return b.String()
}

// laughs is n variables that each hold the one before ten times.
func laughs(n int) string {
	var b strings.Builder
	b.WriteString("v0=lol\n")
	for i := range n {
		fmt.Fprintf(&b, "v%d=%s\n", i+1, strings.Repeat(fmt.Sprintf("${v%d}", i), 10))
	}
	fmt.Fprintf(&b, "rm -rf \"$v%d\"", n)
	return b.String()
}

// shells is n levels of bash -c, each with all of the rest quoted as one word.
func shells(n int, inner string) string {
	for range n {
		inner = "bash -c '" + strings.ReplaceAll(inner, "'", `'\''`) + "'"
	}
	return inner
}

// shellsByArgument is n levels of bash -c that hand the rest on as arguments,
// so that the text grows by the same amount for each.
func shellsByArgument(n int, inner string) string {
	return strings.Repeat(`bash -c '"$@"' x `, n) + inner
}

// bomb is base64 of gzip of n zero bytes.
func bomb(n int) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for range n / mib {
		_, _ = z.Write(make([]byte, mib)) // a bytes.Buffer takes everything
	}
	_ = z.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// nestedInputs go deeper than anybody writes by hand.
func nestedInputs() map[string]input {
	return map[string]input{
		"substitutions, open":     {rep("$(", mib), review},
		"substitutions, closed":   {"echo " + rep("$(echo ", mib/2) + rep(")", mib/14), review},
		"backquotes":              {rep("`", mib), anyTier},
		"parameters":              {"echo " + rep("${a:-", mib/2) + rep("}", mib/10), review},
		"arithmetic":              {"echo $((" + rep("(", mib) + "1" + rep(")", mib) + "))", review},
		"subshells":               {rep("(", mib), review},
		"blocks":                  {rep("{ ", mib), review},
		"if":                      {rep("if ", mib), review},
		"functions":               {rep("f() ", mib), review},
		"case":                    {rep("case a in a) ", mib), review},
		"tests":                   {"[[ " + rep("( ", mib), review},
		"negation in a test":      {"[[ " + rep("! ", mib) + " a ]]", anyTier},
		"array":                   {"a=" + rep("(", mib), review},
		"process substitution":    {rep("cat <(", mib), review},
		"double quotes":           {"echo " + rep(`"$(echo `, mib), review},
		"braces":                  {"echo " + rep("{a,", mib), anyTier},
		"braces, closed":          {"echo " + rep("{a,", mib/2) + rep("}", mib/6), anyTier},
		"negation":                {rep("! ", mib) + "rm -rf /", anyTier},
		"time":                    {rep("time ", mib) + "rm -rf /", anyTier},
		"sudo":                    {rep("sudo ", mib) + "rm -rf /", review},
		"env":                     {rep("env ", mib) + "rm -rf /", review},
		"nice, harmless":          {rep("nice ", mib) + "ls", review},
		"xargs":                   {"echo / | " + rep("xargs ", mib) + "rm -rf", review},
		"eval":                    {rep("eval ", mib) + "rm -rf /", review},
		"command":                 {rep("command ", mib) + "rm -rf /", review},
		"bash -c":                 {shells(7, "rm -rf /"), review},
		"bash -c, harmless":       {shells(5, "echo hello"), notReview},
		"bash -c, 30 levels":      {shellsByArgument(30, "rm -rf /"), review},
		"bash -c, 2000 levels":    {shellsByArgument(2000, "ls"), review},
		"bash -c, few, harmless":  {shellsByArgument(5, "ls"), notReview},
		"loops":                   {strings.Repeat("while :; do ", 30) + "rm x" + strings.Repeat("; done", 30), anyTier},
		"for loops":               {strings.Repeat("for i in 1 2 3 4 5 6 7 8; do ", 12) + "rm -rf x$i" + strings.Repeat("; done", 12), review},
		"test":                    {"[ " + rep("! ", mib) + "a ]", anyTier},
		"parentheses of test":     {"test " + rep(`\( `, mib), anyTier},
		"parentheses of find":     {"find . " + rep(`\( `, mib), anyTier},
		"parentheses of expr":     {"expr " + rep(`\( `, mib), anyTier},
		"parentheses of grep":     {"echo aaaa | grep -E '" + rep("(", mib) + rep(")", mib) + "'", notReview},
		"parentheses of awk":      {"awk 'BEGIN{x=" + rep("(", mib) + "}'", anyTier},
		"blocks of awk":           {"echo a | awk '" + rep("{", mib) + "'", anyTier},
		"brackets of jq":          {"echo 1 | jq '" + rep("[", mib) + "'", anyTier},
		"blocks of sed":           {"echo a | sed '" + rep("{", mib) + "'", anyTier},
		"brackets of JSON":        {"echo '" + rep("[", mib) + "' | jq .", anyTier},
		"parentheses of bc":       {"echo '" + rep("(", mib) + "' | bc", anyTier},
		"parentheses of python":   {"python3 -c '" + rep("(", mib) + "'", anyTier},
		"parentheses of perl":     {"perl -e '" + rep("(", mib) + "'", anyTier},
		"brackets of node":        {"node -e '" + rep("[", mib) + "'", anyTier},
		"parentheses of ruby":     {"ruby -e '" + rep("(", mib) + "'", anyTier},
		"parentheses of SQL":      {"sqlite3 a.db '" + rep("(", mib) + "'", anyTier},
		"braces of GraphQL":       {"curl -d '{\"query\":\"" + rep("{", mib) + "\"}' https://a.test/graphql", anyTier},
		"functions that call two": {doubled("f%d() { f%[2]d; f%[2]d; }\n", 40) + "f0", review},
		"aliases of two":          {"shopt -s expand_aliases\n" + doubled("alias a%d='a%[2]d;a%[2]d'\n", 40) + "a0\n", anyTier},
		"variables of ten":        {laughs(40), review},
	}
}

// longInputs are one simple thing over and over.
func longInputs() map[string]input {
	return map[string]input{
		"braces":               {"echo " + rep("{a,b}", mib), anyTier},
		"braces, deleted":      {"rm " + rep("{a,b}", mib), review},
		"braces, many words":   {"echo " + rep("{a,b} ", mib), anyTier},
		"double quotes":        {rep(`"`, mib), anyTier},
		"double quotes, odd":   {rep(`"`, mib) + `"`, review},
		"single quotes":        {rep(`'`, mib), anyTier},
		"pipes":                {"a" + rep("|a", mib), review},
		"pipes of cat":         {"cat" + rep("|cat", mib), review},
		"pipes of grep":        {"echo x" + rep("|grep x", mib), review},
		"semicolons":           {rep("a;", mib), review},
		"semicolons, harmless": {rep("echo a;", mib), review},
		"newlines":             {rep("\n", mib), notReview},
		"spaces":               {rep(" ", mib), notReview},
		"comment":              {"ls # " + rep("rm -rf / ", mib), notReview},
		// The parser of mvdan.cc/sh takes stack for each comment: too complex.
		"comments":                 {"ls\n" + rep("# rm -rf /\n", mib), anyTier},
		"and":                      {"a" + rep("&&a", mib), review},
		"or":                       {"a" + rep("||a", mib), review},
		"background":               {rep("a&", mib), review},
		"cd":                       {rep("cd a;", mib), review},
		"cd to many places":        {strings.Repeat("cd $RANDOM;", 300) + "rm -rf *", review},
		"assignments":              {rep("a=1 ", mib), anyTier},
		"assignments, distinct":    {numbered("v%d=1\n", 80000), review},
		"here-document":            {"cat > notes.txt <<'EOF'\n" + rep("the quick brown fox\n", mib) + "EOF\n", notReview},
		"here-document, expanded":  {"cat > notes.txt <<EOF\n" + rep("the quick brown fox\n", mib) + "EOF\n", notReview},
		"here-document, danger":    {"cat > notes.txt <<'EOF'\n" + rep("rm -rf / $(curl x|sh) `\n", mib) + "EOF\n", notReview},
		"here-documents":           {rep("cat <<E\nx\nE\n", mib), review},
		"here-documents, one line": {"cat " + rep("<<E ", mib/4) + "\n" + rep("E\n", mib/8), anyTier},
		"here-document, not ended": {"cat <<EOF\n" + rep("x", mib), anyTier},
		"here-document, run":       {"bash <<'EOF'\n" + rep("rm -rf a\n", mib) + "EOF\n", review},
		"here-string":              {"cat <<< '" + rep("x", mib) + "'", notReview},
		"single-quoted":            {"echo '" + rep("rm -rf / ", mib) + "'", notReview},
		"double-quoted":            {`echo "` + rep("rm -rf / ", mib) + `"`, notReview},
		"unquoted":                 {"echo " + rep("x", mib), notReview},
		"escaped":                  {"echo " + rep(`\x`, mib), notReview},
		"ansi-c":                   {"echo $'" + rep(`\x41`, mib) + "'", notReview},
		"printf argument":          {"printf %s '" + rep("%s%d", mib) + "'", notReview},
		"printf format":            {"printf '" + rep("%s", mib) + "'", notReview},
		"printf arguments":         {"printf '%s\\n' " + rep("a ", mib), anyTier},
		"grep pattern":             {"grep '" + rep("a*", mib) + "' src/app.go", notReview},
		"find terms":               {"find . " + rep(`-name x -o `, mib) + "-delete", review},
		"git options":              {"git " + rep("-c a.b=c ", mib) + "status", anyTier},
		"arguments":                {"rm -f " + rep("a ", mib), anyTier},
		"arguments, distinct":      {"rm -f " + numbered("f%d ", 100000), review},
		"options":                  {"ls -" + rep("a", mib), anyTier},
		"name":                     {"rm " + rep("a", mib), anyTier},
		"path":                     {"rm -rf " + rep("a/", mib), anyTier},
		"path of dots":             {"rm -rf " + rep("../", mib), review},
		"path of links":            {"rm -rf " + rep("down/", mib) + "x", anyTier},
		"path of slashes":          {"rm -rf " + rep("/", mib), review},
		"name of badges":           {"rm '" + rep("[SAFE]", mib) + "'", anyTier},
		"name of escapes":          {"rm '" + rep("\x1b[2J", mib) + "'", anyTier},
		"name of a program":        {rep("a", mib), anyTier},
		"program of badges":        {"'" + rep("[SAFE]", mib) + "'", anyTier},
		"dev tcp":                  {rep("exec 3<>/dev/tcp/a/1;", mib), review},
		"redirections":             {"echo " + rep(">a ", mib), anyTier},
		"redirected descriptors":   {"echo " + rep("1>&2 2>&1 ", mib), anyTier},
		"decoders":                 {"echo x" + rep("| base64", 600), anyTier},
		"reads":                    {rep("read a;", mib), review},
		"globs":                    {"rm " + rep("*a", mib), anyTier},
		"globs of directories":     {"rm " + rep("*/", mib), anyTier},
		"globs of classes":         {"rm " + rep("[a-z]", mib), anyTier},
		"globs over many":          {rep("ls many/*;", 30000), anyTier},
		"fields":                   {"a='" + rep("a ", mib) + "'; rm $a", anyTier},
		"fields, strange IFS":      {"IFS='" + rep("x", mib) + "'; a=" + rep("ax", mib) + "; rm $a", anyTier},
		"arguments of set":         {"set -- " + rep("a ", mib) + "; rm \"$*\"", anyTier},
		"arithmetic":               {"echo $((" + rep("9999999999*", mib) + "1))", anyTier},
		"number":                   {"echo $((" + rep("9", mib) + "))", anyTier},
		"invalid UTF-8":            {rep("\xff\xfe", mib), review},
		"NUL":                      {"ls" + rep("\x00", mib), review},
		"more than a command":      {rep("x", 5*mib), review},
	}
}

// hugeInputs are short and ask for much.
func hugeInputs() map[string]input {
	return map[string]input{
		"brace range":                 {"rm -f file{1..1000000000}", review},
		"brace range, echo":           {"echo {1..1000000000}", anyTier},
		"brace ranges, multiplied":    {"rm {1..1000}{1..1000}{1..1000}", review},
		"brace range, overflow":       {"rm {1..99999999999999999999999999}", anyTier},
		"brace range, whole integers": {"rm {-9223372036854775808..9223372036854775807..9223372036854775807}", anyTier},
		"brace range, no step":        {"rm {1..9..0} {9..1..-9223372036854775808}", anyTier},
		"brace range, padded":         {"rm {" + rep("0", mib) + "1..2}", anyTier},
		"doubling variable":           {"a=x;" + strings.Repeat("a=$a$a;", 400) + "rm -rf $a", review},
		"doubling variable, echo":     {"a=x;" + strings.Repeat("a=$a$a;", 400) + "echo $a", anyTier},
		"doubling array":              {"a=(x);" + strings.Repeat(`a=("${a[@]}" "${a[@]}");`, 40) + `rm -rf "${a[@]}"`, review},
		"doubling arguments":          {"set -- x;" + strings.Repeat(`set -- "$@" "$@";`, 40) + `rm -rf "$@"`, review},
		"doubling by +=":              {"a=xxxxxxxx;" + strings.Repeat("a+=$a;", 60) + `eval "$a"`, review},
		"doubling by replacement":     {"a=xx;" + strings.Repeat("a=${a//x/xx};", 60) + `eval "$a"`, review},
		"doubling by hex dumps":       {"echo x" + strings.Repeat("| xxd -p | od -c", 60) + " | sh", review},
		"doubling by sed":             {"echo a" + strings.Repeat("| sed 's/a/aa/g'", 40) + " | sh", review},
		"branches, multiplied":        {strings.Repeat("[ -e $Q ] && a=1 || a=2; b=$b$a;", 60) + "rm -rf $b", review},
		"cases, multiplied":           {strings.Repeat("case $RANDOM in 1) a=$a.;; *) a=$a,;; esac;", 60) + "echo $a", anyTier},
		"glob over many, deleted":     {"rm many/*", review},
		"glob over many, read":        {"ls many/*", anyTier},
		"glob over many, stars":       {"cat many/*a*b*c*d*e*f*g*", anyTier},
		"glob over many, nested":      {"ls many/*/*/*/* */*/*/*", anyTier},
		"glob, deep":                  {"shopt -s globstar; rm **/**/**/**/**/**/*", anyTier},
		"loop over many":              {"for i in many/*; do rm $i; done", review},
		"loop over a sequence":        {"for i in $(seq 1 1000000000); do rm f$i; done", anyTier},
		"loop over braces":            {"for i in {1..1000000000}; do rm f$i; done", review},
		"while true":                  {"while true; do rm -rf build; done", anyTier},
		"while true, harmless":        {"while true; do sleep 1; done", anyTier},
		"while that counts":           {"i=0; while [ $i -lt 1000000000 ]; do i=$((i+1)); done; rm -rf $i", anyTier},
		"until false":                 {"until false; do :; done", anyTier},
		"for without end":             {"for ((;;)); do x=$x.; done", anyTier},
		"shifts and divisions":        {"echo $((1<<1000000000)) $((1<<-1)) $((1/0)) $((1%0)) $((2**-1)) $((2**1000000000)) $((-9223372036854775808/-1)) $((-9223372036854775808%-1))", anyTier},
		"repetition by printf":        {"printf 'x%.0s' {1..1000000000}", anyTier},
		"replacement":                 {"x='" + rep("y", mib) + "'; rm ${x//y/z}", anyTier},
		"replacement that grows":      {"x='" + rep("y", mib) + "'; rm ${x//y/zzzzzzzzzzzzzzzz}", review},
		"replacement by itself":       {"x='" + rep("y", mib/2) + `'; rm "${x//y/$x}"`, review},
		"replacement of stars":        {"x='" + rep("y", 50000) + "'; echo ${x//" + rep("*y", 1000) + "z/}", anyTier},
		"prefix of stars":             {"x='" + rep("y", 50000) + "'; echo ${x##" + rep("*y", 1000) + "z}", anyTier},
		"suffix of stars":             {"x='" + rep("y", 50000) + "'; echo ${x%%" + rep("y*", 1000) + "z}", anyTier},
		"suffix of a mebibyte":        {"x='" + rep("y", mib) + "'; echo ${x%%*y*y*z} ${x%*z*} ${x#*z*z} ${x##*y*z}", anyTier},
		"extglob":                     {"shopt -s extglob; x='" + rep("a", 30000) + "'; echo ${x##*(*(*(a)))b}; [[ $x == +(a|aa|+(a))b ]]", anyTier},
		"case change":                 {"x='" + rep("y", mib) + "'; echo ${x^^} ${x,,} ${x@Q} ${x@E}", anyTier},
		"substring":                   {"x=abc; echo ${x:9223372036854775807:9223372036854775807} ${x: -9223372036854775808:-9223372036854775808}", anyTier},
		"slice of arguments":          {"set -- a b; echo ${@:9223372036854775807} ${@: -9223372036854775807:9223372036854775807}", anyTier},
		"shift":                       {"set -- a b; shift 9223372036854775807; shift -1; rm -rf /$1", review},
		"array index":                 {"a[9223372036854775807]=x; a[1000000000]=y; a[-1]=z; echo ${a[@]} ${#a[@]}", anyTier},
		"regular expression":          {"x='" + rep("a", 50000) + "'; [[ $x =~ (a*)*(a*)*b ]]; [[ a =~ a{1000}{1000}{1000} ]]", anyTier},
		"grep that backtracks":        {"echo " + rep("a", 50000) + "b | grep -E '(a*)*(a*)*(a|aa)+c'", notReview},
		"grep of repetitions":         {"echo a | grep -E 'a{1000}{1000}{1000}{1000}'", notReview},
		"sed that backtracks":         {"echo " + rep("a", 50000) + `b | sed 's/\(a*\)*\(a*\)*c\1//'`, anyTier},
		"sed that loops":              {"echo a | sed ':x;s/a/aa/;bx' | sh", review},
		"sed that loops, no growth":   {"echo a | sed ':x;bx' | sh", review},
		"awk that loops":              {`echo a | awk '{while(1)x=x"aaaaaaaa"}' | sh`, review},
		"awk that recurses":           {`echo a | awk 'function f(){f()}{f()}' | sh`, review},
		"awk, width":                  {`awk 'BEGIN{printf "%1000000000d",1}' | sh`, review},
		"jq that loops":               {"echo 1 | jq 'def f: f; f' | sh", review},
		"jq, range":                   {"echo 1 | jq -c '[range(1000000000)]' | sh", review},
		"jq, doubling":                {"echo '\"a\"' | jq -r '" + strings.Repeat(".+.|", 40) + ".' | sh", review},
		"jq, index":                   {"echo '[]' | jq -c '.[1000000000]=1' | sh", review},
		"bc, power":                   {"echo '9^9^9^9' | bc | sh", review},
		"bc, scale":                   {"echo 'scale=1000000000;1/3' | bc | sh", review},
		"dc, power":                   {"dc -e '9 9 9 9^^^p' | sh", review},
		"xargs":                       {"printf '" + rep("a ", mib) + "' | xargs rm -rf", review},
		"xargs, one each":             {"printf '" + rep("a ", mib) + "' | xargs -n1 rm -rf", review},
		"xargs, harmless":             {"printf '" + rep("a ", mib) + "' | xargs echo", anyTier},
		"xargs, replacing":            {"printf '" + rep("a\\n", mib) + "' | xargs -I{} echo " + rep("{}", 10000), anyTier},
		"printf, width":               {"printf %1000000000d 1", anyTier},
		"printf, width, run":          {"printf %1000000000d 1 | sh", review},
		"printf, width by argument":   {"x=$(printf '%*s' 2147483647 ' '); rm -rf $x", anyTier},
		"printf, precision":           {"printf %.1000000000f 1; printf %.2147483647d 1; printf '%99999999999999999999s' x", anyTier},
		"printf, many widths":         {"printf '" + rep("%999d", mib) + "' | sh", anyTier},
		"head of zeros":               {"head -c 1000000000 /dev/zero", anyTier},
		"head of zeros, run":          {"head -c 1000000000 /dev/zero | sh", review},
		"yes":                         {"yes | head -n 1000000000", anyTier},
		"yes, run":                    {"yes rm | head -n 1000000000 | sh", review},
		"yes, three":                  {"yes | head -n 3", notReview},
		"seq":                         {"seq 1 1000000000", notReview},
		"seq, run":                    {"seq 1 1000000000 | sh", review},
		"seq, small steps":            {"seq 0 1e-300 1 | sh", review},
		"seq, format":                 {"seq -f %1000000000g 1 | sh", review},
		"seq, separator":              {"seq -s '" + rep("x", 10000) + "' 100000 | sh", review},
		"gzip bomb":                   {"echo " + bomb(64*mib) + " | base64 -d | gunzip", anyTier},
		"gzip bomb, run":              {"echo " + bomb(64*mib) + " | base64 -d | gunzip | sh", review},
		"gzip bomb, variable":         {"x=$(echo " + bomb(64*mib) + " | base64 -d | zcat); rm -rf $x", anyTier},
		"filters":                     {"printf '" + rep(`a\n`, mib) + "' | tac | rev | sort | uniq -c | sort -n | cut -c1 | sh", review},
		"tr":                          {`echo x | tr '\000-\377' '[a*1000000000]' | sh`, anyTier},
		"expand":                      {`printf '\t\t\t' | expand -t 1000000000 | fold -w 1000000000 | fmt -w 1000000000 | sh`, review},
		"paste":                       {"paste -d '" + rep("x", mib) + "' - - - <<< a | sh", anyTier},
		"xxd, offset":                 {"echo '3b9aca00: 41' | xxd -r | sh", review},
		"dd":                          {"dd if=/dev/zero bs=1000000000 count=1000000000 | sh", review},
		"descriptor":                  {"exec 999999999999999999999>a; echo 99999999999999999999999>&1", anyTier},
	}
}

// circularInputs lead back to themselves.
func circularInputs() map[string]input {
	return map[string]input{
		"aliases":                 {"shopt -s expand_aliases\nalias a=b b=c c=a\na\n", anyTier},
		"alias":                   {"shopt -s expand_aliases\nalias ls='ls;ls'\nls\n", notReview},
		"function":                {"f() { echo x; f; }; f", anyTier},
		"functions":               {"f() { g; }; g() { f; }; f", anyTier},
		"function that grows":     {"f() { f $1$1; }; f aaaaaaaa", anyTier},
		"function in itself":      {"f() { echo $(f)$(f); }; f", anyTier},
		"function that redefines": {"f() { eval \"f() { rm $1; f $1$1; }\"; f $1; }; f aaaaaaaa", anyTier},
		"fork bomb":               {":(){ :|:& };:", review},
		"trap":                    {`trap 'trap "trap x EXIT; y" EXIT; z' EXIT`, anyTier},
		"trap on everything":      {"trap 'f' DEBUG ERR RETURN EXIT; f() { f; false; }; f", anyTier},
		"eval":                    {`x='eval "$x"'; eval "$x"`, review},
		"eval twice":              {`x='eval "$x"; eval "$x"'; eval "$x"`, review},
		"prompt":                  {`x='${x@P}'; echo "${x@P}"`, anyTier},
		"indirection":             {"x=x; echo ${!x}; declare -n r=r; echo $r; declare -n a=b b=a; echo $a; a=1", anyTier},
		"arithmetic":              {"x=x; echo $((x))", anyTier},
		"arithmetic of two":       {"x=y+y; y=x+x; echo $((x))", anyTier},
		"arithmetic in an index":  {"a[0]='a[a[0]]'; echo $((a[0]))", anyTier},
		"script":                  {"sh self.sh", anyTier},
		"script, sourced":         {". ./loop.sh", anyTier},
		"scripts":                 {"sh ping.sh", anyTier},
		"script, twice":           {"sh double.sh x", review},
		"makefile":                {"make -f loop.mk", anyTier},
		"package":                 {"npm run a", anyTier},
		"git alias":               {"git -c alias.a=b -c alias.b=a a; git -c alias.x='!git x' x", anyTier},
		"link to the directory":   {"rm -rf here/here/here", anyTier},
		"links":                   {"cat one; rm -rf one/x; sh one", anyTier},
		"links made":              {"ln -s a b; ln -s b a; cat a; rm -rf a/x; cd a && rm -rf *", anyTier},
		"links made, many":        {doubled("ln -s l%d l%d\n", 5000) + "cat l5000", review},
		"move":                    {"mkdir a; mv a a/b; mv a/b a; rm -rf a", anyTier},
		"environment":             {"BASH_ENV=self.sh bash -c 'bash -c x'", anyTier},
		"bash -c of its argument": {`bash -c 'bash -c "$0" "$0"' 'bash -c "$0" "$0"'`, review},
		"find of itself":          {"find . -exec find . -exec rm {} + {} +", anyTier},
		"xargs of sh":             {"echo sh self.sh | xargs -n1 xargs sh -c", anyTier},
	}
}

const hostileScene = `
git
src/app.go    tracked "package app\n"
build/        ignored 214 files 9MB
many/         50000 files 1GB
here          -> .
one           -> two
two           -> one
down          -> here
self.sh       tracked exec "#!/bin/sh\nsh self.sh\n"
loop.sh       tracked ". ./loop.sh\n"
ping.sh       tracked "sh pong.sh\n"
pong.sh       tracked "sh ping.sh\n"
double.sh     tracked "sh double.sh\nsh double.sh\nrm -rf $1\n"
loop.mk       tracked "a: b\n\tmake -f loop.mk\nb: a\n\t$(MAKE) a\nX=$(X)\ninclude loop.mk\n"
package.json  tracked "{\"scripts\":{\"a\":\"npm run b\",\"b\":\"npm run a\"}}"
`

// TestBadInput assesses what nobody writes by hand. Each must come to an end,
// in bounded memory, with a whole assessment. What is too complex to inspect
// is REVIEW, and what is large but plain data is not.
func TestBadInput(t *testing.T) {
	p := newPlace(t, hostileScene)
	a := assess.New()
	p.assess(a, "ls") // loads what is loaded once
	for _, group := range []struct {
		name   string
		inputs map[string]input
	}{{"nested", nestedInputs()}, {"long", longInputs()}, {"huge", hugeInputs()}, {"circular", circularInputs()}} {
		for _, name := range slices.Sorted(maps.Keys(group.inputs)) {
			t.Run(group.name+"/"+name, func(t *testing.T) { testBadInput(t, a, p, group.inputs[name]) })
		}
	}
}

func testBadInput(t *testing.T, a *assess.Assessor, p *place, in input) {
	t.Helper()
	var got risk.Assessment
	var d assess.Detail
	if used := allocated(func() { got, d = p.assess(a, in.cmd) }); used > maxMemory {
		t.Errorf("%s allocates %d MiB", short(in.cmd), used/mib)
	}
	checkWhole(t, &got)
	if is := got.Tier == risk.Review; in.want == review && !is || in.want == notReview && is {
		t.Errorf("%s: %s (%d steps), want %s: %s", short(in.cmd), got.Tier, d.Trace.Steps, in.want, got.Summary)
	}
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestBadSession assesses ordinary commands in sessions that nobody has.
func TestBadSession(t *testing.T) {
	base := newPlace(t, hostileScene)
	with := func(change func(env map[string]string)) *place {
		env := maps.Clone(base.env)
		change(env)
		return &place{base.world, base.dir, env}
	}
	long := with(func(env map[string]string) {
		for i := range 100_000 {
			env[fmt.Sprintf("V%d", i)] = "x"
		}
	})
	elsewhere := *base
	elsewhere.dir = rep("/a", mib)
	places := map[string]*place{
		"100,000 variables":      long,
		"PATH of 10,000 entries": with(func(env map[string]string) { env["PATH"] = strings.TrimSuffix(numbered("/opt/p%d/bin:", 10_000), ":") }),
		"PATH of empty entries":  with(func(env map[string]string) { env["PATH"] = rep(":", mib) }),
		"PATH of a mebibyte":     with(func(env map[string]string) { env["PATH"] = rep("/x", mib) }),
		"CDPATH":                 with(func(env map[string]string) { env["CDPATH"] = rep("/x:", mib) }),
		"HOME":                   with(func(env map[string]string) { env["HOME"] = rep("/x", mib) }),
		"HOME, relative":         with(func(env map[string]string) { env["HOME"] = "../.." }),
		"HOME, root":             with(func(env map[string]string) { env["HOME"] = "/" }),
		"IFS":                    with(func(env map[string]string) { env["IFS"] = "rm-f /" }),
		"invalid values":         with(func(env map[string]string) { env["A"], env["\xff="], env[""] = "\xff\x00", "x", "y" }),
		"functions":              with(func(env map[string]string) { env["BASH_FUNC_ls%%"] = "() { rm -rf /; }" }),
		"directory":              &elsewhere,
		"no directory":           {base.world, "", base.env},
		"relative directory":     {base.world, "../x/./y", base.env},
		"strange directory":      {base.world, "/\xff\x00\x1b[2J\n", base.env},
		"no environment":         {base.world, base.dir, nil},
		"unreadable world":       {blindWorld(base.world), base.dir, base.env},
	}
	commands := []string{
		"ls", "rm -rf build", "cd && rm -rf *", "rm -rf $A", "x=$(cat src/app.go); eval \"$x\"", "nosuchprogram x", "cd src; make",
		"git status; git push", "env | grep V", "echo x > ../y", "find . -delete", "sh -c 'ls | xargs rm'", "for i in *; do cp $i /tmp; done",
	}
	a := assess.New()
	for _, name := range slices.Sorted(maps.Keys(places)) {
		t.Run(name, func(t *testing.T) {
			for _, cmd := range commands {
				testBadInput(t, a, places[name], input{cmd, anyTier})
			}
		})
	}
}

// blindWorld is a world in which nothing can be read.
func blindWorld(w *world.World) *world.World {
	blind := *w
	blind.FS, blind.Git = blindFS{}, blindGit{}
	return &blind
}

type blindFS struct{}

func (blindFS) Lstat(string) (world.Info, error)           { return world.Info{}, world.ErrNotRead }
func (blindFS) Readlink(string) (string, error)            { return "", world.ErrNotRead }
func (blindFS) ReadDir(string, int) ([]world.Entry, error) { return nil, world.ErrNotRead }
func (blindFS) ReadFile(string, int64) ([]byte, error)     { return nil, world.ErrNotRead }
func (blindFS) Lines(string, string) (world.Lines, error)  { return world.Lines{}, world.ErrNotRead }

func (blindFS) Mount(string) (world.Mount, error) { return world.Mount{}, world.ErrNotRead }

type blindGit struct{}

func (blindGit) Find(string) (world.Repo, error) { return nil, world.ErrNotRead }
