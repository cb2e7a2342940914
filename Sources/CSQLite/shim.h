#pragma once
#ifdef __APPLE__
#define __STDC_WANT_LIB_EXT1__ 1
#endif
#include <dlfcn.h>
#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#ifdef __APPLE__
#include <stdio.h>
#elif defined(__linux__)
#include <sys/syscall.h>
// The C library's own header would bring declarations of files into this module, which Swift then misses elsewhere.
extern long syscall(long number, ...);
#endif

/// Overwrites plaintext with zeros, in a way that no optimizer leaves out because nobody reads it again.
static inline void nacre_sqlite_cleanse(void *bytes, size_t count) {
#ifdef __APPLE__
  memset_s(bytes, count, 0, count);
#else
  explicit_bzero(bytes, count);
#endif
}

/// Gives a file another name, and fails with EEXIST if a file has it already.
///
/// Fails with EINVAL, ENOSYS or ENOTSUP where the system or the file system can't do both at once.
static inline int nacre_sqlite_rename_to_free_name(const char *from, const char *to) {
#ifdef __APPLE__
  return renamex_np(from, to, RENAME_EXCL);
#elif defined(SYS_renameat2)
  // From the present directory, and with RENAME_NOREPLACE, which the C library declares for GNU sources alone.
  return (int)syscall(SYS_renameat2, -100, from, -100, to, 1);
#else
  errno = ENOSYS;
  return -1;
#endif
}

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

/// Whether a connection runs triggers; `on` is 1 or 0 to set it, or -1 to ask (sqlite.org/c3ref/c_dbconfig_defensive.html).
///
/// Triggers of the temporary schema run in any case since SQLite 3.35.
static inline int nacre_sqlite_triggers(sqlite3 *connection, int on, int *now) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, on, now);
}

/// Keeps a virtual table out of the file's own views and triggers; for `xConnect` (sqlite.org/c3ref/vtab_config.html).
static inline int nacre_sqlite_vtab_direct_only(sqlite3 *connection) {
  return sqlite3_vtab_config(connection, SQLITE_VTAB_DIRECTONLY);
}

/// A cursor of the virtual table of identifiers.
typedef struct {
  sqlite3_vtab_cursor base;
  /// A copy of the list, which is a blob.
  sqlite3_value *list;
  const void *bytes;
  sqlite3_int64 count;
  sqlite3_int64 index;
} nacre_sqlite_identifiers;

/// SQLite's hook on every change of a row (sqlite.org/c3ref/preupdate_blobwrite.html).
///
/// The library has it where it was built with SQLITE_ENABLE_PREUPDATE_HOOK; its header declares it only under the same macro.
typedef struct {
  void *(*install)(
    sqlite3 *,
    void (*)(void *, sqlite3 *, int, const char *, const char *, sqlite3_int64, sqlite3_int64),
    void *
  );
  int (*count)(sqlite3 *);
  int (*former)(sqlite3 *, int, sqlite3_value **);
  int (*later)(sqlite3 *, int, sqlite3_value **);
} nacre_sqlite_change_hook;

/// Looks the hook up by name, so that nothing fails to link where the library lacks it; 0 where it does.
static inline int nacre_sqlite_find_change_hook(nacre_sqlite_change_hook *hook) {
  if (!sqlite3_compileoption_used("ENABLE_PREUPDATE_HOOK")) return 0;
  void *process = dlopen((const char *)0, RTLD_LAZY);
  if (!process) return 0;
  *(void **)&hook->install = dlsym(process, "sqlite3_preupdate_hook");
  *(void **)&hook->count = dlsym(process, "sqlite3_preupdate_count");
  *(void **)&hook->former = dlsym(process, "sqlite3_preupdate_old");
  *(void **)&hook->later = dlsym(process, "sqlite3_preupdate_new");
  dlclose(process);
  return hook->install && hook->count && hook->former && hook->later;
}
