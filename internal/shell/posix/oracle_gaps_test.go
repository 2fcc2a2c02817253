package posix_test

// gaps are scripts that heed is known to get otherwise in every shell that they
// are meant for: with more than happens, or less exactly.
func gaps() []row {
	return []row{
		{script: `env -u HOME sh -c 'show ${HOME-none}'`, differs: []difference{
			{shells: "bash sh mksh zsh", real: `"none"`, heed: `"HOME"`, why: `what env takes away from the environment is not modelled`},
		}},
		{script: `x=abc; show ${x/b/[&]} ${x//?/x} ${x/*/all}`, shells: "bash", differs: []difference{
			{shells: "bash", real: `"a[b]c" "xxx" "all"`, heed: `"<x>" "xxx" "all"`, why: `the & of a replacement is the match from bash 5.2 on: heed says neither`},
		}},
		{script: `declare -r x=1; show ${x@a} "${x@A}"`, shells: "bash", differs: []difference{
			{shells: "bash", real: `"r" "declare -r x='1'"`, heed: `"<x>" "<x>"`, why: `attributes are not printed back`},
		}},
		{script: `x='1+2'; show $((x*2)) $(($x*2))`, shells: "bash mksh zsh", differs: []difference{
			{shells: "bash mksh zsh", real: `"6" "5"`, heed: `"6" "$arithmetic"`, why: `an expansion in an expression is its text: heed does not read the whole again`},
		}},
		{script: `x=; show $((x+1)) $((unset_v+1))`, differs: []difference{
			{shells: "bash sh mksh zsh", real: `"1" "1"`, heed: `"1" "$arithmetic"`, why: `a variable that is not set may be so elsewhere: not taken for zero`},
		}},
		{script: `show $((1/0)); show after`, shells: "sh", differs: []difference{
			{shells: "sh", real: ``, heed: `"$arithmetic" ; "after"`, why: `an error in an expression ends the shell, and heed goes on`},
		}},
		{script: `for x in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do show $x; done`, differs: []difference{
			{shells: "bash sh mksh zsh", real: `"1" ; "2" ; "3" ; "4" ; "5" ; "6" ; "7" ; "8" ; "9" ; "10" ; "11" ; "12" ; "13" ; "14"`, heed: `"<x>"`, why: `a loop of more turns than are walked one by one is walked once`},
		}},
		{script: `i=0; while true; do i=$((i+1)); [ $i -gt 3 ] && break; [ $i = 2 ] && continue; show $i; done`, differs: []difference{
			{shells: "bash sh mksh zsh", real: `"1" ; "3"`, heed: `"$arithmetic"`, why: `a loop that only break ends is walked once for all its turns`},
		}},
		{script: `set -- -a -b val x; while getopts ab: o; do show $o "$OPTARG"; done; shift $((OPTIND-1)); show "$@"`, differs: []difference{
			{shells: "bash sh mksh zsh", real: `"a" "" ; "b" "val" ; "x"`, heed: `"$o" "$OPTARG" ; "$@"`, why: `what getopts finds is not worked out`},
		}},
		{script: `select x in a b; do show $x; break; done <<< 2`, shells: "bash mksh zsh", differs: []difference{
			{shells: "bash mksh zsh", real: `"b"`, heed: `"<x>"`, why: `what is chosen is not worked out`},
		}},
		{script: `[[ abc123 =~ ([a-z]+)([0-9]+) ]] && show "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"`, shells: "bash", differs: []difference{
			{shells: "bash", real: `"abc" "123"`, heed: `"<BASH_REMATCH>" "<BASH_REMATCH>"`, why: `what the parts of =~ match is not worked out`},
		}},
		{script: `set -C; echo a > f; echo b > f; show "$(cat f)"; echo c >| f; show "$(cat f)"`, differs: []difference{
			{shells: "bash sh mksh zsh", real: `"a" ; "c"`, heed: `"…" ; "c"`, why: `what a refused redirection leaves is not told apart`},
		}},
		{script: `echo a | tee f | cat > g; show "$(cat f)$(cat g)"`, differs: []difference{
			{shells: "bash sh mksh zsh", real: `"aa"`, heed: `"a<cat>"`, why: `what tee passes on is not followed`},
		}},
		{script: `echo a | tee >(cat > f) > g; sleep 0.1; show "$(cat g)"`, shells: "bash zsh", differs: []difference{
			{shells: "bash zsh", real: `"a"`, heed: `"<tee /dev/heed-fd/62>"`, why: `what tee passes on is not followed`},
		}},
		{script: `coproc cat; echo hi >&${COPROC[1]}; read x <&${COPROC[0]}; show "$x"`, shells: "bash", differs: []difference{
			{shells: "bash", real: `"hi"`, heed: `"<x>"`, why: `what a coprocess answers to what it is sent is not followed`},
		}},
		{script: `cat |&
print -p hi; read -p x; show "$x"`, shells: "mksh", differs: []difference{
			{shells: "mksh", real: `"hi"`, heed: `"<x>"`, why: `what a coprocess answers to what it is sent is not followed`},
		}},
		{script: `coproc echo out; read -p x; show "$x"`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"out"`, heed: `"<x>"`, why: `what a coprocess answers to what it is sent is not followed`},
		}},
		{script: `cat < a.txt < b.txt > f; show "$(cat f)"`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"alpha\nbeta"`, heed: `"<cat>"`, why: `files of the machine are not read for a list of inputs`},
		}},
		{script: `shopt -s failglob
show *.none
show end`, shells: "bash", differs: []difference{
			{shells: "bash", real: `"end"`, heed: `"*.none" ; "end"`, why: `a pattern without a match ends the command: heed goes on`},
		}},
		{script: `a=(x y z); a[2]=q; show $a; a+=w; show $a; a[1]=(m n); show $a`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"x" "q" "z" ; "x" "q" "z" "w" ; "m" "n" "q" "z" "w"`, heed: `"x" "q" "z" ; "x" "q" "z" "w" ; "<a>"`, why: `elements put in place of one are not modelled: nothing is said of the array`},
		}},
		{script: `x=hello; show ${(U)x} ${(C)x} ${x:u} ${(L)x:u}`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"HELLO" "Hello" "HELLO" "hello"`, heed: `"HELLO" "Hello" "HELLO" "HELLO"`, why: `modifiers come before flags in zsh`},
		}},
		{script: `x=/a/b/c.tar.gz; show $x:h $x:t ${x:t:r} ${x:h:h} ${x:e} ${x:h2}`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"/a/b" "c.tar.gz" "c.tar" "/a" "gz" "/a"`, heed: `"/a/b" "c.tar.gz" "c.tar" "/a" "gz" "<x>"`, why: `modifiers with a number or with text are not modelled`},
		}},
		{script: `x=abcabc; show ${x/b/X} ${x//b/X} ${x:s/b/X/} ${x:gs/b/X/}`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"aXcabc" "aXcaXc" "aXcabc" "aXcaXc"`, heed: `"aXcabc" "aXcaXc" "<x>" "<x>"`, why: `modifiers with a number or with text are not modelled`},
		}},
		{script: `show *.none; show end`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"end"`, heed: `"*.none" ; "end"`, why: `a pattern without a match ends the command: heed goes on`},
		}},
		{script: `show *.txt([1])`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"a.txt"`, heed: `"<*.txt([1])>"`, why: `these qualifiers and patterns of zsh are not modelled: some of the names`},
		}},
		{script: `setopt extended_glob; show ^*.txt; show *.txt~a*`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"sub" ; "b.txt"`, heed: `"<^*.txt>" ; "<*.txt~a*>"`, why: `these qualifiers and patterns of zsh are not modelled: some of the names`},
		}},
		{script: `show (a|b).txt; show <1-3>(N) end`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"a.txt" "b.txt" ; "end"`, heed: `"a.txt" "b.txt" ; "<<1-3>(N)>" "end"`, why: `these qualifiers and patterns of zsh are not modelled: some of the names`},
		}},
		{script: `for i (a b c) show $i`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"a" ; "b" ; "c"`, heed: `unreadable`, why: `the parser does not know this form of zsh: the command is not read at all`},
		}},
		{script: `foreach i (a b); show $i; end`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"a" ; "b"`, heed: `"<i>"`, why: `the parser takes foreach for a command; its variable is not known`},
		}},
		{script: `repeat 2 { show r }; repeat 2; do show q; done`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"r" ; "r" ; "q" ; "q"`, heed: `unreadable`, why: `the parser does not know this form of zsh: the command is not read at all`},
		}},
		{script: `if [[ 1 == 1 ]] { show yes } else { show no }`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"yes"`, heed: `unreadable`, why: `the parser does not know this form of zsh: the command is not read at all`},
		}},
		{script: `if (( 1 )) show short`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"short"`, heed: `unreadable`, why: `the parser does not know this form of zsh: the command is not read at all`},
		}},
		{script: `while (( i++ < 2 )) { show $i }`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"1" ; "2"`, heed: `unreadable`, why: `the parser does not know this form of zsh: the command is not read at all`},
		}},
		{script: `() { show anon $1 } arg; function { show anon2 }`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"anon" "arg" ; "anon2"`, heed: `unreadable`, why: `the parser does not know this form of zsh: the command is not read at all`},
		}},
		{script: `f g() { show $0 }; f; g`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"f" ; "g"`, heed: `unreadable`, why: `the parser does not know this form of zsh: the command is not read at all`},
		}},
		{script: `{ show try } always { show fin }`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"try" ; "fin"`, heed: `unreadable`, why: `the parser does not know this form of zsh: the command is not read at all`},
		}},
		{script: `show =ls | cat; show =ls`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"/usr/bin/ls" ; "/usr/bin/ls"`, heed: `"=ls" ; "=ls"`, why: `the path that =name stands for is not looked up`},
		}},
		{script: `show $(print -r -- 'a\nb') "$(print -l a b)"`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"a\\nb" "a\nb"`, heed: `"<print -r -- a\\nb>" "<print -l a b>"`, why: `print of zsh is not computed`},
		}},
		{script: `x=(a b c b); show ${x:#b} ${(M)x:#b} ${x[(r)b]} ${x[(i)b]}`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"a" "c" "b" "b" "b" "2"`, heed: `"a" "c" "b" "b" "<element>" "<element>"`, why: `subscript flags of zsh are not modelled`},
		}},
		{script: `x=5; show $((x/2.0)) $(( [#16] 255 ))`, shells: "zsh", differs: []difference{
			{shells: "zsh", real: `"2.5" "16#FF"`, heed: `unreadable`, why: `the parser does not know zsh's arithmetic`},
		}},
		{script: `a=(1 2 3); unset 'a[1]'; show "${a[@]}" ${#a[@]}`, shells: "bash mksh", differs: []difference{
			{shells: "bash mksh", real: `"1" "3" "2"`, heed: `"1" "$a" "3" "3"`, why: `arrays have no gaps here: an element that is not set is still counted`},
		}},
		{script: `a=(1 2 3); unset a; show "${a[@]}" end; a=(); show ${#a[@]}`, shells: "bash mksh zsh", differs: []difference{
			{shells: "bash mksh", real: `"end" ; "0"`, heed: `"$a" "end" ; "0"`, why: `a variable that is not set keeps its name, so that the answer can say so`},
			{shells: "zsh", real: `"" "end" ; "0"`, heed: `"$a" "end" ; "0"`, why: `a variable that is not set keeps its name, so that the answer can say so`},
		}},
		{script: `readonly x=1; show $x; (x=2; show no); show $x`, differs: []difference{
			{shells: "bash sh mksh zsh", real: `"1" ; "1"`, heed: `"1" ; "no" ; "1"`, why: `an assignment that is refused ends the shell: heed goes on`},
		}},
		{script: `declare -A m; m[a b]=1; m["c d"]=2; k='a b'; show "${m[$k]}" "${m[c d]}"`, shells: "bash", differs: []difference{
			{shells: "bash", real: `"1" "2"`, heed: `unreadable`, why: `the parser does not know subscripts of two words`},
		}},
		{script: `a=(1 2); a[5]=6; show ${#a[@]} "${a[@]}" "${!a[@]}"`, shells: "bash mksh", differs: []difference{
			{shells: "bash mksh", real: `"3" "1" "2" "6" "0" "1" "5"`, heed: `"6" "1" "2" "" "" "" "6" "0" "1" "2" "3" "4" "5"`, why: `arrays have no gaps here: an element that is not set is still counted`},
		}},
		{script: `show "${unset_a[@]}" end ${#unset_a[@]}`, shells: "bash mksh", differs: []difference{
			{shells: "bash mksh", real: `"end" "0"`, heed: `"$unset_a" "end" "0"`, why: `a variable that is not set keeps its name, so that the answer can say so`},
		}},
		{script: `alias a='show '
alias b=c
a b`, shells: "sh mksh", differs: []difference{
			{shells: "sh mksh", real: `"c"`, heed: `"b"`, why: `an alias behind one that ends in a space is not expanded`},
		}},
		{script: `alias show='show pre'
show x; \show y; 'show' z`, shells: "sh mksh zsh", differs: []difference{
			{shells: "sh mksh", real: `"pre" "x" ; "y" ; "z"`, heed: `"pre" "x" ; "x" ; "y" ; "z"`, why: `aliases are expanded or not, as the shell was started: both readings are told`},
			{shells: "zsh", real: `"x" ; "y" ; "z"`, heed: `"pre" "x" ; "x" ; "y" ; "z"`, why: `aliases are expanded or not, as the shell was started: both readings are told`},
		}},
		{script: `cd nonexist || show failed; show "$PWD"`, differs: []difference{
			{shells: "bash sh mksh zsh", real: `"failed" ; "DIR"`, heed: `"failed" ; "DIR/nonexist" ; "DIR"`, why: `a directory that is missing may be there by then: both ways are told`},
		}},
		{script: `cd nonexist 2>/dev/null && show no; show *.txt`, differs: []difference{
			{shells: "bash sh mksh zsh", real: `"a.txt" "b.txt"`, heed: `"no" ; "*.txt" ; "a.txt" "b.txt"`, why: `a directory that is missing may be there by then: both ways are told`},
		}},
		{script: `set -e; cd nonexist; show no`, differs: []difference{
			{shells: "bash sh mksh zsh", real: ``, heed: `"no"`, why: `a directory that is missing may be there by then: both ways are told`},
		}},
		{script: `getopts a o -a; show $o; getopts a o -a || show done`, differs: []difference{
			{shells: "bash sh mksh zsh", real: `"a" ; "done"`, heed: `"$o" ; "done"`, why: `what getopts finds is not worked out`},
		}},
		{script: `env -i PATH="$PATH" sh -c 'show ${HOME-unset}'`, differs: []difference{
			{shells: "bash sh mksh zsh", real: ``, heed: `"HOME"`, why: `what env takes away from the environment is not modelled`},
		}},
		{script: `trap 'show int' INT; show a; trap '' INT; show b`, differs: []difference{
			{shells: "bash sh mksh zsh", real: `"a" ; "b"`, heed: `"int" ; "a" ; "b"`, why: `a signal may come at any time`},
		}},
		{script: `x='a\nb\\c\[\]d\e'; show "${x@P}"`, shells: "bash", differs: []difference{
			{shells: "bash", real: `"a\nb\\cd\x1b"`, heed: `"a\nb\\cdx"`, why: `what the session fills in is a letter here: no expansion can come of it`},
		}},
		{script: `PROMPT_COMMAND='show p'; show a`, shells: "bash", differs: []difference{
			{shells: "bash", real: `"a"`, heed: `"p" ; "a"`, why: `it runs at the next prompt, where there is one`},
		}},
		{script: `x=2; show $((x--1))`, shells: "bash zsh", differs: []difference{
			{shells: "bash zsh", real: ``, heed: `unreadable`, why: `bash and dash alone take two signs for a minus and a sign; the parser takes none behind a name`},
		}},
		{script: `x=(1 2); show a`, shells: "sh", differs: []difference{
			{shells: "sh", real: `unreadable`, heed: `"a"`, why: `/bin/sh may be bash: what only bash reads is read as bash`},
		}},
		{script: `[[ a == a ]] && show yes`, shells: "sh", differs: []difference{
			{shells: "sh", real: ``, heed: `"yes"`, why: `/bin/sh may be bash: what only bash reads is read as bash`},
		}},
		{script: `function f { show f; }; f`, shells: "sh", differs: []difference{
			{shells: "sh", real: `unreadable`, heed: `"f"`, why: `/bin/sh may be bash: what only bash reads is read as bash`},
		}},
		{script: "show a\r", differs: []difference{
			{shells: "bash sh mksh zsh", real: `"a\r"`, heed: `"a"`, why: `a carriage return before a newline is not told`},
		}},
		{script: `f() { false; local x=$?; [ $x = 0 ] || show $?; }; f`, differs: []difference{
			{shells: "bash sh mksh zsh", real: `"1"`, heed: `"$?"`, why: `which number stands for a failure is not known`},
		}},
		{script: "show a \\\r\nshow b", differs: []difference{
			{shells: "bash sh mksh zsh", real: `"a" "\r" ; "b"`, heed: `"a" ; "b"`, why: `a carriage return before a newline is not told`},
		}},
		{script: `set -- p 'q r'; show ${x:-"$@"} "${x:-"$@"}"`, differs: []difference{
			{shells: "bash sh mksh", real: `"p" "q r" "p" "q r"`, heed: `"p" "q r" "p q r"`, why: `a list in the word of an expansion in quotes becomes one word`},
			{shells: "zsh", real: `"p" "q r" "p" "q r"`, heed: `"p q r" "p q r"`, why: `a list in the word of an expansion in quotes becomes one word`},
		}},
		{script: `show "$unset" end`, differs: []difference{
			{shells: "bash sh mksh zsh", real: `"" "end"`, heed: `"$unset" "end"`, why: `a variable that is not set keeps its name, so that the answer can say so`},
		}},
		{script: `false; show $?`, differs: []difference{
			{shells: "bash sh mksh zsh", real: `"1"`, heed: `"$?"`, why: `which number stands for a failure is not known`},
		}},
		{script: `sh -ec 'false; show no'`, differs: []difference{
			{shells: "bash sh mksh zsh", real: ``, heed: `"no"`, why: `options of a shell that is started are not passed on`},
		}},
	}
}
