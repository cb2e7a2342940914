import Foundation
import NacreCrypto
import NacreEngine

/// The contents of the tables `nacre_entity` and `nacre_property` that their MAC covers, and the
/// copy beside the MAC (Vectors/FORMAT.md).
package enum CatalogTable {
  /// The columns that the MAC covers, in the format's order; a store of an earlier version lacks
  /// some of them.
  static let entityColumns = ["name", "table", "version"]
  static let propertyColumns = [
    "entity", "name", "column", "type", "sealed", "kind", "target", "join", "inverse", "bits",
    "normalizer", "unique", "hidesNil", "padding", "suite", "optional", "hooked", "hidden",
    "filled",
  ]

  private static let numbers: Set<String> = [
    "version", "sealed", "bits", "unique", "hidesNil", "suite", "optional", "hooked", "hidden",
    "filled",
  ]
  private static let neverNull: Set<String> = [
    "entity", "name", "table", "version", "type", "sealed", "kind",
  ]

  /// Returns whether a column's cell has the storage class that every version has written to it.
  ///
  /// If a cell of another class were accepted, a sealed property could pass for a plain one.
  static func fits(_ cell: Value, _ column: String) -> Bool {
    switch cell {
    case .null: !neverNull.contains(column)
    case .integer: numbers.contains(column)
    case .text: !numbers.contains(column)
    case .real, .blob: false
    }
  }

  /// Returns an error's detail that names the column of a cell that does not fit.
  package static func misfit(_ column: String) -> String {
    "the catalog holds a \(column) that is not a \(numbers.contains(column) ? "number" : "text")"
  }

  /// Reads the catalog's current content.
  package static func read(on connection: any EngineConnection) throws -> CatalogRecord {
    CatalogRecord(
      entities: try rows(CatalogSQL.selectWholeEntities, entityColumns, on: connection),
      properties: try rows(CatalogSQL.selectWholeProperties, propertyColumns, on: connection)
    )
  }

  /// Returns the copy that was last written under the MAC, and the MAC; nil if one of them is
  /// missing.
  package static func copy(on connection: any EngineConnection) throws -> (
    bytes: [UInt8], mac: [UInt8]
  )? {
    guard case .blob(let bytes)? = try connection.scalar(CatalogSQL.getValue, ["catalog"]),
      case .blob(let mac)? = try connection.scalar(CatalogSQL.getValue, ["catalogMAC"])
    else { return nil }
    return (Array(bytes), Array(mac))
  }

  /// Decodes a copy of the catalog.
  ///
  /// - Throws: `catalogTampered` if the bytes are not a copy.
  package static func record(of copy: [UInt8]) throws -> CatalogRecord {
    try CatalogRecord(copy, widths: (entityColumns.count, propertyColumns.count))
  }

  /// Writes a copy of the catalog with its MAC, and the ring that has the catalog's number, and
  /// reads them back.
  ///
  /// - Throws: `ringTampered` or `catalogTampered` if something in the file changed them.
  static func write(_ copy: [UInt8], with ring: KeyRing, on connection: any EngineConnection) throws
  {
    try refuseMisfits(record(of: copy))
    let mac = try ring.mac(ofCatalog: copy)
    try connection.run(CatalogSQL.setValue(connection.dialect), ["catalog", .blob(Data(copy))])
    try connection.run(CatalogSQL.setValue(connection.dialect), ["catalogMAC", .blob(Data(mac))])
    try RingTable.writeMark(ring.record(), on: connection)
    guard try RingTable.read(ring.storeID, on: connection) == ring.record() else {
      throw RingTable.notAsWritten("the ring's mark")
    }
    guard let stored = try self.copy(on: connection), stored.bytes == copy, stored.mac == mac,
      try read(on: connection).bytes() == copy
    else {
      throw NacreError(
        .catalogTampered,
        detail: "the catalog in the file is not the one that was written"
      )
    }
  }

  private static func refuseMisfits(_ catalog: CatalogRecord) throws {
    for (rows, columns) in [
      (catalog.entities, entityColumns), (catalog.properties, propertyColumns),
    ] {
      for row in rows {
        for (cell, column) in zip(row, columns) where !fits(cell.value, column) {
          throw NacreError(.catalogTampered, detail: misfit(column))
        }
      }
    }
  }

  /// Replaces the catalog in the file by the content of a copy.
  static func replace(by record: CatalogRecord, on connection: any EngineConnection) throws {
    try connection.execute(CatalogSQL.clear)
    for row in record.entities {
      try connection.run(CatalogSQL.insertEntity(connection.dialect), row.map(\.value))
    }
    for row in record.properties {
      try connection.run(CatalogSQL.insertProperty(connection.dialect), row.map(\.value))
    }
  }

  private static func rows(
    _ sql: String,
    _ columns: [String],
    on connection: any EngineConnection
  ) throws -> [[CatalogRecord.Cell]] {
    var places: [Int32?]?
    return try connection.rows(sql) { row in
      let found = places ?? columns.map { place(of: $0, in: row) }
      places = found
      return found.map { $0.map { cell(row, at: $0) } ?? .null }
    }
  }

  private static func place(of column: String, in row: any PreparedStatement) -> Int32? {
    (0..<Int32(row.columnCount)).first { row.columnName(at: $0) == column }
  }

  private static func cell(_ row: any PreparedStatement, at column: Int32) -> CatalogRecord.Cell {
    switch row.storageClass(at: column) {
    case .null: .null
    case .integer: .integer(row.int64(at: column))
    case .real: .real(row.double(at: column).bitPattern)
    // Compare the bytes: text that is not UTF-8 must not pass for another text.
    case .text: .text(Array(row.blob(at: column)))
    case .blob: .blob(Array(row.blob(at: column)))
    }
  }
}

extension CatalogRecord.Cell {
  /// The cell as an SQLite value.
  package var value: Value {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let bits): .real(Double(bitPattern: bits))
    case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes): .blob(Data(bytes))
    }
  }
}
