package pure

import "testing"

func TestJq(t *testing.T) {
	t.Parallel()
	const doc = `{"a":{"b":[1,2.5,{"c":"x\ty\"é"}]},"n":null,"t":true,"a-b":"q","e":[],"o":{},"s":"cm0gLXJmIC8="}`
	s := setting{dir: testDir(t), locale: "C.UTF-8"}
	s.checkAll(t, []row{
		{"jq .", doc},
		{"jq -c .", doc},
		{"jq -S .", doc},
		{"jq .a", doc},
		{"jq .a.b[0]", doc},
		{"jq -r .a.b[2].c", doc},
		{"jq .a.b[2].c", doc},
		{"jq '.a[\"b\"][1]'", doc},
		{"jq '.[\"a-b\"]'", doc},
		{"jq -r '.\"a-b\"'", doc},
		{"jq .nope", doc},
		{"jq .n.x", doc},
		{"jq '.a.b[]'", doc},
		{"jq -c '.a.b | .[2]'", doc},
		{"jq .a.b[-1].c", doc},
		{"jq .a.b[9]", doc},
		{"jq '.a.b|length'", doc},
		{"jq -c keys", doc},
		{"jq -r '.s|@base64d'", doc},
		{"jq '.s | @base64'", doc},
		{"jq -r .[]", "[\"a\",\"b\"]"},
		{"jq -j .[]", "[\"a\",\"b\",1]"},
		{"jq .", "1 2\n\"x\""},
		{"jq -R .", "a\nb\"c"},
		{"jq -nr '\"aGk=\"|@base64d'", ""},
		{"jq .e", doc},
		{"jq .o", doc},
		{"jq .t", doc},
		{"jq '.t.x?'", doc},
		{"jq -c .", "{\"a\":1,\"a\":2}"},
		{"jq .", ""},
		{"jq -r .[0].x", "[{\"x\":\"y\"}]"},
	})
	s.refuse(t, []row{
		{"jq .t.x", doc}, {"jq .", "{"}, {"jq .", "1e400"}, {"jq .", "1.10"}, {"jq 'map(.)'", "[]"}, {"jq -e .", "null"}, {"jq '\"\\(1)\"'", "1"}, {"jq .a.", doc}, {"jq env", "1"}, {"jq 'input'", "1"},
	})
}
