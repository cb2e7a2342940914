import Foundation
import NacreEngine
import NacreStore

extension RowSchema {
  /// The SQL of an order, or nil if the order is empty.
  ///
  /// Nil comes first, or last if the order is reversed, in SQLite as with `SortDescriptor`.
  func sql<Row>(_ order: [SortDescriptor<Row>]) throws -> QueryOrder? {
    if order.isEmpty { return nil }
    return QueryOrder(
      try order.map { descriptor in
        let column = try column(descriptor)
        return QueryOrder.Term(
          table: table,
          column: column.name,
          holdsDecimals: column.holdsDecimals,
          isReverse: descriptor.order == .reverse
        )
      }
    )
  }

  /// The column that a descriptor orders by, and whether it holds decimals.
  private func column<Row>(
    _ descriptor: SortDescriptor<Row>
  ) throws -> (name: String, holdsDecimals: Bool) {
    guard let path = descriptor.keyPath else {
      throw error(.untranslatablePredicate, "an order without a key path")
    }
    if isObjectID(path) { return ("objectID", false) }
    guard let property = property(path), case .value(let kind) = property.kind else {
      throw error(.noSuchProperty, "\(path) is not a stored value to order by")
    }
    if kind.sealing != nil {
      let advice = "ciphertexts have no order; order the fetched objects"
      throw error(.sealedCondition, of: property, advice)
    }
    do {
      try check(descriptor, Swift.type(of: path).valueType)
    } catch {
      throw NacreError.wrap(error, at: self, property: property.index, identity: nil)
    }
    return (property.column, property.holdsDecimals)
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
