package db

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/risk"
)

// Hook returns the hook that specs call by this name, or nil. A switch costs a
// start nothing; a map would be built each time.
func Hook(name string) catalog.Hook {
	switch name {
	case "behind-dashes":
		return behindDashes
	case "aws-sql":
		return serviceSQL(sql.Any, "the database", false)
	case "bq-sql":
		return serviceSQL(sql.MySQL, "", true)
	case "db-change":
		return dbHook(risk.DBChange)
	case "db-destroy":
		return dbHook(risk.DBDestroy)
	case "db-read":
		return dbHook(risk.DBRead)
	case "db-write":
		return dbHook(risk.DBChange)
	case "hosted-sql":
		return serviceSQL(sql.Any, "the database", true)
	case "mongo":
		return mongoHook
	case "mysql":
		return mysqlHook
	case "project-sql":
		return serviceSQL(sql.Any, "the database of this project", true)
	case "psql":
		return psqlHook
	case "redis":
		return redisHook
	case "sql":
		return sqlHook
	case "sqlcmd":
		return sqlcmdHook
	case "table-sql":
		return tableSQL
	case "sqlite3":
		return sqliteHook
	}
	return nil
}
