import NacreEngine
import NacreStore
import NacreCrypto

/// Finds values under the ring's keys in columns that the catalog does not call sealed.
struct StrayValues {
  private let search: StrayEnvelopes

  /// - Parameters:
  ///   - keys: the ring's keys.
  ///   - shapes: the entities, as the catalog describes them.
  ///   - connection: a connection in a transaction.
  /// - Throws: what reading throws.
  init(of keys: [KeyRecord], beside shapes: [EntityShape], on connection: any EngineConnection)
    throws
  {
    var known: [SQLName: Set<SQLName>] = [:]
    for shape in shapes {
      // A property that a hook seals now may have been sealed under the ring before.
      let sealed = shape.sealed + shape.entity.properties.filter(\.isSealed)
      known[SQLName(shape.entity.table), default: []]
        .formUnion(sealed.compactMap { $0.column.map(SQLName.init) })
    }
    // A property under conversion is in two columns, and the catalog names only the old one.
    for place in try RotationJournal.unfinished(on: connection).compactMap(\.place) {
      guard let shape = shapes.first(where: { $0.entity.name == place.entity }),
        let property = shape.entity.properties.first(where: { $0.name == place.property }),
        let held = property.column
      else { continue }
      let suffix = held.hasSuffix(ConversionSQL.heldSuffix) ? ConversionSQL.heldSuffix.count : 0
      let column = String(held.dropLast(suffix))
      let made = ConversionSQL(table: shape.entity.table, column: column).madeColumn
      known[SQLName(shape.entity.table), default: []]
        .formUnion([held, column, made].map(SQLName.init))
    }
    search = StrayEnvelopes(of: keys, outside: known, on: connection)
  }

  /// A fault for each column that holds such values.
  ///
  /// - Parameters:
  ///   - tables: the tables to look at; nil is all.
  ///   - named: faults that were found before; their columns are not named again.
  /// - Returns: the faults, by table.
  /// - Throws: what reading throws.
  func faults(in tables: Set<SQLName>? = nil, but named: [StoreFault] = []) throws -> [StoreFault] {
    let strays = named.filter { $0.kind == .strayValues }
    return try search.findings(in: tables).compactMap { found in
      if strays.contains(where: { $0.entity == found.table && $0.property == found.column }) {
        return nil
      }
      return StoreFault(
        .strayValues,
        entity: found.table,
        property: found.column,
        found.count.counted("cell begins like a value", "cells begin like values")
          + " under the ring's keys, and the catalog does not say that the column is sealed"
      )
    }
  }
}
