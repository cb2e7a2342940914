import Foundation
package import NacreCrypto
package import NacreSQLite
package import NacreStore

/// A property whose rows somebody has begun to give another form, found by its table's columns: nothing that the journal
/// says is believed.
package struct HalfConversion {
  package let entity: CatalogEntity
  /// As the catalog has it: its column is the old one, under the name that it bears meanwhile.
  let property: CatalogProperty
  private let sql: ConversionSQL
  private let hasIndex: Bool

  /// Those of all entities.
  ///
  /// - Throws: `halfConverted` where columns and catalog fit in no way that a conversion leaves.
  static func all(on connection: Connection) throws -> [HalfConversion] {
    try CatalogEntity.all(on: connection).filter { !$0.isDAO }.flatMap { entity in
      let columns = try connection.columnNames(of: entity.table)
      let found = try columns.compactMap { try HalfConversion($0, among: columns, of: entity) }
      for property in entity.properties {
        guard let column = property.column, !columns.contains(column),
          columns.contains(where: { ConversionSQL.places(of: column).contains($0) })
        else { continue }
        throw refusal(entity, property.name, "its columns are not the ones that the catalog names")
      }
      return found
    }
  }

  /// The error where nothing in the journal goes on with it.
  package var abandonedError: NacreError {
    NacreError(
      .halfConverted,
      entity: entity.name,
      property: property.name,
      detail: "its conversion was left half done, and the journal has no record to continue it",
      advice: "`clearJournal()`, or `nacre rotate --clear-journal`, takes the conversion back."
    )
  }

  /// Refuses a conversion where columns are there that it would make.
  ///
  /// - Throws: `halfConverted`, which says what takes them away.
  static func refuseLeftovers(of request: ConversionRequest, on connection: Connection) throws {
    let place = request.place
    let half = try all(on: connection).first {
      $0.entity.name == place.entity && $0.property.name == place.property
    }
    if let half { throw half.abandonedError }
    let sql = ConversionSQL(table: request.table, column: request.column)
    let columns = try connection.columnNames(of: request.table)
    guard let other = [sql.heldColumn, sql.madeColumn].first(where: columns.contains) else {
      return
    }
    throw NacreError(
      .halfConverted,
      entity: place.entity,
      property: place.property,
      detail: "its table has a column \(other), which the catalog does not know",
      advice:
        "Look at what the column holds, and remove it with ALTER TABLE … DROP COLUMN; nothing "
        + "was changed."
    )
  }

  /// The conversion that has made a column; nil for one that none has made.
  private init?(_ made: String, among columns: [String], of entity: CatalogEntity) throws {
    guard made.hasSuffix(ConversionSQL.madeSuffix),
      !entity.properties.contains(where: { $0.column == made })
    else { return nil }
    let column = String(made.dropLast(ConversionSQL.madeSuffix.count))
    let sql = ConversionSQL(table: entity.table, column: column)
    // Columns that are no property's are none of a conversion, which writes the catalog when it makes them.
    guard columns.contains(sql.heldColumn),
      let property = entity.properties.first(where: { $0.column == sql.heldColumn })
    else { return nil }
    self.entity = entity
    self.property = property
    self.sql = sql
    hasIndex = columns.contains(SealedColumns.indexColumn(of: made))
  }

  private static func refusal(
    _ entity: CatalogEntity,
    _ property: String,
    _ detail: String,
    _ identity: ObjectID? = nil
  ) -> NacreError {
    NacreError(
      .halfConverted,
      entity: entity.name,
      property: property,
      objectID: identity?.uuid,
      detail: detail
    )
  }

  /// Refuses what would be lost with the new column: each value has to lie in the old one, in the form that the catalog says.
  ///
  /// - Parameters:
  ///   - ring: what opens.
  ///   - connection: a connection in a transaction.
  /// - Throws: `halfConverted`, with the object.
  package func refuseLoss(_ ring: KeyRing, on connection: Connection) throws {
    let opener = CellOpener(ring: ring)
    let context = try property.context(of: entity.name, in: ring.storeID)
    try connection.each(sql.halves, []) { row in
      // A row without an identifier is none that was converted, or that anything opens: it stays as it is.
      let identity = try? ObjectID.read(from: row, at: 0)
      func isNil(at column: Int32) throws -> Bool? {
        guard let identity, let sealed = row.bytes(at: column) else { return nil }
        do {
          return try opener.open(sealed, in: context, identity) { $0.isNull }
        } catch let error as CryptoError where error.isOfValue {
          return nil
        }
      }
      if row.isNull(at: 1) {
        guard !HalfConversion.isNothing(row.value(at: 2)), try isNil(at: 2) != true else { return }
        throw refusal("its new column holds a value that its old one lacks", identity)
      }
      if identity == nil { return }
      if property.sealing?.isHooked == true { return }
      guard try (isNil(at: 1) != nil) == property.isSealed else {
        let detail =
          property.isSealed
          ? "a value of its old column does not open"
          : "its old column holds a sealed value, and the catalog calls it plain"
        throw refusal(detail, identity)
      }
    }
  }

  private func refusal(_ detail: String, _ identity: ObjectID?) -> NacreError {
    HalfConversion.refusal(entity, property.name, detail, identity)
  }

  /// Whether a cell is what a new column gives rows that were not converted yet.
  private static func isNothing(_ value: Value) -> Bool {
    switch value {
    case .null, .integer(0), .real(0), .text(""): true
    case .blob(let bytes): bytes.isEmpty
    default: false
    }
  }

  /// Puts the old column back in its place, in the transaction that clears the journal.
  package func takeBack(on database: Database) throws {
    for statement in sql.abandon(hasIndex: hasIndex) { try database.connection.execute(statement) }
    try database.changeCatalog(
      ConversionSQL.setColumn,
      [.text(entity.name), .text(property.name), .text(sql.column)]
    )
  }
}

extension Database {
  /// The conversions that are half-way, but for those that a believed row goes on with.
  package func abandonedConversions() throws -> [HalfConversion] {
    let ring = try home.followedRing(on: self)
    let believed = try RotationJournal.unfinished(on: connection).filter {
      try $0.isBelieved(by: ring, on: self)
    }
    return try HalfConversion.all(on: connection).filter { half in
      !believed.contains { $0.entity == half.entity.name && $0.property == half.property.name }
    }
  }
}
