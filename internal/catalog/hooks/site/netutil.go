package site

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// NetScheme returns the scheme of a URL in lower case, or "" if none is written.
func NetScheme(v value.Value) string {
	scheme, _, ok := strings.Cut(v.Prefix(), "://")
	if !ok || strings.ContainsAny(scheme, "/?#. ") {
		return ""
	}
	return strings.ToLower(scheme)
}

// NetHost returns the host that a URL or host word names (RFC 3986 section
// 3.2), or "" if it is not known.
func NetHost(v value.Value) string {
	text := v.Prefix()
	if _, rest, ok := strings.Cut(text, "://"); ok {
		text = rest
	}
	end := strings.IndexAny(text, "/?#")
	if end < 0 && !v.IsKnown() {
		// A host that may go on in the part that is not known is not known,
		// unless only the port or path is.
		if i := strings.LastIndexByte(text, ':'); i <= strings.LastIndexByte(text, '@') {
			return ""
		}
	}
	if end >= 0 {
		text = text[:end]
	}
	text = text[strings.LastIndexByte(text, '@')+1:]
	if strings.HasPrefix(text, "[") {
		host, _, _ := strings.Cut(text[1:], "]")
		return strings.ToLower(host)
	}
	if strings.Count(text, ":") == 1 {
		text, _, _ = strings.Cut(text, ":")
	}
	return strings.ToLower(strings.TrimSuffix(text, "."))
}

// NetLoopback reports whether a host is surely this machine (RFC 6761 section
// 6.3 for localhost, RFC 1122 section 3.2.1.3 for 127/8).
func NetLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") || host == "0.0.0.0" {
		return true
	}
	rest, ok := strings.CutPrefix(host, "127.")
	return host == "::1" || ok && strings.Trim(rest, ".0123456789") == ""
}

// NetBase returns the name under which a URL is saved by default: what stands
// after the last slash of its path.
func NetBase(v value.Value) value.Value {
	if text, ok := v.Known(); ok {
		return value.Lit(NetBaseName(text))
	}
	if i := strings.LastIndexByte(v.Suffix(), '/'); i >= 0 && i+1 < len(v.Suffix()) {
		name, _, _ := strings.Cut(v.Suffix()[i+1:], "?")
		return value.Lit(name)
	}
	return value.Concat(value.Lit("./"), value.Of(value.Hole{Cause: risk.CauseOther, Name: "file name in the URL", Shape: value.Word}))
}

// NetBaseName is the last part of a URL's path.
func NetBaseName(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	}
	if i := strings.IndexAny(url, "?#"); i >= 0 {
		url = url[:i]
	}
	i := strings.LastIndexByte(url, '/')
	if i < 0 {
		return ""
	}
	return url[i+1:]
}

// NetFile returns the path that a file: URL names (RFC 8089).
func NetFile(v value.Value) (value.Value, bool) {
	text := v.Prefix()
	if len(text) < 5 || !strings.EqualFold(text[:5], "file:") {
		return value.Value{}, false
	}
	text = text[5:]
	if rest, ok := strings.CutPrefix(text, "//"); ok {
		slash := strings.IndexByte(rest, '/')
		if slash < 0 && !v.IsKnown() {
			slash = len(rest)
		}
		if slash < 0 {
			return value.Value{}, false
		}
		text = rest[slash:]
	}
	return v.Cut(len(v.Prefix()) - len(text)), true
}

// NetJoin puts a file name below a directory, if one is given.
func NetJoin(dir value.Value, given bool, name value.Value) value.Value {
	if !given || dir.Empty() || strings.HasPrefix(name.Prefix(), "/") {
		return name
	}
	sep := "/"
	if strings.HasSuffix(dir.Suffix(), "/") {
		sep = ""
	}
	return value.Concat(dir, value.Lit(sep), name)
}

// NetIs reports whether v is surely the given text.
func NetIs(v value.Value, text string) bool {
	s, known := v.Known()
	return known && s == text
}

// Filled returns a text with a word where it is not known.
func Filled(v value.Value) string {
	return v.Fill(func(*value.Hole) string { return "heed_hole" })
}

// NetBlank reports whether v is surely nothing but white space.
func NetBlank(v value.Value) bool {
	s, known := v.Known()
	return known && strings.TrimSpace(s) == ""
}

// SendsStdin says that what is piped in goes to the named host; without a
// pipe the spec's own connection is all there is.
func SendsStdin(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	host, ok := m.Value("host")
	if !ok || !s.HasStdin || NetBlank(s.Stdin) || m.Has("no-stdin") {
		return
	}
	r.ReadsStdin = true
	r.Effects = append(r.Effects, catalog.Effect{
		Verb: risk.NetSend, Target: host, Arg: "host", Carries: []catalog.Source{{Stdin: true}},
	})
}

// SiteEnv returns a variable that the invocation has.
func SiteEnv(s *catalog.Site, name string) (value.Value, bool) {
	if s.Env == nil {
		return value.Value{}, false
	}
	v, set, _ := s.Env(name)
	return v, set && !v.Empty()
}

// Input is what stands on standard input: of a file that is redirected there,
// its text.
func Input(s *catalog.Site) value.Value {
	in := s.Stdin
	if holes := in.Holes(); len(holes) != 1 || len(in.Parts()) != 1 || holes[0].Cause != risk.CauseFile || in.Taint().Has(value.Network|value.Secret) || !strings.HasPrefix(holes[0].Name, "/") {
		return in
	} else if text, ok := SiteFile(s, value.Lit(holes[0].Name)); ok {
		return value.Lit(text).With(in.Taint())
	}
	return in
}

// MadeHere is what this command itself put into a file, if it did.
func MadeHere(s *catalog.Site, name string) (v value.Value, known, ok bool) {
	if o, is := s.World.FS.(*overlay.FS); is {
		return o.Content(name)
	}
	return v, false, false
}

const maxSiteFile = 256 << 10 // bytes of a script that a hook reads

// SiteFile returns the text of a file that the command would read, if the
// world is there to be asked.
func SiteFile(s *catalog.Site, v value.Value) (string, bool) {
	name, known := v.Known()
	if !known || s.World == nil || s.World.FS == nil || name == "" {
		return "", false
	}
	if !strings.HasPrefix(name, "/") {
		if s.Dir == "" {
			return "", false
		}
		name = s.Dir + "/" + name
	}
	b, err := s.World.FS.ReadFile(path.Clean(name), maxSiteFile)
	return string(b), err == nil
}

// dataStores are the ports on which services that keep data listen unless they
// are told otherwise, by the service's manual: what is deleted there is gone,
// on this machine too.
var dataStores = once.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"2375": "Docker", "2379": "etcd", "3100": "Loki", "4001": "rqlite", "5000": "a container registry", "5984": "CouchDB", "6333": "Qdrant",
		"7474": "Neo4j", "7700": "Meilisearch", "8001": "Kong", "8086": "InfluxDB", "8098": "Riak", "8108": "Typesense", "8123": "ClickHouse",
		"8200": "Vault", "8428": "VictoriaMetrics", "8444": "Kong", "8500": "Consul", "8529": "ArangoDB", "8983": "Solr", "9000": "MinIO", "9090": "Prometheus",
		"9092": "Kafka", "9180": "APISIX", "9200": "Elasticsearch", "15672": "RabbitMQ", "19530": "Milvus",
	}
}}

// IsDataStore reports whether a URL leads to a service that keeps data, by its
// port.
func IsDataStore(url value.Value) bool {
	text := url.Prefix()
	if _, rest, ok := strings.Cut(text, "://"); ok {
		text = rest
	}
	if end := strings.IndexAny(text, "/?#"); end >= 0 {
		text = text[:end]
	}
	colon := strings.LastIndexByte(text, ':')
	return colon >= 0 && dataStores.Get()[text[colon+1:]] != ""
}

// NameByte reports whether a byte may stand in a name.
func NameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// NetWords returns the words in the place called "word", as text.
func NetWords(m *catalog.Match) []string {
	var all []string
	for _, v := range m.Values("word") {
		all = append(all, v.String())
	}
	return all
}

// NetAdd adds an effect on no particular thing.
func NetAdd(r *catalog.Result, verb risk.Verb, detail risk.Kind) {
	r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Kind: detail})
}
