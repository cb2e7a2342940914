import NacreEngine
import NacreStore

// Further conditions of a query; a row must fulfil all of them.

extension Query {
  /// Returns the same query for those rows alone that also match a condition.
  /// ```swift
  /// let red = Car.where("power > ?", 200).where("color IN (?)", ["red", "orange"])
  /// ```
  /// A limit counts the rows that match all conditions, wherever it stands in the chain.
  ///
  /// - Parameters:
  ///   - condition: SQL with `?` for each argument.
  ///   - arguments: The values of the `?` of this condition.
  /// - Returns: The query.
  public func `where`(_ condition: String, _ arguments: (any QueryArgument)?...) -> Query {
    matching(condition, arguments)
  }

  /// Returns the same query for those rows alone that also match a condition with named arguments.
  ///
  /// Two conditions of a query can use one name for different values.
  ///
  /// - Parameters:
  ///   - condition: SQL with `:name` for each argument.
  ///   - arguments: The values by name.
  /// - Returns: The query.
  public func `where`(_ condition: String, _ arguments: NamedArguments) -> Query {
    matching(condition, arguments)
  }

  /// Returns the same query for those rows alone whose property has a value.
  ///
  /// - Parameters:
  ///   - property: A plain or searchable property; the normalizer of a searchable one decides which
  ///     texts are equal.
  ///   - value: The value; nil finds the rows that have none.
  /// - Returns: The query.
  public func `where`<V: Sendable>(_ property: KeyPath<Row, V>, equals value: V) -> Query {
    matching { try ValueSource(property, of: rows.schema, in: [value]) }
  }

  /// Returns the same query for those rows alone whose property has one of the values.
  ///
  /// - Parameters:
  ///   - property: A plain or searchable property.
  ///   - values: Any number of values; nil among them finds the rows that have none.
  /// - Returns: The query.
  public func `where`<V: Sendable>(
    _ property: KeyPath<Row, V>,
    in values: some Sequence<V>
  ) -> Query {
    matching { try ValueSource(property, of: rows.schema, in: Array(values)) }
  }

  /// Returns the same query for those rows alone that have a link to an object.
  ///
  /// - Parameters:
  ///   - property: A link to one object.
  ///   - link: The link; nil finds the rows that have none.
  /// - Returns: The query.
  public func `where`<T: Entity>(
    _ property: KeyPath<Row, Link<T>?>,
    equals link: Link<T>?
  ) -> Query {
    matching { PropertyMatch(try rows.schema.stored(property), links: [link]) }
  }

  /// Returns the same query for those rows alone that link to an object.
  public func `where`<T: Entity>(_ property: KeyPath<Row, Link<T>?>, equals target: T) -> Query {
    self.where(property, equals: Link(target))
  }
}

extension Entity {
  /// Returns the query for the objects whose property has a value.
  /// ```swift
  /// let red = Car.where(\.color, equals: "red").where("power > ?", 200)
  /// let hers = Car.where(\.owner, equals: ada)  // a link: the object, or another link to it
  /// ```
  ///
  /// - Parameters:
  ///   - property: A plain or searchable property.
  ///   - value: The value; nil finds the objects that have none.
  /// - Returns: The query.
  public static func `where`<V: Sendable>(
    _ property: KeyPath<Self, V>,
    equals value: V
  ) -> Query<Self> {
    all.where(property, equals: value)
  }

  /// Returns the query for the objects whose property has one of the values.
  public static func `where`<V: Sendable>(
    _ property: KeyPath<Self, V>,
    in values: some Sequence<V>
  ) -> Query<Self> {
    all.where(property, in: values)
  }

  /// Returns the query for the objects that have a link to an object; nil finds those without one.
  public static func `where`<T: Entity>(
    _ property: KeyPath<Self, Link<T>?>,
    equals link: Link<T>?
  ) -> Query<Self> {
    all.where(property, equals: link)
  }

  /// Returns the query for the objects that link to an object.
  public static func `where`<T: Entity>(
    _ property: KeyPath<Self, Link<T>?>,
    equals target: T
  ) -> Query<Self> {
    all.where(property, equals: target)
  }
}

/// The values that a property must have, which are encoded once the query has a store.
private struct ValueSource: ConditionSource {
  private let property: Property
  private let schema: RowSchema
  private let values: [any Sendable]

  init(_ path: AnyKeyPath, of schema: RowSchema, in values: [any Sendable]) throws {
    property = try schema.stored(path)
    self.schema = schema
    self.values = values
  }

  func condition(
    _ request: FetchRequest,
    _ statements: RowStatements,
    on session: EntitySession
  ) throws -> Condition {
    try PropertyMatch(property, of: schema, in: values, for: session.home)
      .condition(request, statements, on: session)
  }
}
