import Foundation
public import NacreCrypto
import NacreEngine

/// How many values of one sealed property name the same key and suite.
public struct SealedCount: Sendable, Equatable {
  /// The entity.
  public let entity: String
  /// The property.
  public let property: String
  /// The key that the values name; nil for cells whose content was not sealed.
  public let keyID: KeyID?
  /// The suite that the values name; nil if there is no key.
  public let suite: Suite?
  /// The number of these values, without NULLs.
  public let count: Int
}

/// Counts the cells of sealed properties that no hook seals.
package enum SealedCells {
  /// Returns how many values name which key, by entity and property; nil counts those of all
  /// entities of the catalog.
  ///
  /// - Throws: `schemaMismatch` if an entity has no table.
  package static func counts(
    of entities: [CatalogEntity]? = nil,
    on connection: any EngineConnection
  ) throws -> [SealedCount] {
    try (entities ?? CatalogEntity.all(on: connection)).flatMap { entity in
      try entity.sealed.flatMap { try counts(of: $0, in: entity, on: connection) }
    }
  }

  private static func counts(
    of property: CatalogProperty,
    in entity: CatalogEntity,
    on connection: any EngineConnection
  ) throws -> [SealedCount] {
    guard let column = property.column else { return [] }
    let (entityName, name) = (entity.name, property.name)
    func counted(_ count: Int, _ keyID: KeyID?, _ suite: Suite?) -> SealedCount {
      SealedCount(entity: entityName, property: name, keyID: keyID, suite: suite, count: count)
    }
    var unsealed = 0
    var counts: [SealedCount] = []
    try CatalogEntity.matching(entityName, name) {
      let sql = RingSQL.headers(table: entity.table, column: column, connection.dialect)
      try connection.each(sql, []) { row in
        let count = row.rowCount(at: 1)
        let header = row.blob(at: 0)
        let number = header.dropFirst().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard header.count == 5, number != 0, let suite = Suite(rawValue: header[0]) else {
          unsealed += count
          return
        }
        counts.append(counted(count, KeyID(rawValue: number), suite))
      }
    }
    return (unsealed > 0 ? [counted(unsealed, nil, nil)] : []) + counts
  }
}
