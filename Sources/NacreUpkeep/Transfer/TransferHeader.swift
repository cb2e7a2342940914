import Foundation
import NacreEngine
import NacreStore
import NacreCrypto

/// The first line of an export: its store, and a description of the tables.
struct TransferHeader {
  /// The version of the lines.
  static let version: Int64 = 1

  var storeID: String
  /// Whether sealed values are exported as their envelopes.
  var isSealed: Bool
  var entities: [TransferEntity]
  var joins: [TransferJoin]
}

/// An entity as it is stored, without the columns that follow from its properties: its objectID and its blind indexes.
struct TransferEntity {
  var name: String
  var table: String
  var version: Int64
  var columns: [TransferSQL.Column]
  /// The indexes of plain columns.
  var indexes: [Index]
  var properties: [CatalogProperty]

  struct Index {
    var column: String
    var isUnique: Bool
  }
}

/// A to-many relationship with a table of its own.
struct TransferJoin {
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
      line.member("nacre", "export")
      line.member("version", TransferHeader.version)
      line.member("storeID", storeID)
      line.member("sealed", isSealed)
      line.objects("entities", entities) { $0.write(to: &$1) }
      line.objects("joins", joins) { $0.write(to: &$1) }
    }
  }
}

extension TransferEntity {
  fileprivate func write(to line: inout JSONWriter) {
    line.member("name", name)
    line.member("table", table)
    line.member("version", version)
    line.objects("columns", columns) { column, line in
      line.member("name", column.name)
      line.member("type", column.type)
      line.member("notnull", column.isNotNull)
      if column.comparesDecimals { line.member("collation", EngineCollation.decimals) }
      guard let preset = column.preset else { return }
      line.key("default")
      line.value(preset)
    }
    line.objects("indexes", indexes) { index, line in
      line.member("column", index.column)
      line.member("unique", index.isUnique)
    }
    line.objects("properties", properties) { $0.write(to: &$1) }
  }
}

extension TransferJoin {
  fileprivate func write(to line: inout JSONWriter) {
    line.member("table", table)
    line.member("owner", owner)
    line.member("property", property)
    line.member("child", child)
    line.member("ordered", isOrdered)
  }
}

extension CatalogProperty {
  fileprivate func write(to line: inout JSONWriter) {
    let texts = [
      ("name", name), ("column", column), ("type", type), ("kind", kind), ("target", target),
      ("join", join), ("inverse", inverse),
    ]
    for (name, text) in texts {
      if let text { line.member(name, text) }
    }
    if let isOptional { line.member("optional", isOptional) }
    if let fullText { line.member("fullText", fullText.rawValue) }
    guard let sealing else { return }
    line.key("sealing")
    line.object { line in
      line.member("hidesNil", sealing.form.hidesNil)
      line.member("padding", sealing.padding.rawValue)
      line.member("hooked", sealing.isHooked)
      if let suite = sealing.suite { line.member("suite", Int64(suite.rawValue)) }
      guard let index = sealing.form.index else { return }
      line.member("bits", Int64(index.bits))
      line.member("normalizer", index.normalizer.rawValue)
      line.member("unique", index.isUnique)
    }
  }
}
