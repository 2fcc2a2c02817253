package posix_test

// readRows are about read and mapfile (read.go).
func readRows() []row {
	return []row{
		{script: `printf '%s\n' 'a b' 'c\d' | while read x; do show "$x"; done`},
		{script: `printf '%s\n' 'a b' 'c\d' | while read -r x y; do show "$x" "$y"; done`},
		{script: `printf 'a:b\nc:d\n' | while IFS=: read x y; do show $y $x; done`},
		{script: `printf '  a  b  \n' | while IFS= read -r x; do show "$x"; done`},
		{script: `printf '  a  b  \n' | { read -r x; show "$x"; }`},
		{script: `printf 'a b c d\n' | { read x y; show "$x" "$y"; }`},
		{script: `printf 'a  b   c  d\n' | { read x y; show "$x" "$y"; }`},
		{script: `printf 'one\ntwo\n' | { read x; read y; show "$x" "$y"; }`},
		{script: `printf 'one\ntwo\n' | { read x; cat; } | while read z; do show "$z"; done`},
		{script: `printf 'a\\\nb\n' | { read x; show "$x"; }`},
		{script: `printf 'a b\n' | { read; show "$REPLY"; }`, shells: "bash mksh zsh"},
		{script: `printf 'a,b,c' | { read -d , x; show "$x"; }`, shells: "bash mksh zsh"},
		{script: `printf 'abcdef\n' | { read -n 3 x; show "$x"; }`, shells: "bash mksh"},
		{script: `printf 'a b c\n' | { read -a w; show "${w[1]}" "${#w[@]}"; }`, shells: "bash"},
		{script: `printf 'a b c\n' | { read -A w; show "${w[1]}" "${#w[@]}"; }`, shells: "mksh zsh"},
		{script: `read x y <<< "p q r"; show "$x" "$y"`, shells: "bash mksh zsh"},
		{script: `read -r x <<EOF
a b
EOF
show "$x"`},
		{script: `mapfile -t a < <(printf '1\n2\n3\n'); show "${a[@]}"; show ${#a[@]}`, shells: "bash"},
		{script: `mapfile a <<< $'x\ny'; show "${a[0]}" "${a[1]}"`, shells: "bash"},
		{script: `readarray -t -n 1 a <<< $'x\ny'; show "${a[@]}"; readarray -t -s 1 b <<< $'x\ny'; show "${b[@]}"`, shells: "bash"},
		{script: `mapfile -d , -t a <<< 'p,q'; show "${a[0]}"`, shells: "bash"},
		{script: `printf 'a:b:\n' | { IFS=: read x y; show "$x" "$y"; }`},
		{script: `printf 'a::b\n' | { IFS=: read x y z; show "$x" "$y" "$z"; }`},
		{script: `printf ' a : b \n' | { IFS=' :' read x y z; show "$x" "$y" "$z"; }`},
		{script: `printf 'a\\ b c\n' | { read x y; show "$x" "$y"; }`},
		{script: `printf 'x' | { read x || show end "$x"; }; printf '' | { read x || show "[$x]"; }`},
		{script: `printf 'abcdef' | { read -n2 x; read y; show $x $y; }`, shells: "bash mksh"},
		{script: `printf 'a\nb\n' | { (read x); read y; show $y; }`},
		{script: `printf 'a\nb\n' | sh -c 'read x; read y; show $x $y'`},
		{script: `printf 'a\nb\nc\nd\n' | while read x; do read y; show $x-$y; done`},
		{script: `printf 'a\nrm' | while read c; do show $c; done; printf 'a\nrm' | while read c || [ -n "$c" ]; do show $c; done`},
		{script: `printf 'a\nb\n' > f; exec < f; read x; read y; show $x $y`},
		{script: `printf 'a\nb\nc\n' | { read x; read y; cat > f; }; show "$(cat f)"`},
		{script: `printf '1\n2\n3\n' | { while read x; do [ $x = 2 ] && break; done; read y; show $y; }`},
		{script: `printf '%s\n' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 | { n=0; while read x; do n=$((n+x)); done; show $n; }`},
	}
}
