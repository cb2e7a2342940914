import NacreSQLite

/// SQLite's statement is what the entity layer speaks to; its methods are the protocol's as they stand.
extension Statement: EngineStatement {}
