package db

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"
)

// mongoReading are the methods and functions of the MongoDB shell that only read, and
// those of JavaScript that only compute (MongoDB 8, "mongosh Methods"; ECMAScript).
// What is not listed may change something.
const mongoReading = ` aggregate allowDiskUse batchSize close collation comment conf config count countDocuments currentOp dataSize distinct estimatedDocumentCount explain find findOne forEach
getCollection getCollectionInfos getCollectionNames getCollections getDB getDBNames getIndexes getIndexKeys getLogComponents getMongo getName getProfilingStatus getReplicationInfo getRole getRoles getShardDistribution getSiblingDB getUser
getUsers getVersion hasNext hello help hint hostInfo isCapped isMaster itcount latencyStats limit listCommands listDatabases listShards map max maxTimeMS min next objsLeftInBatch pretty printCollectionStats printReplicationInfo
printSecondaryReplicationInfo printShardingStatus print printjson printjsononeline projection readConcern readPref returnKey secondaryOk serverBuildInfo serverCmdLineOpts serverStatus showRecordId size skip sort stats status storageSize
tailable toArray totalIndexSize totalSize validate version
BinData BSONRegExp Date DBRef Decimal128 Double Int32 ISODate Long MaxKey MinKey NumberDecimal NumberInt NumberLong ObjectId Timestamp UUID HexData
Array Boolean Number Object RegExp Set String abs assign at ceil concat endsWith entries every filter flat flatMap floor from fromEntries getDate getFullYear getHours getMonth getTime getTimestamp has includes indexOf isArray isInteger join keys
lastIndexOf match now parse parseFloat parseInt pow push quit exit reduce repeat replace reverse round slice some split sqrt startsWith str stringify substr substring test toFixed toISOString toLocaleString toLowerCase toString toUpperCase
trim valueOf values if for while function return typeof catch switch in of `

// mongoReads reports whether a script of the MongoDB shell surely only reads: it calls
// nothing but what is listed, by name, and no stage of a pipeline writes.
func mongoReads(text string) bool {
	switch word, _, _ := strings.Cut(strings.TrimSpace(text), " "); word {
	case "edit", "snippet": // an editor; packages from a registry
		return false
	}
	for _, stage := range []string{"$out", "$merge", "\\u", "\\x", "`", "process", "$function", "$accumulator"} {
		if strings.Contains(text, stage) {
			return false
		}
	}
	var quote byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '+' && strings.Contains(text, "aggregate"): // a stage may be put together
			return false
		case c == '=' && mongoSets(text, i):
			return false
		case c == '(' && !mongoCalls(strings.TrimRight(text[:i], " \t\n"), text[i+1:]):
			return false
		}
	}
	return quote == 0
}

// mongoSets reports whether the sign at i may set a property of something: a setting of
// the shell, a field that is saved later.
func mongoSets(text string, i int) bool {
	if strings.IndexByte("=><!", text[max(0, i-1)]) >= 0 || i+1 < len(text) && (text[i+1] == '=' || text[i+1] == '>') {
		return false
	}
	left := strings.TrimRight(text[:i], " \t\n+-*/")
	start := len(left)
	for start > 0 && (site.NameByte(left[start-1]) || left[start-1] == '.' || left[start-1] == ']' || left[start-1] == '[') {
		start--
	}
	return strings.ContainsAny(left[start:], ".[")
}

// mongoCommands are the commands of the server that only tell (MongoDB 8, "Database
// Commands").
const mongoCommands = ` ping hello isMaster ismaster buildInfo buildinfo serverStatus dbStats collStats connectionStatus connPoolStats hostInfo listCollections listDatabases listIndexes getLog getCmdLineOpts getParameter
replSetGetStatus replSetGetConfig top features currentOp `

// mongoCalls reports whether what stands before a parenthesis is a call that only
// reads, or no call.
func mongoCalls(before, args string) bool {
	start := len(before)
	for start > 0 && (site.NameByte(before[start-1]) || before[start-1] == '$') {
		start--
	}
	name := before[start:]
	if name == "" { // a group, or the call of what an expression gives
		return before == "" || strings.IndexByte(")]", before[len(before)-1]) < 0
	}
	if name == "runCommand" || name == "adminCommand" {
		command, _, _ := strings.Cut(strings.TrimLeft(args, "{ \"'"), ":")
		return slices.Contains(strings.Fields(mongoCommands), strings.TrimRight(command, " \"'"))
	}
	if slices.Contains([]string{"forEach", "map", "filter", "reduce", "some", "every", "flatMap"}, name) && !mongoCallback(strings.TrimLeft(args, " \t\n")) {
		return false
	}
	return slices.Contains(strings.Fields(mongoReading), name)
}

// mongoCallback reports whether what a method calls for each element is written in its
// place, where it is read like the rest, or a function that only reads.
func mongoCallback(args string) bool {
	end := 0
	for end < len(args) && site.NameByte(args[end]) {
		end++
	}
	name, rest := args[:end], strings.TrimLeft(args[end:], " \t\n")
	switch {
	case name == "function" || name == "async":
		return true
	case name == "": // (a, b) => …, {…}, or nothing
		return args == "" || strings.IndexByte("({)", args[0]) >= 0
	case strings.HasPrefix(rest, "=>"):
		return true
	}
	return strings.HasPrefix(rest, ")") && slices.Contains(strings.Fields(mongoReading), name)
}
