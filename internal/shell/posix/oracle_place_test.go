package posix_test

// placeRows are about names with subscripts, options and tables that change
// what a command means (name.go, known.go, builtins.go, zshtable.go).
func placeRows() []row {
	return []row{
		{script: `a=(x y z); i=1; read 'a[i]' <<< q; show "${a[@]}"; printf -v 'a[i+1]' w; show "${a[@]}"`, shells: "bash"},
		{script: `a=(x y z); unset 'a[$(echo 2)]'; show "${a[@]}"; declare 'a[1]=n'; show "${a[@]}"`, shells: "bash"},
		{script: `declare -i n; read n <<< 2+3; show $n; for n in 4*2; do show $n; done; printf -v n 7-1; show $n`, shells: "bash"},
		{script: `a=(x y); declare -n r='a[1]'; show $r; r=q; show "${a[@]}"`, shells: "bash"},
		{script: `declare -A m; k='a b'; m[$k]=1; x=5; m[x]=2; show "${m[$k]}" ${m[x]}; unset 'm[$k]'; show ${#m[@]}`, shells: "bash"},
		{script: `a=(4 5 6); x='a[1+1]'; show $((x)); y='a[$((0+1))]'; show $((y)); show ${!x}`, shells: "bash"},
		{script: `set -k; f() { show "$1" "$X"; }; show a X=1; f b X=2; set +k; show c X=3`, shells: "bash"},
		{script: `mkdir -p d/e; ln -s d/e l; set -P; cd l; cd ..; show "$PWD" | sed 's,/[^ ]*/,,'; show *`, shells: "bash"},
		{script: `mkdir -p d/e; ln -s d/e l; cd -P l/..; show *; cd -L e; show *`, shells: "bash sh mksh"},
		{script: `mkdir -p d/e; ln -s d/e l; show l/../*; cd l; show ../*; cd ..; show d/*`},
		{script: `mkdir -p d/e; ln -s d/e l; cd l/..; show *`, shells: "bash sh mksh"},
		{script: `mkdir d; v=d; shopt -s cdable_vars; cd v; show "${PWD##*/}"`, shells: "bash"},
		{script: `mkdir -p d/e; CDPATH=d; cd e; show "${PWD##*/}"; cd ..; show *`, shells: "bash"},
		{script: `GLOBIGNORE=a*; show *; GLOBIGNORE=*.txt:sub; show *`, shells: "bash"},
		{script: `repeat 2 show r; n=3; repeat n-2 show q`, shells: "zsh"},
		{script: `hash -d x=$PWD/sub; cd ~x; show ${PWD:t}; nameddirs[y]=/; cd ~y; show $PWD`, shells: "zsh"},
		{script: `functions[f]='show in "$1"'; f a; x=g; functions[$x]='show g'; g`, shells: "zsh"},
		{script: `show ${(e):-'$(echo a)'} ${(U):-abc}; x=; show ${(U)x:-d}`, shells: "zsh"},
		{script: `mkdir -p d/e; ln -s d/e l; setopt chaselinks; cd l; cd ..; show *`, shells: "zsh"},
		{script: `print -v x a; show ${+x}; path=($path /b); path[-1]=/c; show ${PATH##*:}; cdpath=(sub); show $CDPATH`, shells: "zsh"},
	}
}
