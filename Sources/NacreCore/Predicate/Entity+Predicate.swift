public import Foundation

// Conditions as `#Predicate` and orders as `SortDescriptor`.
//
// Nacre translates a predicate to SQL as a whole or not at all. It selects the same objects as it would in memory, with
// these differences:
// - Texts are compared and ordered by their UTF-8. In one normal form that is Swift's order. `contains` and
//   `starts(with:)` compare characters.
// - A forced unwrap of nil and an integer division by zero make a comparison false, where Swift throws or traps.
// - `loaded` of a link means the stored object, whether it is loaded or not.
// - A sealed property is compared in the form that its normalizer makes.
//
// A predicate can use a link's `objectID`, compare the link with nil, and use properties of its object by `loaded`. On
// links it can use `contains`, `allSatisfy` and `filter` with a closure; `filter` has `count` and `isEmpty`.

extension Entity {
  /// The query for the objects that match a predicate.
  /// ```swift
  /// let red = Car.where(#Predicate { $0.color == "red" }).ordered(by: SortDescriptor(\.power))
  /// let bobs = Car.where(#Predicate { $0.owner?.loaded?.name == "Bob" })
  /// let shared = Car.where(#Predicate { $0.drivers.filter { $0.age != nil }.count > 1 })
  /// let open = Car.where(#Predicate { !$0.drivers.contains { $0.objectID == id } })
  /// ```
  /// In the store, `loaded` is the object that a link refers to, whether it is loaded or not; a predicate that is
  /// evaluated in memory sees the object only if it is loaded. Evaluating in memory reads the elements of links, and
  /// throws if it can't read them.
  ///
  /// - Parameters:
  ///   - predicate: over stored properties, children and links, to any depth; a sealed property, also one of theirs,
  ///     supports only `==`, `!=` and `contains` of a list, and only if it is searchable.
  ///   - filteringInMemory: whether Nacre evaluates a predicate that has no SQL on all stored objects, one after
  ///     another, each time the query runs; otherwise such a predicate is an error.
  /// - Returns: the query.
  public static func `where`(
    _ predicate: Predicate<Self>,
    filteringInMemory: Bool = false
  ) -> Query<Self> {
    all.matching(predicate, filteringInMemory: filteringInMemory)
  }

  /// Fetches the first object that matches a predicate, with its children; nil if there is none.
  /// ```swift
  /// let car = try Car.fetchOne(#Predicate { $0.plate == "AB-123-C" })
  /// ```
  ///
  /// - Parameters:
  ///   - predicate: as of ``where(_:filteringInMemory:)``.
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
    try self.where(predicate, filteringInMemory: filteringInMemory).ordered(by: order)
      .with(links).fetchOne()
  }

  /// The twin of ``fetchOne(_:orderBy:filteringInMemory:with:)``.
  ///
  /// - Throws: ``NacreError``, also for what has no SQL.
  public static func fetchOne(
    _ predicate: Predicate<Self>,
    orderBy order: [SortDescriptor<Self>] = [],
    filteringInMemory: Bool = false,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending Self? {
    try await self.where(predicate, filteringInMemory: filteringInMemory).ordered(by: order)
      .with(links).fetchOne()
  }

  /// Fetches the objects that match a predicate with their children, or one page of them.
  /// ```swift
  /// let fast = try Car.fetchAll(#Predicate { $0.power > 200 }, orderBy: [SortDescriptor(\.power, order: .reverse)])
  /// ```
  ///
  /// - Parameters:
  ///   - predicate: as of ``where(_:filteringInMemory:)``.
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
    try self.where(predicate, filteringInMemory: filteringInMemory).ordered(by: order)
      .arranged(nil, page, size).with(links).fetchAll()
  }

  /// The twin of ``fetchAll(_:orderBy:page:size:filteringInMemory:with:)``.
  ///
  /// - Throws: ``NacreError``, also for what has no SQL.
  public static func fetchAll(
    _ predicate: Predicate<Self>,
    orderBy order: [SortDescriptor<Self>] = [],
    page: Int? = nil,
    size: Int? = nil,
    filteringInMemory: Bool = false,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending [Self] {
    try await self.where(predicate, filteringInMemory: filteringInMemory).ordered(by: order)
      .arranged(nil, page, size).with(links).fetchAll()
  }

  /// Fetches all objects in an order with their children, or one page of them.
  ///
  /// - Parameters:
  ///   - order: by key paths of stored properties, or `objectID`.
  ///   - page: the page's index, from 0.
  ///   - size: how many objects a page has; nil, 0 or less fetches all.
  ///   - links: links whose objects are loaded as well.
  /// - Returns: the objects.
  /// - Throws: ``NacreError``, also when the order is not by a stored value.
  public static func fetchAll(
    orderBy order: [SortDescriptor<Self>],
    page: Int? = nil,
    size: Int? = nil,
    with links: PartialKeyPath<Self>...
  ) throws -> [Self] {
    try all.ordered(by: order).arranged(nil, page, size).with(links).fetchAll()
  }

  /// The twin of ``fetchAll(orderBy:page:size:with:)-([SortDescriptor<Self>],_,_,_)``.
  ///
  /// - Throws: ``NacreError``, also when the order is none that is stored.
  public static func fetchAll(
    orderBy order: [SortDescriptor<Self>],
    page: Int? = nil,
    size: Int? = nil,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending [Self] {
    try await all.ordered(by: order).arranged(nil, page, size).with(links).fetchAll()
  }

  /// How many objects match a predicate.
  ///
  /// - Throws: ``NacreError/Code/untranslatablePredicate`` for what has no SQL, and other ``NacreError``.
  public static func count(_ predicate: Predicate<Self>) throws -> Int {
    try self.where(predicate).count()
  }

  /// The twin of ``count(_:)-(Predicate<Self>)``.
  ///
  /// - Throws: ``NacreError``, also for what has no SQL.
  public static func count(_ predicate: Predicate<Self>) async throws -> Int {
    try await self.where(predicate).count()
  }

  /// Deletes all objects that match a predicate, without loading them.
  ///
  /// - Parameters:
  ///   - predicate: as of ``where(_:filteringInMemory:)``.
  ///   - cascade: whether to delete the children.
  /// - Returns: how many objects of this entity were deleted.
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public static func deleteAll(
    _ predicate: Predicate<Self>,
    cascade: Bool = false
  ) throws -> Int {
    try self.where(predicate).deleteAll(cascade: cascade)
  }

  /// The twin of ``deleteAll(_:cascade:)-(Predicate<Self>,_)``.
  ///
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public static func deleteAll(
    _ predicate: Predicate<Self>,
    cascade: Bool = false
  ) async throws -> Int {
    try await self.where(predicate).deleteAll(cascade: cascade)
  }

  /// Reads the objects that match a predicate one after another, in constant memory.
  ///
  /// - Parameters:
  ///   - predicate: as of ``where(_:filteringInMemory:)``.
  ///   - order: by key paths of stored properties, or `objectID`.
  ///   - links: links whose objects are loaded as well.
  /// - Returns: the cursor, before its first object.
  /// - Throws: ``NacreError``.
  public static func cursor(
    _ predicate: Predicate<Self>,
    orderBy order: [SortDescriptor<Self>] = [],
    with links: PartialKeyPath<Self>...
  ) throws -> EntityCursor<Self> {
    try self.where(predicate).ordered(by: order).with(links).cursor()
  }

  /// The twin of ``cursor(_:orderBy:with:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``.
  public static func cursor(
    _ predicate: Predicate<Self>,
    orderBy order: [SortDescriptor<Self>] = [],
    with links: PartialKeyPath<Self>...
  ) async throws -> sending EntityCursor<Self> {
    try await self.where(predicate).ordered(by: order).with(links).cursor()
  }
}

extension Query {
  /// The same query for those rows alone that also match a predicate.
  /// ```swift
  /// let bobs = Car.where("power > ?", 200).where(#Predicate { $0.owner?.loaded?.name == "Bob" })
  /// ```
  /// A predicate over two links takes the compiler long; two predicates over one link each do not.
  ///
  /// - Parameters:
  ///   - predicate: as of `Entity.where`.
  ///   - filteringInMemory: whether Nacre evaluates a predicate that has no SQL on all stored rows.
  /// - Returns: the query.
  public func `where`(_ predicate: Predicate<Row>, filteringInMemory: Bool = false) -> Query {
    matching(predicate, filteringInMemory: filteringInMemory)
  }

  /// The same query for those rows alone that also match a predicate.
  package func matching(_ predicate: Predicate<Row>, filteringInMemory: Bool) -> Query {
    matching {
      PredicateSource(rows: rows, predicate: predicate, filtersInMemory: filteringInMemory)
    }
  }

  /// The same query ordered by stored properties or `objectID`; without arguments the order stays as it is.
  ///
  /// Nil comes first, or last if the order is reversed. An order by a value that is not stored is an error when the
  /// query runs.
  public func ordered(by order: SortDescriptor<Row>...) -> Query { ordered(by: order) }

  /// The same query in an order that is made at run time.
  public func ordered(by order: [SortDescriptor<Row>]) -> Query {
    changed { $0.order = try rows.schema.sql(order) ?? $0.order }
  }

  /// The same query ordered by a property of the objects behind a link.
  /// ```swift
  /// let cars = try Car.all.ordered(by: \.owner, \.handle).fetchAll()
  /// ```
  /// Rows without an object come first, or last if the order is reversed. An order by a sealed
  /// property is an error when the query runs.
  ///
  /// - Parameters:
  ///   - link: a link to one object.
  ///   - property: a stored value of that object, or its `objectID`.
  ///   - order: `.forward`, or `.reverse` for the greatest value first.
  /// - Returns: the query.
  public func ordered<T: Entity, V>(
    by link: KeyPath<Row, Link<T>?>,
    _ property: KeyPath<T, V>,
    _ order: SortOrder = .forward
  ) -> Query {
    changed { $0.order = try rows.schema.sql(T.entitySchema, property, through: link, order) }
  }
}
