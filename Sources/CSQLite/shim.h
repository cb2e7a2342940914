#pragma once
#include <sqlite3.h>

// sqlite3_db_config takes a variable number of arguments, which Swift can't pass.

/// Makes a connection wary of its file and of misspelt SQL (sqlite.org/security.html).
///
/// Defensive: no statement writes the schema table, shadow tables or the journal mode `off`. And "a" is a name, never
/// a text: otherwise SQLite takes the name of a column that is not there for a text.
static inline int nacre_sqlite_harden(sqlite3 *connection) {
  int result = sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  if (result == SQLITE_OK) {
    result = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  }
  if (result == SQLITE_OK) {
    result = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
  }
  return result;
}
