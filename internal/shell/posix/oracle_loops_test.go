package posix_test

// loopRows are about loops (loop.go).
func loopRows() []row {
	return []row{
		{script: `x=10; while ((x > 7)); do show $x; ((x--)); done`, shells: "bash mksh zsh"},
		{script: `x=0; until [ $x -ge 3 ]; do show $x; x=$((x+1)); done`},
		{script: `x=3; while [ $x -gt 0 ]; do show $x; x=$((x-1)); done; show end $x`},
		{script: `for ((i=0,j=5;i<j;i++,j--)); do show $i $j; done`, shells: "bash zsh"},
		{script: `for ((i=10;i>0;i-=4)); do show $i; done; show $i`, shells: "bash zsh"},
		{script: `for ((;;)); do show once; break; done`, shells: "bash zsh"},
		{script: `for i in 1 2 3; do for j in a b; do [ $j = b ] && continue 2; show $i$j; done; done`},
		{script: `for i in 1 2 3; do for j in a b; do [ $i$j = 2a ] && break 2; show $i$j; done; done; show end`},
		{script: `for i in; do show no; done; show $? end`},
		{script: `for i in a "b c" '*' *.txt; do show "$i"; done; show $i`},
		{script: `for i in a b
do
show $i
done`},
		{script: `set -- p q; for i; do show $i; set -- z; done; show $1`},
		{script: `set -- p 'q r'; for i in "$@" end; do show "$i"; done`},
		{script: `while false; do show no; done; show yes; until true; do show no; done; show $?`},
		{script: `i=0; while [ $i -lt 20 ]; do i=$((i+1)); done; show $i`},
		{script: `i=0; until ((i>=3)); do ((i++)); show $i; done`, shells: "bash mksh zsh"},
		{script: `x=a; while [ $x != aaaa ]; do x=a$x; show $x; done`},
		{script: `for i in 3 1 2; do while [ $i -gt 0 ]; do show $i; i=$((i-1)); done; done`},
		{script: `while :; do show a; break; done; until false; do show b; break; done`},
		{script: `i=0; while i=$((i+1)); [ $i -le 2 ]; do show $i; done`},
		{script: `y=; for x in a b; do y=$y$x; done; show $y`},
	}
}
