import Foundation
import NacreEngine
import NacreStore

extension RowSchema {
  /// The SQL of an order, or nil if the order is empty.
  ///
  /// Nil comes first, or last if the order is reversed, in SQLite as with `SortDescriptor`.
  func sql<Row>(_ order: [SortDescriptor<Row>]) throws -> QueryOrder? {
    if order.isEmpty { return nil }
    return QueryOrder(try order.map { try term($0) })
  }

  /// The SQL of an order by a property of the objects behind a link.
  func sql(
    _ target: EntitySchema,
    _ path: AnyKeyPath,
    through link: AnyKeyPath,
    _ order: SortOrder
  ) throws -> QueryOrder {
    let link = try stored(link)
    let property = try target.value(path)
    try target.refuseSealed(property)
    do {
      _ = try StoredComparison.order(of: Swift.type(of: path).valueType)
    } catch {
      throw NacreError.wrap(error, at: target, property: property?.index, identity: nil)
    }
    let term = QueryOrder.Term(
      table: target.table,
      column: property?.column ?? "objectID",
      holdsDecimals: property?.holdsDecimals ?? false,
      isReverse: order == .reverse,
      link: (table, link.column)
    )
    return QueryOrder([term])
  }

  /// The column that a descriptor orders by.
  private func term<Row>(_ descriptor: SortDescriptor<Row>) throws -> QueryOrder.Term {
    guard let path = descriptor.keyPath else {
      throw error(.untranslatablePredicate, "an order without a key path")
    }
    let property = try value(path)
    try refuseSealed(property)
    do {
      if property != nil { try check(descriptor, Swift.type(of: path).valueType) }
    } catch {
      throw NacreError.wrap(error, at: self, property: property?.index, identity: nil)
    }
    return QueryOrder.Term(
      table: table,
      column: property?.column ?? "objectID",
      holdsDecimals: property?.holdsDecimals ?? false,
      isReverse: descriptor.order == .reverse
    )
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
