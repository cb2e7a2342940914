import Foundation
import NacreEngine
import NacreStore

extension RowSchema {
  /// The SQL of an order, or nil if the order is empty.
  ///
  /// Nil comes first, or last if the order is reversed, in SQLite as with `SortDescriptor`.
  func sql<Row>(_ order: [SortDescriptor<Row>]) throws -> String? {
    if order.isEmpty { return nil }
    return PredicateSQL.order(
      try order.map { descriptor in
        let column = try column(descriptor)
        return (
          PredicateSQL.column(table, column.name, column.collation),
          descriptor.order == .reverse
        )
      }
    )
  }

  /// The column that a descriptor orders by, and its collation if that is not SQLite's own.
  private func column<Row>(
    _ descriptor: SortDescriptor<Row>
  ) throws -> (name: String, collation: String?) {
    guard let path = descriptor.keyPath else {
      throw NacreError(
        .untranslatablePredicate,
        entity: name,
        detail: "an order without a key path"
      )
    }
    if isObjectID(path) { return ("objectID", nil) }
    guard let property = property(path), case .value(let kind) = property.kind else {
      throw NacreError(
        .noSuchProperty,
        entity: name,
        detail: "\(path) is not a stored value to order by"
      )
    }
    if kind.sealing != nil {
      throw NacreError(
        .sealedCondition,
        entity: name,
        property: property.name,
        detail: "ciphertexts have no order; order the fetched objects"
      )
    }
    do {
      try check(descriptor, Swift.type(of: path).valueType)
    } catch {
      throw NacreError.wrap(error, at: self, property: property.index, identity: nil)
    }
    return (property.column, RowSQL.collation(property))
  }

  private func check<Row>(_ descriptor: SortDescriptor<Row>, _ type: Any.Type) throws {
    if let comparator = descriptor.stringComparator, comparator != .lexical {
      throw NacreError.untranslatable(
        "an order by a localized comparator",
        instead: "order by `.lexical`, or order the fetched objects"
      )
    }
    // Refuses types that have no order in SQL; decimals get theirs from the collation.
    _ = try StoredComparison.order(of: type)
  }
}
