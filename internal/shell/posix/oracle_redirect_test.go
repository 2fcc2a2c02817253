package posix_test

// redirectRows are about redirections, descriptors, here-documents and substitutions (redirect.go, descriptor.go, subst.go).
func redirectRows() []row {
	return []row{
		{script: `show $(echo a b) "$(echo a b)"`},
		{script: "show `echo x`"},
		{script: `show "$(printf 'a\n\n')"`},
		{script: `show $(printf '%s-' a b c)`},
		{script: `show $(echo $(echo deep))`},
		{script: `show "$(cat a.txt)"`},
		{script: `show "$(<a.txt)"`, shells: "bash mksh zsh"},
		{script: `show $(basename /x/y.txt .txt) $(dirname /x/y)`},
		{script: `show $(echo aGk= | base64 -d)`},
		{script: `show $(echo abc | tr a-c A-C | rev)`},
		{script: `show $(echo a:b:c | cut -d: -f2)`},
		{script: `show $(printf '%d' 0x1f) $(printf '%03d' 7) $(printf '\101')`, differs: []difference{
			{shells: "zsh", real: `"31" "007" "A"`, heed: `"<printf %d 0x1f>" "007" "A"`, why: `zsh's printf takes numbers as expressions, and heed does not compute it there`},
		}},
		{script: `show $(echo 'a b c' | awk '{print $2}')`},
		{script: `show $(echo hello | sed 's/l/L/g')`},
		{script: `show $(seq 3)`},
		{script: `x=$(echo 1; echo 2); show $x "$x"`, shells: "bash sh mksh"},
		{script: `x=1; cat <<EOF | while read l; do show "$l"; done
v=$x \$x $(echo sub)
EOF`},
		{script: `cat <<'EOF' | while read -r l; do show "$l"; done
v=$x \$x $(no)
EOF`},
		{script: `read x <<< 'here string'; show "$x"`, shells: "bash mksh zsh"},
		{script: `echo data > new; show "$(cat new)"`},
		{script: `echo a > n; echo b >> n; show "$(cat n)"`},
		{script: `cat <(echo proc) | { read x; show $x; }`, shells: "bash zsh"},
		{script: `printf -v x '%s-' a b; show $x`, shells: "bash"},
		{script: `echo a > f; cat f | while read x; do show $x; done; echo b >> f; show $(cat f)`, shells: "bash sh mksh"},
		{script: `echo a > f; echo b > f; show "$(cat f)"; : > f; show "[$(cat f)]"`},
		{script: `echo a > f; echo b > g; cat f g > h; show "$(cat h)"`},
		{script: `{ echo a; echo b; } > f; show "$(cat f)"; (echo c; echo d) >> f; show "$(cat f)"`},
		{script: `echo x > "a b"; show a\ *; show "$(cat 'a b')"`},
		{script: `for i in 1 2; do echo $i; done > f; show "$(cat f)"; while read l; do show $l; done < f`},
		{script: `exec 3> f; echo a >&3; echo b >&3; exec 3>&-; show "$(cat f)"`},
		{script: `echo a 3> f >&3; show "$(cat f)"`},
		{script: `{ echo out; echo err >&2; } 2>&1 | while read x; do show $x; done`},
		{script: `x=$(echo err 2>&1 >/dev/null); show "[$x]"; x=$(echo err >&2 2>&1); show "[$x]"`},
		{script: `x=$({ echo e >&2; } 2>&1); show $x; x=$( { echo o; echo e >&2; } 2>&1 >/dev/null); show $x`},
		{script: `echo a &> f; show "$(cat f)"; echo b &>> f; show "$(cat f)"`, shells: "bash zsh"},
		{script: `echo a >& f; show "$(cat f)"`, shells: "bash zsh"},
		{script: `echo abcdef > f; echo xy 1<> f; show "$(cat f)"`},
		{script: `cat < a.txt > f; show "$(cat f)"; < f read x; show $x; > g; [ -e g ] && show made`},
		{script: `cat <<-EOF > f
	a
		b
	EOF
show "$(cat f)"`},
		{script: "cat <<'E F' > f\n$x `a` \\b\nE F\nshow \"$(cat f)\""},
		{script: `x=1; cat <<E"O"F > f
$x \$x
EOF
show "$(cat f)"`},
		{script: "x=1; cat <<EOF > f\n$x \\$x \\\\ \\a \"q\" 'q' $((x+1)) `echo b`\nEOF\nshow \"$(cat f)\""},
		{script: `cat <<A > f; cat <<B > g
a
A
b
B
show "$(cat f)" "$(cat g)"`},
		{script: `cat <<EOF | tr a b > f
aa
EOF
show "$(cat f)"`},
		{script: `f() { cat; }; f <<EOF > g
in
EOF
show "$(cat g)"`},
		{script: `cat <<EOF > f
a\
b
EOF
show "$(cat f)"`},
		{script: `cat <<'EOF' > f
a\
b
EOF
show "$(cat f)"`},
		{script: `cat <<< "a b" > f; show "$(cat f)"; x='c  d'; cat <<< $x > f; show "$(cat f)"`, shells: "bash mksh zsh"},
		{script: `if true; then echo y; fi > f; case a in a) echo z;; esac >> f; show "$(cat f)"`},
		{script: `f() { echo hi; } > g; f; show "$(cat g)"`},
		{script: `x=f; echo a > $x; echo b > "$x.2"; show *f*`},
		{script: `echo a > sub/n; cd sub; show *; show "$(cat n)"`},
		{script: `exec > f; echo a; exec >/dev/null; show "$(cat f)"`},
		{script: `exec 3>&1 > f; echo a; exec >&3 3>&-; show "$(cat f)"`},
		{script: `exec 4<<EOF
l1
EOF
read x <&4; show $x`},
		{script: `exec {fd}> f; echo a >&$fd; exec {fd}>&-; show "$(cat f)"`, shells: "bash zsh"},
		{script: `exec 3<> f; echo abc >&3; exec 3>&-; show "$(cat f)"`},
		{script: `printf 'a\nb\n' > f; exec 3< f; read x <&3; read y <&3; show $x $y`},
		{script: `printf 'a\nb\n' > f; { read x; read y; } < f; show $x $y`},
		{script: `printf 'a\nb\n' > f; while read -u 3 x; do show $x; done 3< f`, shells: "bash mksh zsh", differs: []difference{
			{shells: "mksh", real: ``, heed: `"$x"`, why: `mksh takes the number only in the same word: the call is refused, and heed says neither`},
		}},
		{script: `printf 'a\nb\n' > f; while read x <&3; do show $x; done 3< f`},
		{script: `show "$(cat <(echo a) <(echo b))"`, shells: "bash zsh"},
		{script: `while read x; do show $x; done < <(printf '1\n2\n')`, shells: "bash zsh"},
		{script: `x=0; while read l; do x=$l; done < <(printf '1\n2\n'); show $x`, shells: "bash zsh"},
		{script: `. <(echo 'y=5'); show $y`, shells: "bash zsh"},
		{script: `coproc echo out; read x <&${COPROC[0]}; show "$x"`, shells: "bash"},
		{script: `coproc N { echo out; }; read x <&${N[0]}; show "$x"`, shells: "bash"},
		{script: `echo out |& read -p x; show end`, shells: "mksh"},
		{script: `{ echo a; echo b >&2; } |& while read x; do show $x; done`, shells: "bash zsh"},
		{script: `echo a > f > g; show "[$(cat f)]" "$(cat g)"`, shells: "bash sh mksh"},
		{script: `echo a > f > g; show "$(cat f)" "$(cat g)"`, shells: "zsh"},
		{script: `cat < a.txt < b.txt > f; show "$(cat f)"`, shells: "bash sh mksh"},
		{script: `echo 'show hi' > s; sh < s; sh -s a < s`},
		{script: `echo 'show "$1" "$#"' | sh -s p q; echo 'show $0' | sh`},
		{script: `cat nonexist 2>/dev/null || show failed; cat < nonexist || show failed2`},
		{script: `echo a >/dev/stderr; echo b >/dev/null; show done`},
		{script: `show $(echo a; echo b) "$(echo a; echo b)"`},
		{script: `show $(echo "a b") "$(echo "a b")"`, shells: "bash sh mksh"},
		{script: "show `echo a\\\\\\\\b` $(echo 'a\\\\b') `echo \"\\$HOME\" | cut -c1`", shells: "bash sh mksh"},
		{script: "show \"`echo \"a b\"`\" `echo \\`echo deep\\``"},
		{script: `show $(x=1; echo $x) ${x-unset}`},
		{script: `show $( (echo a) ) $( { echo b; } )`},
		{script: `show "$(printf 'a\n\n\nb\n\n')"`},
		{script: `x=$(cat <<EOF
doc $((1+1))
EOF
); show "$x"`},
		{script: `show $(echo ')' '(' ) $(echo "#" x) # c`},
		{script: `show $(cd sub; pwd | sed 's/.*\///') $(pwd | sed 's/.*\///' | wc -l)`, shells: "bash sh mksh"},
		{script: `show ${ echo a; }`, shells: "mksh"},
		{script: `x=a; show ${ x=b; echo c; } $x`, shells: "mksh"},
		{script: `show ${| REPLY=r; }`, shells: "mksh"},
		{script: `exec > f; echo a; echo b; exec > g; echo c; show "$(cat f)" "$(cat g)"`},
		{script: `exec 3>&1 > f; echo a; exec >&3; echo b; show "$(cat f)"`},
		{script: `(exec > f; echo a); echo b > g; show "$(cat f)" "$(cat g)"`},
		{script: `f() { exec > g; echo a; }; (f; echo b); show "$(cat g)"`},
		{script: `x=$(exec > f; echo a); show "[$x]" "$(cat f)"`},
		{script: `{ exec > f; echo a; }; echo b; show "$(cat f)"`},
		{script: `exec > s; echo 'show made'; sh s`},
		{script: `printf 'abcdef' > f; printf 'xy' 1<> f; show "$(cat f)"; exec 3<> f; printf Q >&3; printf R >&3; show "$(cat f)"`},
		{script: "cat <<E > f\na\\$b \\\\ \\` \\x\nE\nshow \"$(cat f)\""},
		{script: `cat <<'E' > f
a\$b \\
E
show "$(cat f)"; cat <<\E > f
$HOME \$
E
show "$(cat f)"`},
		{script: `cat <<-"E" > f
	$x
	E
show "$(cat f)"`},
		{script: `sh <<E
show \$HOME $(echo sub) \$(echo in)
E`},
		{script: `{ echo out; echo err >&2; } > f 2> g; show "$(cat f)"`},
		{script: `echo hi >f 2>&1; show "$(cat f)"; echo no 2>/dev/null >g; show "[$(cat g)]"`},
		{script: `>f show a; 2>&1 show b; x=1; >f show c $x`},
		{script: `printf "alpha\n" > f; exec 3< f; read x <&3; show $x; exec 3<&-`},
	}
}
