import NacreStore

// The same calls with named arguments: `"power > :min"` and `["min": 200]`.

extension Entity {
  /// Fetches the first object that matches a condition with named arguments, with its children; nil
  /// if there is none.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public static func fetchOne(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) throws -> Self? {
    try self.where(condition, arguments).arranged(order).with(links).fetchOne()
  }

  /// Fetches the objects that match a condition with named arguments with their children, or one
  /// page of them.
  /// ```swift
  /// let cars = try Car.fetchAll(
  ///   where: "power > :min AND color IN (:colors)",
  ///   ["min": 200, "colors": ["red", "blue"]]
  /// )
  /// ```
  ///
  /// - Parameters:
  ///   - condition: SQL with `:name` for each argument.
  ///   - arguments: the values by name; a list is an argument of `IN (:name)`.
  ///   - order: SQL, such as `"power DESC"`.
  ///   - page: the page's index, from 0.
  ///   - size: how many objects a page has; nil, 0 or less fetches all.
  ///   - links: links whose objects are loaded as well.
  /// - Returns: the objects.
  /// - Throws: ``NacreError``, also when an argument is missing, or the text has no parameter of an
  ///   argument's name.
  public static func fetchAll(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil,
    with links: PartialKeyPath<Self>...
  ) throws -> [Self] {
    try self.where(condition, arguments).arranged(order, page, size).with(links).fetchAll()
  }

  /// Reads some properties of the objects that match a condition with named arguments.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public static func fetchValues<each V>(
    _ properties: repeat KeyPath<Self, each V>,
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) throws -> [(repeat each V)] {
    try self.where(condition, arguments).arranged(order, page, size)
      .values(repeat each properties)
  }

  /// Returns how many objects match a condition with named arguments.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public static func count(where condition: String, _ arguments: NamedArguments) throws -> Int {
    try self.where(condition, arguments).count()
  }

  /// Reads the objects that match a condition with named arguments one after another.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public static func cursor(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) throws -> EntityCursor<Self> {
    try self.where(condition, arguments).arranged(order).with(links).cursor()
  }

  /// Deletes all objects that match a condition with named arguments, without loading them.
  ///
  /// - Returns: how many objects of this entity were deleted.
  /// - Throws: ``NacreError``, also when an argument is missing; then nothing is deleted.
  @discardableResult
  public static func deleteAll(
    where condition: String,
    _ arguments: NamedArguments,
    cascade: Bool = false
  ) throws -> Int {
    try self.where(condition, arguments).deleteAll(cascade: cascade)
  }
}

extension Links {
  /// Fetches the elements that match a condition with named arguments, or one page of them.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public func fetchAll(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) throws -> [Target] {
    try fetch(Target.where(condition, arguments).arranged(order, page, size).request)
  }
}
