import NacreStore

/// One page of the results of a query, with the counts that a list of pages needs.
public struct Page<Item> {
  /// The items on the page.
  public let items: [Item]
  let place: PagePlace
  /// How many items all pages have.
  public let totalItems: Int

  /// The page's index, counted from ``firstIndex``.
  public var index: Int { place.index }

  /// The index of the first page.
  public var firstIndex: Int { place.first }

  /// How many items a page has at most.
  public var size: Int { place.size }

  /// How many pages there are; 0 if there are no items.
  public var totalPages: Int { totalItems / size + (totalItems % size == 0 ? 0 : 1) }

  /// Whether another page with items follows.
  public var hasNext: Bool {
    index.subtractingReportingOverflow(firstIndex).partialValue < totalPages - 1
  }

  /// Whether there is a page before this one.
  public var hasPrevious: Bool { index > firstIndex }
}

extension Page: Sendable where Item: Sendable {}

/// The page that a caller asks for.
package struct PagePlace: Sendable {
  let index: Int
  let first: Int
  let size: Int
  /// How many items come before the page, at most `Int.max`.
  let offset: Int

  /// Checks the page that a caller asks for, of the rows of an entity or table if it has a name.
  ///
  /// - Throws: `badPage`.
  package init(_ index: Int, size: Int, startingAt first: Int, of name: String? = nil) throws {
    let (number, overflow) = index.subtractingReportingOverflow(first)
    guard size > 0, index >= first, !overflow else {
      throw NacreError(
        .badPage,
        entity: name,
        detail: "the index is \(index), counted from \(first), and the size is \(size)"
      )
    }
    self.index = index
    self.first = first
    self.size = size
    offset = Self.offset(of: number, size: size)
  }

  /// How many items come before the end of the page, at most `Int.max`.
  var end: Int {
    let (end, isBeyond) = offset.addingReportingOverflow(size)
    return isBeyond ? .max : end
  }

  /// Returns how many items come before a page; the page's number counts from 0.
  static func offset(of number: Int, size: Int) -> Int {
    let (offset, isBeyond) = number.multipliedReportingOverflow(by: size)
    return isBeyond ? .max : offset
  }

  /// Returns the limit and offset for the page and size of a `fetchAll`, or nil for no paging.
  ///
  /// An index below 0 means the first page. No size, or a size below 1, means no paging.
  static func range(_ page: Int?, size: Int?) -> (limit: Int, offset: Int)? {
    guard let size, size > 0 else { return nil }
    return (size, offset(of: max(page ?? 0, 0), size: size))
  }
}
