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

/// The cells of one sealed property.
package struct SealedCells {
  let entity: String
  let property: String
  private let table: String
  private let column: String
  private let connection: any EngineConnection

  /// Returns the cells of every sealed property that no hook seals, by entity and property.
  ///
  /// - Throws: `schemaMismatch` if an entity has no table.
  static func all(on connection: any EngineConnection) throws -> [SealedCells] {
    all(of: try CatalogEntity.all(on: connection), on: connection)
  }

  /// Returns the cells of the sealed properties of some entities.
  static func all(of entities: [CatalogEntity], on connection: any EngineConnection)
    -> [SealedCells]
  {
    entities.flatMap { entity in
      entity.sealed.compactMap { property in
        property.column.map { column in
          SealedCells(
            entity: entity.name,
            property: property.name,
            table: entity.table,
            column: column,
            connection: connection
          )
        }
      }
    }
  }

  package static func counts(on connection: any EngineConnection) throws -> [SealedCount] {
    try counts(of: CatalogEntity.all(on: connection), on: connection)
  }

  package static func counts(
    of entities: [CatalogEntity],
    on connection: any EngineConnection
  ) throws -> [SealedCount] {
    try all(of: entities, on: connection).flatMap { try $0.counts() }
  }

  /// Returns whether one of the cells looks like an envelope.
  func holdEnvelope() throws -> Bool {
    try CatalogEntity.matching(entity, property) {
      try connection.scalar(RingSQL.holdsEnvelope(table: table, column: column)) == .integer(1)
    }
  }

  private func counts() throws -> [SealedCount] {
    var unsealed = 0
    var counts: [SealedCount] = []
    try CatalogEntity.matching(entity, property) {
      try connection.each(RingSQL.headers(table: table, column: column), []) { row in
        let count = Int(row.int64(at: 1))
        let header = row.blob(at: 0)
        let number = header.dropFirst().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard header.count == 5, number != 0, let suite = Suite(rawValue: header[0]) else {
          unsealed += count
          return
        }
        counts.append(self.count(count, KeyID(rawValue: number), suite))
      }
    }
    return (unsealed > 0 ? [count(unsealed, nil, nil)] : []) + counts
  }

  private func count(_ count: Int, _ keyID: KeyID?, _ suite: Suite?) -> SealedCount {
    SealedCount(entity: entity, property: property, keyID: keyID, suite: suite, count: count)
  }
}
