import CSQLite
import NacreEngine

/// The table-valued function `nacre_identifiers(list)`: a row for each identifier of 16 bytes in a
/// blob, with its number, which counts from 0.
///
/// SQLite calls it by the functions of an eponymous virtual table (sqlite.org/vtab.html#epovtab).
/// A recursive query gives the same rows at many times the cost.
enum IdentifierTable {
  /// The columns: the number, the identifier, and the hidden one that takes the argument.
  private static let declaration =
    "CREATE TABLE x(\"n\" INTEGER, \"id\" BLOB, \"list\" BLOB HIDDEN)"
  private static let listColumn: Int32 = 2

  /// The module, which SQLite reads for as long as any connection is open.
  // Unsafe holds: nobody writes to it after this.
  nonisolated(unsafe) private static let module: UnsafePointer<sqlite3_module> = {
    let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    module.initialize(to: makeModule())
    return UnsafePointer(module)
  }()

  /// Lets the statements of a connection name the function.
  static func define(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_module_v2(connection, EngineTableFunction.identifiers, module, nil, nil)
  }

  private static func makeModule() -> sqlite3_module {
    var module = sqlite3_module()
    // Without `xCreate` it is a function alone, and nobody can make a table of it in a file.
    module.xConnect = { connection, _, _, _, table, _ in
      let result = sqlite3_declare_vtab(connection, IdentifierTable.declaration)
      guard result == SQLITE_OK else { return result }
      // The file's own views and triggers can't use it.
      _ = nacre_sqlite_vtab_direct_only(connection)
      let made = UnsafeMutablePointer<sqlite3_vtab>.allocate(capacity: 1)
      made.initialize(to: sqlite3_vtab())
      table?.pointee = made
      return SQLITE_OK
    }
    module.xDisconnect = { table in
      table?.deallocate()
      return SQLITE_OK
    }
    module.xBestIndex = { _, plan in plan.map(IdentifierTable.choosePlan) ?? SQLITE_ERROR }
    module.xOpen = { _, cursor in
      let made = UnsafeMutablePointer<nacre_sqlite_identifiers>.allocate(capacity: 1)
      made.initialize(to: nacre_sqlite_identifiers())
      cursor?.pointee = UnsafeMutableRawPointer(made)
        .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.xClose = { cursor in
      guard let cursor = IdentifierTable.identifiers(cursor) else { return SQLITE_OK }
      sqlite3_value_free(cursor.pointee.list)
      cursor.deallocate()
      return SQLITE_OK
    }
    module.xFilter = { cursor, _, _, _, values in
      IdentifierTable.begin(IdentifierTable.identifiers(cursor), values?[0])
    }
    module.xNext = { cursor in
      IdentifierTable.identifiers(cursor)?.pointee.index += 1
      return SQLITE_OK
    }
    module.xEof = { cursor in
      guard let cursor = IdentifierTable.identifiers(cursor) else { return 1 }
      return cursor.pointee.index < cursor.pointee.count ? 0 : 1
    }
    module.xColumn = { cursor, context, column in
      guard let cursor = IdentifierTable.identifiers(cursor) else { return SQLITE_ERROR }
      switch column {
      case 0: sqlite3_result_int64(context, cursor.pointee.index)
      case 1: IdentifierTable.giveIdentifier(of: cursor, to: context)
      default: sqlite3_result_value(context, cursor.pointee.list)
      }
      return SQLITE_OK
    }
    module.xRowid = { cursor, number in
      number?.pointee = IdentifierTable.identifiers(cursor)?.pointee.index ?? 0
      return SQLITE_OK
    }
    return module
  }

  private static func identifiers(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> UnsafeMutablePointer<nacre_sqlite_identifiers>? {
    UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: nacre_sqlite_identifiers.self)
  }

  /// Asks for the list as the argument of `xFilter`; without it there is no way to read the table.
  private static func choosePlan(_ plan: UnsafeMutablePointer<sqlite3_index_info>) -> Int32 {
    for index in 0..<Int(plan.pointee.nConstraint) {
      let constraint = plan.pointee.aConstraint[index]
      guard constraint.iColumn == listColumn, constraint.usable != 0,
        Int32(constraint.op) == SQLITE_INDEX_CONSTRAINT_EQ
      else { continue }
      plan.pointee.aConstraintUsage[index].argvIndex = 1
      plan.pointee.aConstraintUsage[index].omit = 1
      plan.pointee.estimatedCost = 100
      plan.pointee.estimatedRows = 100
      return SQLITE_OK
    }
    return SQLITE_CONSTRAINT
  }

  private static func begin(
    _ cursor: UnsafeMutablePointer<nacre_sqlite_identifiers>?,
    _ list: OpaquePointer?
  ) -> Int32 {
    guard let cursor, let list else { return SQLITE_ERROR }
    sqlite3_value_free(cursor.pointee.list)
    cursor.pointee.list = sqlite3_value_dup(list)
    guard let copy = cursor.pointee.list else { return SQLITE_NOMEM }
    cursor.pointee.bytes = sqlite3_value_blob(copy)
    cursor.pointee.count = Int64(sqlite3_value_bytes(copy)) / 16
    cursor.pointee.index = 0
    return SQLITE_OK
  }

  private static func giveIdentifier(
    of cursor: UnsafeMutablePointer<nacre_sqlite_identifiers>,
    to context: OpaquePointer?
  ) {
    guard let bytes = cursor.pointee.bytes, cursor.pointee.index < cursor.pointee.count else {
      return sqlite3_result_null(context)
    }
    sqlite3_result_blob(context, bytes + Int(cursor.pointee.index) * 16, 16, transient)
  }
}
