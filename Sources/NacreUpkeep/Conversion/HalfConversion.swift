import Foundation
package import NacreCrypto
package import NacreEngine
package import NacreStore

/// A property whose conversion is half-way, found by the columns of its table and not by the
/// journal.
package struct HalfConversion {
  package let entity: CatalogEntity
  /// The property as the catalog has it; its column is the old one, under its held name.
  let property: CatalogProperty
  fileprivate var place: ConversionPlace {
    ConversionPlace(entity: entity.name, property: property.name)
  }
  private let sql: ConversionSQL
  private let hasIndex: Bool

  /// Returns the half-way conversions of all entities.
  ///
  /// - Throws: `halfConverted` if the columns differ from the catalog in a way that no conversion
  ///   leaves behind.
  static func all(on connection: any EngineConnection) throws -> [HalfConversion] {
    try CatalogEntity.all(on: connection).filter { !$0.isDAO }.flatMap { entity in
      let names = try connection.columnNames(of: entity.table)
      let columns = Set(names.map(SQLName.init))
      let found = try names.compactMap { try HalfConversion($0, among: columns, of: entity) }
      for property in entity.properties {
        guard let column = property.column, !columns.contains(SQLName(column)),
          ConversionSQL.places(of: column).contains(where: { columns.contains(SQLName($0)) })
        else { continue }
        throw NacreError(
          .halfConverted,
          at: ConversionPlace(entity: entity.name, property: property.name),
          detail: "its columns are not the ones that the catalog names"
        )
      }
      return found
    }
  }

  /// The error for a half-way conversion that no row of the journal continues.
  package var abandonedError: NacreError {
    NacreError(
      .halfConverted,
      at: place,
      detail: "its conversion was left half done, and the journal has no record to continue it",
      advice: "`clearJournal()`, or `nacre rotate --clear-journal`, takes the conversion back."
    )
  }

  /// Throws if the table already has a column that the conversion would make.
  ///
  /// - Throws: `halfConverted`, which says how to remove the column.
  static func refuseLeftovers(of request: ConversionRequest, on connection: any EngineConnection)
    throws
  {
    if let half = try all(on: connection).first(where: { $0.place == request.place }) {
      throw half.abandonedError
    }
    let sql = request.sql
    let columns = Set(try connection.columnNames(of: sql.table).map(SQLName.init))
    guard
      let other = [sql.heldColumn, sql.madeColumn].first(where: { columns.contains(SQLName($0)) })
    else { return }
    throw NacreError(
      .halfConverted,
      at: request.place,
      detail: "its table has a column \(other), which the catalog does not know",
      advice:
        "Look at what the column holds, and remove it with ALTER TABLE … DROP COLUMN; nothing "
        + "was changed."
    )
  }

  /// Finds the conversion that made a column; nil if no conversion made it.
  private init?(_ made: String, among columns: Set<SQLName>, of entity: CatalogEntity) throws {
    guard made.hasSuffix(ConversionSQL.madeSuffix), entity.property(inColumn: made) == nil else {
      return nil
    }
    let column = String(made.dropLast(ConversionSQL.madeSuffix.count))
    let sql = ConversionSQL(table: entity.table, column: column)
    // A conversion writes the held column to the catalog when it makes its columns, so a property
    // must have it.
    guard columns.contains(SQLName(sql.heldColumn)),
      let property = entity.property(inColumn: sql.heldColumn)
    else { return nil }
    self.entity = entity
    self.property = property
    self.sql = sql
    hasIndex = columns.contains(SQLName(SealedColumns.indexColumn(of: made)))
  }

  /// Throws if a value would be lost with the new column.
  ///
  /// Where the old column is NULL, the new one must hold nothing, or a sealed nil. Every other cell
  /// of the old column must have the form that the catalog describes: it opens if the property is
  /// sealed, and does not open if it is plain. The form is not checked in rows without a valid
  /// identifier, nor of a property that the application's own provider seals.
  ///
  /// - Parameters:
  ///   - ring: the key ring that opens the cells.
  ///   - connection: a connection in a transaction.
  /// - Throws: `halfConverted`, with the object.
  package func refuseLoss(_ ring: KeyRing, on connection: any EngineConnection) throws {
    let column = try SealedColumn(property, of: entity.name, in: ring.storeID)
    let session = RingSession(ring: ring)
    try connection.each(sql.halves, []) { row in
      // A row without a valid identifier was not converted, and nothing can open its cells: it
      // stays as it is.
      let identity = try? ObjectID.read(from: row, at: 0)
      func isNil(at index: Int32) throws -> Bool? {
        guard let identity, let sealed = row.bytes(at: index) else { return nil }
        do {
          return try column.open(sealed, of: identity, by: session) { $0.isNull }
        } catch let error as CryptoError where error.isOfValue {
          return nil
        }
      }
      if row.isNull(at: 1) {
        guard !HalfConversion.isNothing(row.value(at: 2)), try isNil(at: 2) != true else { return }
        let detail = "its new column holds a value that its old one lacks"
        throw NacreError(.halfConverted, at: place, identity, detail: detail)
      }
      if identity == nil { return }
      if property.sealing?.isHooked == true { return }
      guard try (isNil(at: 1) != nil) == property.isSealed else {
        let detail =
          property.isSealed
          ? "a value of its old column does not open"
          : "its old column holds a sealed value, and the catalog calls it plain"
        throw NacreError(.halfConverted, at: place, identity, detail: detail)
      }
    }
  }

  /// Returns whether a cell holds what a new column gives to rows that are not converted yet.
  private static func isNothing(_ value: Value) -> Bool {
    switch value {
    case .null, .integer(0), .real(0), .text(""): true
    case .blob(let bytes): bytes.isEmpty
    default: false
    }
  }

  /// Restores the old column, in the transaction that clears the journal.
  package func takeBack(on database: Database) throws {
    try database.restoreColumn(of: place, sql, hasIndex: hasIndex)
  }
}

extension Database {
  /// Removes the columns that a conversion made, and restores the old one.
  func restoreColumn(of place: ConversionPlace, _ sql: ConversionSQL, hasIndex: Bool) throws {
    for statement in sql.abandon(hasIndex: hasIndex) { try connection.execute(statement) }
    try noteColumn(sql.column, of: place)
  }

  /// Writes the present name of a property's column to the catalog.
  func noteColumn(_ column: String, of place: ConversionPlace) throws {
    try changeCatalog(
      ConversionSQL.setColumn,
      [.text(place.entity), .text(place.property), .text(column)]
    )
  }

  /// Returns the half-way conversions that no authentic row of the journal continues.
  package func abandonedConversions() throws -> [HalfConversion] {
    let ring = try home.followedRing(on: self)
    let believed = try RotationJournal.unfinished(on: connection).filter {
      try $0.isBelieved(by: ring, on: self)
    }
    return try HalfConversion.all(on: connection).filter { half in
      !believed.contains { $0.place == half.place }
    }
  }
}
