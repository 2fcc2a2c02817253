package eval

import "testing"

func TestR(t *testing.T) { runCases(t, "r", rCases()) }

// FuzzR feeds the tokenizer and all behind it.
func FuzzR(f *testing.F) { fuzzLanguage(f, "r", rCases()) }

func rCases() []scanCase {
	return []scanCase{
		{`print("hi")`, `pure`},
		{`system("rm -rf build")`, `shell: rm -rf build`},
		{`unlink("build", recursive=TRUE)`, `fs.delete build recursive`},
		{`x <- c("a","b"); file.remove(x)`, `fs.delete a; fs.delete b`},
		{`cat(mean(c(1,2,3)), "\n")`, `pure`},
		{`writeLines(readLines("/etc/passwd"))`, `fs.read /etc/passwd shown`},
		{`system2("ls", c("-l"))`, `argv: ls|-l`},
		{`eval(parse(text="system('id')"))`, `shell: id`},
		{`f <- function(x) { x + 1 }; print(f(2))`, `pure`},
		{`system(paste("rm", "-rf", "x"))`, `shell: rm -rf x`},
		{`write.csv(data.frame(a=1), "out.csv")`, `fs.write out.csv`},
		{`base::system("id")`, `shell: id`},
		{`sapply("id", system)`, `shell: <an expression>`},
		{`sapply(c(1,2), length)`, `pure`},
		{`Sys.getenv()`, `env`},
		{`x <- Sys.getenv("HOME")`, `pure`},
		{`q("yes")`, `fs.write .RData`},
		{`q("no")`, `pure`},
		{`format.evil(1)`, `?`},
	}
}

func TestTcl(t *testing.T) { runCases(t, "tcl", tclCases()) }

// FuzzTcl feeds the tokenizer and all behind it.
func FuzzTcl(f *testing.F) { fuzzLanguage(f, "tcl", tclCases()) }

func tclCases() []scanCase {
	return []scanCase{
		{`puts "hi"`, `pure`},
		{`exec rm -rf build`, `argv: rm|-rf|build`},
		{`file delete -force build`, `fs.delete build recursive forced`},
		{`set f [open out w]; puts $f x; close $f`, `fs.write out`},
		{`puts [exec ls]`, `argv: ls`},
		{`set c id; eval exec $c`, `argv: id`},
		{`if {[file exists a]} { file delete a }`, `fs.delete a`},
		{`foreach f {a b} { file delete $f }`, `fs.delete <one of several>`},
		{`socket 10.0.0.1 80`, `net.connect 10.0.0.1:80`},
		{"if 1 {exec\tid}", `argv: id`},
		{`if 1 "exec id"`, `argv: id`},
		{`dict for {k v} {a b} {exec id}`, `?`},
		{`namespace eval x {exec id}`, `argv: id`},
		{`package require evil`, `?`},
		{`package require Tcl; puts [info patchlevel]`, `pure`},
		{`lsort -command exec {id x}`, `?`},
		{`set x {[exec id]}; expr $x`, `argv: id`},
		{`after 0 exec id; update`, `argv: id`},
		{`puts $::env(API_TOKEN)`, `env`},
		{`puts ${env(API_TOKEN)}`, `env`},
		{`puts [array get env]`, `env`},
		{`upvar 0 env e; puts $e(API_TOKEN)`, `env`},
		{`upvar env e; parray e`, `env`},
		{`namespace upvar :: env e; parray e`, `env`},
		{`namespace upvar :: other e; parray e`, `pure`},
		{`set x env; parray $x`, `env`},
		{`puts [string range $env(API_TOKEN) 0 9]`, `env`},
		{`puts [string length $env(API_TOKEN)]`, `pure`},
		{`puts [string toupper $env(LANG)]`, `pure`},
		{`puts [expr {$env(API_TOKEN)}]`, `env`},
		{`puts [append env(API_TOKEN) x]`, `env`},
		{`regexp {(.*)} $env(API_TOKEN) m; puts $m`, `env`},
		{`puts [regexp {x} $env(API_TOKEN)]`, `pure`},
		{`array set m [list a $env(API_TOKEN)]; puts $m(a)`, `env`},
		{`foreach {k v} [array get env] {puts $v}`, `env`},
		{`foreach {k v} {a b} {puts $v}`, `pure`},
		{`set f [open .env]; gets $f l; puts $l`, `fs.read .env shown`},
		{`set f [open .env]; puts [string length [read $f]]`, `fs.read .env`},
		{`set i [open a]; set o [open b w]; puts $o [read $i]`, `fs.read a; fs.write b <- a`},
		{`puts [lsort [split $env(PATH) :]]`, `pure`},
		{`set f x; open ${f} w`, `fs.write x (truncate)`},
		{`file mtime x 0`, `fs.attr x (times)`},
	}
}

func TestAppleScript(t *testing.T) { runCases(t, "applescript", applescriptCases()) }

// FuzzAppleScript feeds the tokenizer and all behind it.
func FuzzAppleScript(f *testing.F) { fuzzLanguage(f, "applescript", applescriptCases()) }

func applescriptCases() []scanCase {
	return []scanCase{
		{`do shell script "rm -rf build"`, `shell: rm -rf build`},
		{"set x to \"id\"\ndo shell script x", `shell: id`},
		{`do shell script "id" with administrator privileges`, `shell: id`},
		{`display notification "hi"`, `pure`},
		{`tell application "Finder" to delete POSIX file "/tmp/x"`, `fs.delete /tmp/x; ?`},
		{"delay 1\nreturn 3", `pure`},
	}
}
