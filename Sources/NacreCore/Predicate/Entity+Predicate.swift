public import Foundation

// Conditions by `#Predicate` and orders by `SortDescriptor`.
//
// A predicate is put into SQL whole or not at all. It is true of what it would be true of in memory, with these
// differences: texts are equal, and ordered, by their UTF-8 (in one normal form that is Swift's order; `contains` and
// `starts(with:)` go by characters); a forced unwrap of nil and an integer division by zero make a comparison false,
// where Swift throws or traps; `loaded` of a link is the stored object, whether it is loaded or not; a sealed property
// is equal as its normalizer has it.

extension Entity {
  /// Fetches the first object that a predicate is true of, with its children; nil where there is none.
  /// ```swift
  /// let car = try Car.fetchOne(#Predicate { $0.plate == "AB-123-C" })
  /// ```
  ///
  /// - Parameters:
  ///   - predicate: over stored properties, children and links; of sealed properties, `==`, `!=` and `contains` of a list
  ///     where they are searchable.
  ///   - order: by key paths of stored properties, or `objectID`.
  ///   - filteringInMemory: whether a predicate that has no SQL is evaluated on stored objects one after another.
  ///   - links: links whose objects are loaded as well.
  /// - Returns: the object, or nil.
  /// - Throws: ``NacreError/Code/untranslatablePredicate`` for what has no SQL,
  ///   ``NacreError/Code/sealedCondition`` for what can't be asked of a sealed property, and other ``NacreError``.
  public static func fetchOne(
    _ predicate: Predicate<Self>,
    orderBy order: [SortDescriptor<Self>] = [],
    filteringInMemory: Bool = false,
    with links: PartialKeyPath<Self>...
  ) throws -> Self? {
    let request = try request(predicate, order, nil, 1, links)
    return try fetch(predicate, request, filteringInMemory: filteringInMemory).first
  }

  /// Fetches the objects that a predicate is true of with their children, or one page of them.
  /// ```swift
  /// let fast = try Car.fetchAll(#Predicate { $0.power > 200 }, orderBy: [SortDescriptor(\.power, order: .reverse)])
  /// ```
  ///
  /// - Parameters:
  ///   - predicate: over stored properties, children and links; of sealed properties, `==`, `!=` and `contains` of a list
  ///     where they are searchable.
  ///   - order: by key paths of stored properties, or `objectID`.
  ///   - page: the page's index, from 0.
  ///   - size: how many objects a page has; nil, 0 or less fetches all.
  ///   - filteringInMemory: whether a predicate that has no SQL is evaluated on stored objects one after another.
  ///   - links: links whose objects are loaded as well.
  /// - Returns: the objects.
  /// - Throws: ``NacreError/Code/untranslatablePredicate`` for what has no SQL,
  ///   ``NacreError/Code/sealedCondition`` for what can't be asked of a sealed property, and other ``NacreError``.
  public static func fetchAll(
    _ predicate: Predicate<Self>,
    orderBy order: [SortDescriptor<Self>] = [],
    page: Int? = nil,
    size: Int? = nil,
    filteringInMemory: Bool = false,
    with links: PartialKeyPath<Self>...
  ) throws -> [Self] {
    let request = try request(predicate, order, page, size, links)
    return try fetch(predicate, request, filteringInMemory: filteringInMemory)
  }

  /// Fetches all objects in an order with their children, or one page of them.
  ///
  /// - Parameters:
  ///   - order: by key paths of stored properties, or `objectID`.
  ///   - page: the page's index, from 0.
  ///   - size: how many objects a page has; nil, 0 or less fetches all.
  ///   - links: links whose objects are loaded as well.
  /// - Returns: the objects.
  /// - Throws: ``NacreError``, also when the order is none that is stored.
  public static func fetchAll(
    orderBy order: [SortDescriptor<Self>],
    page: Int? = nil,
    size: Int? = nil,
    with links: PartialKeyPath<Self>...
  ) throws -> [Self] {
    try fetch(request(nil, order, page, size, links))
  }

  /// How many objects a predicate is true of.
  ///
  /// - Throws: ``NacreError/Code/untranslatablePredicate`` for what has no SQL, and other ``NacreError``.
  public static func count(_ predicate: Predicate<Self>) throws -> Int {
    try count(request(predicate, [], nil, nil, []))
  }

  /// Deletes all objects that a predicate is true of, without loading them.
  ///
  /// - Parameters:
  ///   - predicate: as of ``fetchAll(_:orderBy:page:size:filteringInMemory:with:)``.
  ///   - cascade: whether to delete the children.
  /// - Returns: how many objects of this entity were deleted.
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public static func deleteAll(
    _ predicate: Predicate<Self>,
    cascade: Bool = false
  ) throws -> Int {
    try deleteAll(request(predicate, [], nil, nil, []), cascade)
  }

  /// Reads the objects that a predicate is true of one after another, in constant memory.
  ///
  /// - Parameters:
  ///   - predicate: as of ``fetchAll(_:orderBy:page:size:filteringInMemory:with:)``; nil reads all.
  ///   - order: by key paths of stored properties, or `objectID`.
  ///   - links: links whose objects are loaded as well.
  /// - Returns: the cursor, before its first object.
  /// - Throws: ``NacreError``.
  public static func cursor(
    _ predicate: Predicate<Self>?,
    orderBy order: [SortDescriptor<Self>] = [],
    with links: PartialKeyPath<Self>...
  ) throws -> EntityCursor<Self> {
    try cursor(request(predicate, order, nil, nil, links))
  }
}
