import NacreCrypto
import NacreSQLite

/// Looks for values under the ring's keys where the catalog says of none: a property that was taken out of it, or cells
/// that SQL has copied.
struct StrayEnvelopes {
  /// SQLite limits how many columns a statement has.
  private static let columnsAtOnce = 500

  private let connection: Connection
  private let heads: [[UInt8]]
  /// The columns that are known to hold envelopes, by table.
  private let known: [SQLName: Set<SQLName>]

  /// - Parameters:
  ///   - keys: the ring's keys; those that are not for fields, or gone, seal nothing.
  ///   - shapes: what the catalog says.
  ///   - connection: a connection in a transaction.
  /// - Throws: what reading throws.
  init(of keys: [KeyRecord], beside shapes: [EntityShape], on connection: Connection) throws {
    self.connection = connection
    heads = keys.filter { $0.purpose == .field && $0.state != .destroyed }.map { key in
      [key.suite.rawValue] + withUnsafeBytes(of: key.id.rawValue.bigEndian) { Array($0) }
    }
    var known: [SQLName: Set<SQLName>] = [:]
    for shape in shapes {
      known[SQLName(shape.entity.table), default: []]
        .formUnion(shape.sealed.compactMap { $0.column.map(SQLName.init) })
      // What a hook seals now can have been sealed under the ring before.
      known[SQLName(shape.entity.table), default: []]
        .formUnion(
          shape.entity.properties.filter(\.isSealed).compactMap { $0.column.map(SQLName.init) }
        )
    }
    // What is being converted lies in two columns, of which the catalog has the old one.
    for work in try RotationJournal.unfinished(on: connection) where work.isConversion {
      guard let shape = shapes.first(where: { $0.entity.name == work.entity }),
        let property = shape.entity.properties.first(where: { $0.name == work.property }),
        let held = property.column
      else { continue }
      let suffix = held.hasSuffix(ConversionSQL.heldSuffix) ? ConversionSQL.heldSuffix.count : 0
      let column = String(held.dropLast(suffix))
      let made = ConversionSQL(table: shape.entity.table, column: column).madeColumn
      known[SQLName(shape.entity.table), default: []]
        .formUnion([held, column, made].map(SQLName.init))
    }
    self.known = known
  }

  /// A fault for each column that holds such values.
  ///
  /// - Parameters:
  ///   - tables: the only tables that are looked at; nil is all.
  ///   - named: columns that were named before.
  /// - Returns: a fault for each column with envelopes of which the catalog does not know.
  /// - Throws: what reading throws.
  func faults(in tables: Set<SQLName>? = nil, but named: [StoreFault] = []) throws -> [StoreFault] {
    if heads.isEmpty { return [] }
    let strays = named.filter { $0.kind == .strayValues }
    var names: [String] = []
    try connection.each(VerifySQL.everyTable, []) { names.append($0.text(at: 0)) }
    return try names.filter { tables?.contains(SQLName($0)) ?? true }.flatMap { table in
      try faults(in: table).filter { fault in
        !strays.contains { $0.entity == fault.entity && $0.property == fault.property }
      }
    }
  }

  private func faults(in table: String) throws -> [StoreFault] {
    let known = known[SQLName(table), default: []]
    let columns = try connection.columnNames(of: table).filter { !known.contains(SQLName($0)) }
    var faults: [StoreFault] = []
    for start in stride(from: 0, to: columns.count, by: StrayEnvelopes.columnsAtOnce) {
      let some = Array(columns[start..<min(start + StrayEnvelopes.columnsAtOnce, columns.count)])
      let sql = VerifySQL.countHeads(table: table, columns: some, heads: heads)
      try connection.each(sql, []) { row in
        for (index, column) in some.enumerated() where row.int64(at: Int32(index)) > 0 {
          faults.append(
            StoreFault(
              .strayValues,
              entity: table,
              property: column,
              "\(row.int64(at: Int32(index))) cells begin like values under the ring's keys, and the "
                + "catalog does not say that the column is sealed"
            )
          )
        }
      }
    }
    return faults
  }
}
