// An application that opens a store can set SQLite's settings, and sees SQLite's errors as causes.
#if PostgreSQL
@_exported public import NacrePostgres
#endif
@_exported public import NacreSQLite
@_exported public import NacreStore
@_exported public import NacreUpkeep
