package posix_test

// parseRows are about reading: comments, lines, prompts and what is repaired (parse.go, comment.go, repair.go, prompt.go).
func parseRows() []row {
	return []row{
		{script: `x='\x41\041\0411'; show "${x@P}"`, shells: "bash"},
		{script: `a=('$x' '\n'); x=1; show "${a[@]@P}"`, shells: "bash"},
		{script: `x='"q" '"'"'s'"'"' $HOME'; show "${x@P}"`, shells: "bash"},
		{script: `PS4='$(echo t)'; set -x; : ; set +x; show end`},
		{script: `x=1; y='${x}2'; show "${(e)y}"`, shells: "zsh"},
		{script: `show $((3--1)) $((3 - -1)) $((3+-1)) $(( - 1))`, differs: []difference{
			{shells: "mksh zsh", real: ``, heed: `"4" "4" "2" "-1"`, why: `bash and dash alone take two signs for a minus and a sign; the parser takes none behind a name`},
		}},
		{script: `show $(( $# + 1 )) $((${#}+1))`},
		{script: `for ((i=0;i<$#+1;i++)); do show $i; done`, shells: "bash zsh"},
		{script: `show a |
cat; show b`},
		{script: `show a \
  b \
  c`},
		{script: `show a # c \
show b`},
		{script: `# only comment
show a;# x
show b;#`},
		{script: `if true
then show a
else show b
fi;for i in 1
do show $i;done
while false;do :;done`},
		{script: `{ show a;};(show b);{ show c
}`},
		{script: `!true; show a`, shells: "sh mksh zsh"},
		{script: `f(){ show a; };f;f ()
{
show b
}
f`},
		{script: `case x in x) show a ;; esac; case x in x) show b
esac; case x in
y|x)
show c;;
esac`},
		{script: `show if then else fi do done case esac for in while until { } !`},
		{script: `show a;;show b`},
		{script: `show a; )`},
		{script: `show "unclosed`},
		{script: `show $(echo unclosed`},
		{script: `if true; then show a`},
		{script: `show $\
HOME $\
{HOME} "$\
(echo a)"`, differs: []difference{
			{shells: "zsh", real: `"HOME" "HOME" "$(echo a)"`, heed: `"HOME" "HOME" "a"`, why: `zsh does not join the lines of $( in quotes`},
		}},
		{script: `show 'a	b'		c`},
		{script: `show 2>f a 2; show a2>f`},
		{script: `show {a..c}{1,2}`, shells: "bash"},
		{script: `show a{b{1..2},c}d {{a,b},c}`, shells: "bash"},
		{script: `show a # b \
show c`},
		{script: `show a #\
show b # \
show c`},
		{script: `if true # b \
then show a; fi # c \
show d`},
		{script: `x=$(show a # b \
show c)`},
		{script: `show 'a # b \
c' "d # e \
f"`},
		{script: `cat <<E > f # c \
# d \
e
E
show "$(cat f)"`},
		{script: `show a#b\
c`},
		{script: "y=v; x='$y ${y} `echo c` $((2*3))'; show \"${x@P}\"", shells: "bash"},
		{script: `true &&
true ||
show c; false ||
show d`},
		{script: `sh\
ow a; x=a\
b; show $x; show $x\
.c`},
	}
}
