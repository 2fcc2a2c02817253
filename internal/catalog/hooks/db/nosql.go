package db

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/sqleffect"
	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// redisTells are the commands with a subcommand that only tell, or are about this
// connection alone (redis.io/docs/latest/commands).
const redisTells = " ACL WHOAMI  ACL LIST  ACL USERS  ACL GETUSER  ACL CAT  ACL GENPASS  ACL DRYRUN  ACL LOG  ACL HELP " +
	" CLIENT LIST  CLIENT INFO  CLIENT ID  CLIENT GETNAME  CLIENT GETREDIR  CLIENT TRACKINGINFO  CLIENT SETNAME  CLIENT SETINFO  CLIENT HELP " +
	" LATENCY LATEST  LATENCY HISTORY  LATENCY DOCTOR  LATENCY GRAPH  LATENCY HISTOGRAM  LATENCY HELP " +
	" MEMORY USAGE  MEMORY STATS  MEMORY DOCTOR  MEMORY MALLOC-STATS  MEMORY HELP " +
	" SLOWLOG GET  SLOWLOG LEN  SLOWLOG HELP  OBJECT ENCODING  OBJECT FREQ  OBJECT IDLETIME  OBJECT REFCOUNT  OBJECT HELP "

// redisVerb says what a Redis command does (redis.io/docs/latest/commands).
func redisVerb(words []string) (risk.Verb, risk.Kind) {
	at := func(i int) string {
		if i < len(words) {
			return strings.ToUpper(words[i])
		}
		return ""
	}
	switch at(0) {
	case "FLUSHALL", "FLUSHDB":
		return risk.DBDestroy, risk.KindEveryKey
	case "DEL", "UNLINK", "GETDEL", "JSON.DEL", "JSON.FORGET", "EXPIRE", "PEXPIRE", "EXPIREAT", "PEXPIREAT":
		return risk.DBChange, risk.KindKeys // those that it names
	case "FT.DROPINDEX", "FT.DROP", "XTRIM", "LTRIM", "RESTORE":
		return risk.DBDestroy, risk.KindKeys
	case "SHUTDOWN", "DEBUG", "REPLICAOF", "SLAVEOF", "FAILOVER", "SWAPDB", "MIGRATE":
		return risk.DBDestroy, risk.KindTheServerSData
	case "MODULE":
		if at(1) == "LIST" || at(1) == "HELP" {
			return risk.DBRead, risk.NoKind
		}
		return risk.DBChange, risk.KindModule
	case "CONFIG":
		if at(1) == "GET" || at(1) == "HELP" {
			return risk.DBRead, risk.NoKind
		}
		switch at(2) {
		case "DIR", "DBFILENAME", "PROTECTED-MODE", "REQUIREPASS", "BIND":
			return risk.DBDestroy, risk.KindWhereOrHowTheServerKeepsItsData
		}
		return risk.DBChange, risk.KindConfiguration
	case "SCRIPT", "FUNCTION":
		if strings.HasPrefix(at(1), "FLUSH") || at(1) == "DELETE" {
			return risk.DBDestroy, risk.KindFunctions
		}
		return risk.DBChange, risk.NoKind
	case "CLUSTER":
		switch at(1) {
		case "RESET", "FORGET", "FLUSHSLOTS", "DELSLOTS", "FAILOVER":
			return risk.DBDestroy, risk.KindCluster
		case "INFO", "NODES", "SLOTS", "SHARDS", "KEYSLOT", "MYID", "COUNTKEYSINSLOT", "GETKEYSINSLOT", "LINKS":
			return risk.DBRead, risk.NoKind
		}
		return risk.DBChange, risk.KindCluster
	case "XINFO", "COMMAND", "PUBSUB":
		return risk.DBRead, risk.NoKind
	case "ACL", "CLIENT", "LATENCY", "MEMORY", "SLOWLOG", "OBJECT":
		if strings.Contains(redisTells, " "+at(0)+" "+at(1)+" ") && at(2) != "RESET" {
			return risk.DBRead, risk.NoKind
		}
		return risk.DBChange, risk.NoKind
	case "GET", "MGET", "KEYS", "SCAN", "INFO", "PING", "TTL", "PTTL", "TYPE", "EXISTS", "DBSIZE", "HGET", "HGETALL", "HKEYS", "HVALS", "HLEN", "HMGET", "HSCAN",
		"HEXISTS", "LRANGE", "LLEN", "LINDEX", "LPOS", "SMEMBERS", "SCARD", "SISMEMBER", "SMISMEMBER", "SSCAN", "SRANDMEMBER", "SINTER", "SUNION", "SDIFF", "ZRANGE", "ZSCORE",
		"ZCARD", "ZCOUNT", "ZRANK", "ZREVRANGE", "ZRANGEBYSCORE", "ZSCAN", "STRLEN", "GETRANGE", "XRANGE", "XREVRANGE", "XLEN", "XREAD", "TIME", "ECHO", "LASTSAVE",
		"ROLE", "MONITOR", "SUBSCRIBE", "PSUBSCRIBE", "DUMP", "RANDOMKEY", "BITCOUNT", "GETBIT", "PFCOUNT", "GEOPOS", "GEODIST", "GEOSEARCH", "SELECT", "AUTH", "HELLO",
		"READONLY", "JSON.GET", "JSON.TYPE", "FT.SEARCH", "FT.INFO", "FT._LIST", "EXPIRETIME", "WAIT", "QUIT", "MULTI", "EXEC", "DISCARD", "WATCH", "UNWATCH", "HELP", "EVAL_RO", "EVALSHA_RO":
		return risk.DBRead, risk.NoKind
	}
	return risk.DBChange, risk.NoKind
}

// redisHook reads the command given as words, or commands on standard input.
func redisHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	target := redisTarget(m)
	listed := slices.ContainsFunc(m.Values("word"), listedKeys)
	add := func(words []string) {
		verb, detail := redisVerb(words)
		if detail == risk.KindKeys && listed || redisSweep(words) {
			verb, detail = risk.DBDestroy, risk.KindEveryKeyThatIsListed
		}
		if detail == risk.KindModule && len(words) > 2 && strings.EqualFold(words[1], "LOAD") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: value.Lit(words[2])})
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: target, Arg: "host", Kind: detail})
		if secret := redisSecret(words); secret != "" {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SecretRead, Target: value.Lit(secret), Arg: "word"})
		}
	}
	words := m.Values("word")
	if script, ok := m.Value("script"); ok {
		text, _ := site.SiteFile(s, script)
		add([]string{"EVAL", text})
		return
	}
	switch {
	case m.Has("scan"):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DBRead, Target: target, Arg: "host"})
	case m.Has("cluster"):
		add(append([]string{"CLUSTER-MANAGER"}, m.Values("cluster")[0].String()))
	case len(words) > 0:
		var texts []string
		for _, w := range words {
			texts = append(texts, site.Filled(w))
		}
		if len(texts) == 1 { // one quoted word is read as a line
			texts = strings.Fields(texts[0])
		}
		if len(texts) > 0 {
			add(texts)
		}
	case s.HasStdin:
		r.ReadsStdin = true
		in := site.Input(s)
		if in.Len() == 0 {
			add([]string{""})
			return
		}
		for line := range strings.Lines(site.Filled(in)) {
			if texts := strings.Fields(line); len(texts) > 0 {
				add(texts)
			}
		}
	default:
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DBRead, Target: target, Arg: "host"})
	}
}

// redisSecret is the password among the settings that a command shows, or "" (redis.conf,
// "requirepass").
func redisSecret(words []string) string {
	if len(words) > 1 && strings.EqualFold(words[0], "ACL") && (strings.EqualFold(words[1], "LIST") || strings.EqualFold(words[1], "GETUSER")) {
		return "password hashes of the database's accounts"
	}
	if len(words) < 3 || !strings.EqualFold(words[0], "CONFIG") || !strings.EqualFold(words[1], "GET") {
		return ""
	}
	for _, pattern := range words[2:] {
		for _, name := range []string{"requirepass", "masterauth", "tls-key-file-pass", "tls-client-key-file-pass"} {
			if shown, err := path.Match(strings.ToLower(pattern), name); err != nil || shown {
				return name
			}
		}
	}
	return ""
}

// listedKeys reports whether a word stands for names that another command
// listed: of how many keys is not known.
func listedKeys(v value.Value) bool {
	return v.HasCause(risk.CauseInput) || v.HasCause(risk.CauseOutput) || v.HasCause(risk.CauseMatch) || v.HasCause(risk.CauseLoop)
}

// redisSweep reports whether a script deletes the keys that it looks for.
func redisSweep(words []string) bool {
	if len(words) < 2 || !strings.EqualFold(words[0], "EVAL") {
		return false
	}
	text := strings.ToLower(words[1])
	finds := strings.Contains(text, "'keys'") || strings.Contains(text, `"keys"`) || strings.Contains(text, "'scan'") || strings.Contains(text, `"scan"`)
	deletes := strings.Contains(text, "'del'") || strings.Contains(text, `"del"`) || strings.Contains(text, "'unlink'") || strings.Contains(text, `"unlink"`)
	return finds && deletes || strings.Contains(text, "'flushall'") || strings.Contains(text, "'flushdb'")
}

// redisTarget names the server for people, without a password.
func redisTarget(m *catalog.Match) value.Value {
	if uri, ok := m.Value("uri"); ok {
		if db, ok := sqleffect.Connection(sql.Any, uri); ok {
			return db.Name
		}
		return value.Lit(site.NetHost(uri))
	}
	host, _ := m.Value("host")
	if db, ok := m.Value("number"); ok && !host.Empty() {
		return value.Concat(db, value.Lit(" at "), host)
	}
	return host
}

// mongoHook reads the JavaScript that is given to mongosh or mongo.
func mongoHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	target := dbTarget(m, s, sql.Any, "", "", "MONGODB_URI").Name
	given := false
	for _, v := range m.Values("code") {
		given = true
		mongoCode(site.Filled(v), v, target, r)
	}
	scripts := m.Values("script")
	for _, v := range m.Values("database") { // the first operand may be a script, too
		if text, _ := v.Known(); strings.HasSuffix(text, ".js") || strings.HasSuffix(text, ".mongodb") {
			scripts = append(slices.Clone(scripts), v)
		}
	}
	for _, v := range scripts {
		given = true
		text, ok := site.SiteFile(s, v)
		if !ok {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DBChange, Target: target, Kind: risk.KindStatementsInAFile})
			continue
		}
		mongoCode(text, value.Lit(text), target, r)
	}
	switch {
	case given:
	case s.HasStdin && site.Input(s).Len() > 0:
		r.ReadsStdin = true
		in := site.Input(s)
		mongoCode(site.Filled(in), in, target, r)
	case s.HasStdin:
		r.ReadsStdin = true
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DBChange, Target: target, Kind: risk.KindStatementsFromStandardInput})
	default:
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DBRead, Target: target})
	}
}

// mongoCode looks for the shell methods that destroy or change data (MongoDB
// manual, mongosh Methods), and for ways out of the shell.
func mongoCode(text string, v, target value.Value, r *catalog.Result) {
	squeezed := strings.Join(strings.Fields(text), "")
	e := catalog.Effect{Verb: risk.DBRead, Target: target, Arg: "code"}
	if !mongoReads(text) {
		e.Verb = risk.DBChange
	}
	if strings.Contains(squeezed, "system.users") || strings.Contains(squeezed, "showCredentials") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SecretRead, Target: value.Lit("password hashes of the database's accounts")})
	}
	for _, word := range []string{
		".dropDatabase(", ".drop(", ".deleteMany({})", ".deleteMany()", ".remove({})", ".remove()", ".deleteMany({},", ".remove({},", ".dropAllUsers(", ".dropAllRoles(", ".dropUser(", ".updateMany({},",
		"dropDatabase:", "drop:", ".shutdownServer(", ".remove({}", `"drop":`, `"dropDatabase":`,
	} {
		if strings.Contains(squeezed, word) {
			e.Verb, e.Kind = risk.DBDestroy, risk.KindDrop
		}
	}
	r.Effects = append(r.Effects, e)
	if strings.Contains(squeezed, "showCredentials") && !strings.Contains(squeezed, "showCredentials:false") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SecretRead, Target: target, Arg: "code"})
	}
	for _, word := range []string{".grantRolesToUser(", ".grantRolesToRole(", ".grantPrivilegesToRole(", `role:"root"`, "role:'root'", "AnyDatabase", `"dbOwner"`, "'dbOwner'", `"__system"`} {
		if e.Verb != risk.DBRead && strings.Contains(squeezed, word) {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PrivGain, Target: target, Kind: risk.KindRole})
			break
		}
	}
	for _, word := range []string{"require(", "child_process", "process.", "eval(", "run(", "runProgram(", "import(", "fs.", "load(", "runNonMongoProgram(", "cat(", "Function("} {
		if i := strings.Index(squeezed, word); i == 0 || i > 0 && (word == "child_process" || !site.NameByte(squeezed[i-1])) {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "javascript", Text: v})
			return
		}
	}
}

// behindDashes runs what stands behind "--": etcdctl watch KEY [END] -- COMMAND.
func behindDashes(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	at := slices.IndexFunc(s.Args, func(v value.Value) bool { return site.NetIs(v, "--") })
	if at >= 0 && at+1 < len(s.Args) {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunArgv, Argv: s.Args[at+1:], Wrap: m.Wrapped()})
	}
}
