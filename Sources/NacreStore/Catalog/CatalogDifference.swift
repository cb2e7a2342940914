import NacreCrypto

/// A difference between the catalog in the file and the one that a holder of the store key wrote
/// last.
public struct CatalogDifference: Sendable, Hashable, Codable {
  /// The entity.
  public let entity: String
  /// The property; nil if the entity itself differs.
  public let property: String?
  /// The column of the catalog; nil if the whole row is new or gone.
  public let field: String?
  /// The written content, in words; nil if the row was not there.
  public let written: String?
  /// The content in the file, in words; nil if the row is gone.
  public let found: String?
}

extension CatalogDifference: CustomStringConvertible {
  /// The place and both contents, such as `Car.vin hooked: 0, now 1`.
  public var description: String {
    let place = entity + (property.map { ".\($0)" } ?? "")
    switch (written, found) {
    case (_, nil): return "\(place) is gone"
    case (nil, let found?): return "\(place) is new: \(found)"
    case (let written?, let found?): return "\(place) \(field ?? ""): \(written), now \(found)"
    }
  }
}

extension CatalogDifference {
  /// Returns all differences between two catalogs, by entity and property.
  package static func all(from written: CatalogRecord, to found: CatalogRecord)
    -> [CatalogDifference]
  {
    let entities = differences(
      written.entities,
      found.entities,
      CatalogTable.entityColumns,
      keyCount: 1
    )
    let properties = differences(
      written.properties,
      found.properties,
      CatalogTable.propertyColumns,
      keyCount: 2
    )
    return entities + properties
  }

  /// Describes the first three differences in one line, and counts the others.
  static func words(from written: CatalogRecord, to found: CatalogRecord) -> String {
    let differences = all(from: written, to: found)
    let rest = differences.count - 3
    return differences.prefix(3).map(\.description).joined(separator: "; ")
      + (rest > 0 ? "; and \(rest) more" : "")
  }

  private typealias Row = [CatalogRecord.Cell]

  private static func differences(
    _ written: [Row],
    _ found: [Row],
    _ columns: [String],
    keyCount: Int
  ) -> [CatalogDifference] {
    // Remove the rows that both have; a row that is found twice but was written once remains once.
    var gone = written
    var added: [Row] = []
    for row in found {
      if let index = gone.firstIndex(of: row) { gone.remove(at: index) } else { added.append(row) }
    }
    var differences: [CatalogDifference] = []
    func note(_ row: Row, _ field: String?, _ written: String?, _ found: String?) {
      differences.append(
        CatalogDifference(
          entity: words(row[0]),
          property: keyCount > 1 ? words(row[1]) : nil,
          field: field,
          written: written,
          found: found
        )
      )
    }
    for row in gone {
      let key = row.prefix(keyCount)
      guard let index = added.firstIndex(where: { $0.prefix(keyCount) == key }) else {
        note(row, nil, summary(row, columns, keyCount), nil)
        continue
      }
      let other = added.remove(at: index)
      for (column, cells) in zip(columns, zip(row, other)) where cells.0 != cells.1 {
        note(row, column, words(cells.0), words(cells.1))
      }
    }
    for row in added { note(row, nil, nil, summary(row, columns, keyCount)) }
    return differences.sorted {
      ($0.entity, $0.property ?? "", $0.field ?? "") < (
        $1.entity, $1.property ?? "", $1.field ?? ""
      )
    }
  }

  /// Returns the cells of a row in words, without its names and without those that are NULL.
  private static func summary(_ row: Row, _ columns: [String], _ keyCount: Int) -> String {
    zip(columns, row).dropFirst(keyCount).filter { $0.1 != .null }
      .map { "\($0.0) \(words($0.1))" }.joined(separator: ", ")
  }

  private static func words(_ cell: CatalogRecord.Cell) -> String {
    switch cell {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let bits): "\(Double(bitPattern: bits))"
    case .text(let bytes): String(String(decoding: bytes, as: UTF8.self).prefix(128))
    case .blob(let bytes): bytes.count.counted("byte")
    }
  }
}
