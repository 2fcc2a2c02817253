package posix_test

// wordRows are about quoting, tildes and braces (word.go).
func wordRows() []row {
	return []row{
		{script: `show 'a b' "c d" e\ f`},
		{script: `show "a\"b" 'a\b' "a\$b" "a\\b" "a\nb"`},
		{script: `show a"b"'c'd`},
		{script: `show "" ''`},
		{script: `show \-\r`},
		{script: `show $'a\tb' $'\x41\102\u0043' $'it\'s'`, shells: "bash mksh zsh"},
		{script: `show a\
b`},
		{script: `show "a
b"`},
		{script: `show # comment`},
		{script: `show a#b '#' "#"`},
		{script: `show a{b,c}d`, shells: "bash mksh zsh"},
		{script: `show {1..4} {a..c}`, shells: "bash zsh"},
		{script: `show {01..03} {5..1..2}`, shells: "bash"},
		{script: `show a{b,{c,d}}e`, shells: "bash mksh zsh"},
		{script: `show {a} {} a{,b}`, shells: "bash mksh"},
		{script: `show "{a,b}" '{a,b}' \{a,b\}`},
		{script: `show {a,b}`, shells: "sh"},
		{script: `x=1; show {$x,2}`, shells: "bash zsh"},
		{script: `show 'a'\''b' "a'b" 'a"b'`},
		{script: `show "a\
b" 'a\
b'`},
		{script: "show \"\\$x\" \"\\`\" \"\\\\\" \"\\'\" \"\\a\" \"\\!\""},
		{script: `show \$x \'a\' \"b\" \\ \* \~`},
		{script: `show $"hello $((1+1))"`, shells: "bash mksh"},
		{script: `show $'a\x41b' $'\x4' $'\101\60' $'\e' $'\cA' $'\\' $'\"' $'\?'`, shells: "bash mksh zsh", differs: []difference{
			{shells: "mksh", real: `"aЛ" "\x04" "A0" "\x1b" "\x01" "\\" "\"" "?"`, heed: `"aAb" "\x04" "A0" "\x1b" "\x01" "\\" "\"" "?"`, why: `mksh reads as many digits as follow \x, and zsh has no \c: its is \C-`},
			{shells: "zsh", real: `"aAb" "\x04" "A0" "\x1b" "cA" "\\" "\"" "?"`, heed: `"aAb" "\x04" "A0" "\x1b" "\x01" "\\" "\"" "?"`, why: `mksh reads as many digits as follow \x, and zsh has no \c: its is \C-`},
		}},
		{script: `show $'\u41' $'\u00e9' $'\U0001f600' $'\q' $'a\0b'`, shells: "bash"},
		{script: `show $'\u41' $'\u00e9'`, shells: "mksh zsh"},
		{script: `show $'a'b"c"'d'\e`, shells: "bash mksh zsh"},
		{script: `show "$'a'"`},
		{script: `show "a"#b a"#"b \#c`},
		{script: `show ~/a "~/a" \~/a ~root/b`},
		{script: `x=~/a:~/b; show "$x"`},
		{script: `x=a:~; show "$x"`},
		{script: `show a=~/x --p=~/x`},
		{script: `x='~/a'; show $x "$x"`},
		{script: `x=~; y=$x/c; show "$y"`},
		{script: `show ~+ ~+/a; cd sub; show ~-`, shells: "bash mksh zsh"},
		{script: `show ~nosuchuser_x/a`, shells: "bash sh mksh"},
		{script: `HOME=/h; show ~ ~/x`},
		{script: `show ${HOME:+~/z}`},
		{script: `show a{1..3}b x{a,}y`, shells: "bash mksh zsh"},
		{script: `show {a..e..2} {10..0..5} {3..1}`, shells: "bash zsh", differs: []difference{
			{shells: "zsh", real: `"{a..e..2}" "10" "5" "0" "3" "2" "1"`, heed: `"a" "c" "e" "10" "5" "0" "3" "2" "1"`, why: `zsh has no steps of letters`},
		}},
		{script: `show {-2..2}`, shells: "bash zsh"},
		{script: `show {a,b}{1,2}`, shells: "bash mksh zsh"},
		{script: `show {a,b}.{c,d{e,f}}`, shells: "bash mksh zsh"},
		{script: `show a{,,}b`, shells: "bash mksh zsh"},
		{script: `show {a b} {a,"b c"}`, shells: "bash mksh zsh", differs: []difference{
			{shells: "zsh", real: `unreadable`, heed: `"{a" "b}" "a" "b c"`, why: `zsh takes a lone brace for a reserved word and refuses the line`},
		}},
		{script: `show \{a,b} {a\,b,c}`, shells: "bash mksh zsh", differs: []difference{
			{shells: "zsh", real: `unreadable`, heed: `"{a,b}" "a,b" "c"`, why: `zsh takes a lone brace for a reserved word and refuses the line`},
		}},
		{script: `show ${x:-{a,b}} "${x:-{a,b}}"`, shells: "bash"},
		{script: `x={a,b}; show "$x"`, shells: "bash mksh zsh"},
		{script: `show {01..10..3}`, shells: "bash zsh"},
		{script: `show {*,.h}*`, shells: "bash mksh"},
		{script: `show ~{,/x}`, shells: "bash zsh"},
		{script: `for i in {1..3}; do show $i; done`, shells: "bash zsh"},
		{script: `show {a,b`, shells: "bash mksh zsh"},
		{script: "show {$((1+1)),x} {`echo q`,r}", shells: "bash mksh zsh"},
		{script: `show {1..a} {..} {1.5..2}`, shells: "bash zsh", differs: []difference{
			{shells: "zsh", real: "\"1\" \"2\" \"3\" \"4\" \"5\" \"6\" \"7\" \"8\" \"9\" \":\" \";\" \"<\" \"=\" \">\" \"?\" \"@\" \"A\" \"B\" \"C\" \"D\" \"E\" \"F\" \"G\" \"H\" \"I\" \"J\" \"K\" \"L\" \"M\" \"N\" \"O\" \"P\" \"Q\" \"R\" \"S\" \"T\" \"U\" \"V\" \"W\" \"X\" \"Y\" \"Z\" \"[\" \"\\\\\" \"]\" \"^\" \"_\" \"`\" \"a\" \"{..}\" \"{1.5..2}\"", heed: `"{1..a}" "{..}" "{1.5..2}"`, why: `zsh has ranges from any character to any other`},
		}},
	}
}
