import Foundation
import NacreEngine
import NacreStore
import NacreCrypto

/// The first line of an export: its store, and a description of the tables.
struct TransferHeader: Equatable {
  /// The version of the lines.
  static let version: Int64 = 1

  var storeID: String
  /// Whether sealed values are exported as their envelopes.
  var isSealed: Bool
  var entities: [TransferEntity]
  var joins: [TransferJoin]
}

/// An entity as it is stored, without the columns that follow from its properties: its objectID and its blind indexes.
struct TransferEntity: Equatable {
  var name: String
  var table: String
  var version: Int64
  var columns: [Column]
  /// The indexes of plain columns.
  var indexes: [Index]
  var properties: [CatalogProperty]

  struct Column: Equatable {
    var name: String
    var type: String
    var isNotNull: Bool
    /// Whether the column compares texts as decimals.
    var comparesDecimals = false
    /// The column's DEFAULT value; nil if it has none, or none that is a literal.
    var preset: Value?
  }

  struct Index: Equatable {
    var column: String
    var isUnique: Bool
  }

  /// The property that has a column.
  func property(ofColumn column: String) -> CatalogProperty? {
    properties.first { $0.column.map(SQLName.init) == SQLName(column) }
  }
}

/// A to-many relationship with a table of its own.
struct TransferJoin: Equatable {
  var table: String
  /// The entity that has the relationship.
  var owner: String
  var property: String
  /// The entity that it leads to.
  var child: String
  var isOrdered: Bool
}

// MARK: - To JSON

extension TransferHeader {
  func write(to line: inout JSONWriter) {
    line.object { line in
      line.key("nacre")
      line.string("export")
      line.key("version")
      line.number(TransferHeader.version)
      line.key("storeID")
      line.string(storeID)
      line.key("sealed")
      line.bool(isSealed)
      line.key("entities")
      line.array { line in
        for entity in entities { line.object { entity.write(to: &$0) } }
      }
      line.key("joins")
      line.array { line in
        for join in joins { line.object { join.write(to: &$0) } }
      }
    }
  }
}

extension TransferEntity {
  fileprivate func write(to line: inout JSONWriter) {
    line.key("name")
    line.string(name)
    line.key("table")
    line.string(table)
    line.key("version")
    line.number(version)
    line.key("columns")
    line.array { line in
      for column in columns {
        line.object { line in
          line.key("name")
          line.string(column.name)
          line.key("type")
          line.string(column.type)
          line.key("notnull")
          line.bool(column.isNotNull)
          if column.comparesDecimals {
            line.key("collation")
            line.string(EngineCollation.decimals)
          }
          guard let preset = column.preset else { return }
          line.key("default")
          line.value(preset)
        }
      }
    }
    line.key("indexes")
    line.array { line in
      for index in indexes {
        line.object { line in
          line.key("column")
          line.string(index.column)
          line.key("unique")
          line.bool(index.isUnique)
        }
      }
    }
    line.key("properties")
    line.array { line in
      for property in properties { line.object { property.write(to: &$0) } }
    }
  }
}

extension TransferJoin {
  fileprivate func write(to line: inout JSONWriter) {
    let texts = [("table", table), ("owner", owner), ("property", property), ("child", child)]
    for (name, text) in texts {
      line.key(name)
      line.string(text)
    }
    line.key("ordered")
    line.bool(isOrdered)
  }
}

extension CatalogProperty {
  fileprivate func write(to line: inout JSONWriter) {
    let texts = [
      ("name", name), ("column", column), ("type", type), ("kind", kind), ("target", target),
      ("join", join), ("inverse", inverse),
    ]
    for (name, text) in texts {
      guard let text else { continue }
      line.key(name)
      line.string(text)
    }
    if let isOptional {
      line.key("optional")
      line.bool(isOptional)
    }
    guard let sealing else { return }
    line.key("sealing")
    line.object { line in
      line.key("hidesNil")
      line.bool(sealing.form.hidesNil)
      line.key("padding")
      line.string(sealing.padding.rawValue)
      line.key("hooked")
      line.bool(sealing.isHooked)
      if let suite = sealing.suite {
        line.key("suite")
        line.number(Int64(suite.rawValue))
      }
      guard let index = sealing.form.index else { return }
      line.key("bits")
      line.number(Int64(index.bits))
      line.key("normalizer")
      line.string(index.normalizer.rawValue)
      line.key("unique")
      line.bool(index.isUnique)
    }
  }
}
