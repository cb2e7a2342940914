import Foundation
import NacreEngine
import NacreStore

extension Entity {
  /// Reads some properties of the objects that a condition is true of, without making objects.
  /// ```swift
  /// let powers = try Car.fetchValues(\.name, \.power, where: "power > ?", 200)   // [(String, Int)]
  /// ```
  ///
  /// - Parameters:
  ///   - properties: Values, plain or sealed.
  ///   - condition: SQL with `?` for each argument.
  ///   - arguments: The values of the `?`.
  ///   - order: SQL, such as `"power DESC"`.
  ///   - page: The page's index, from 0.
  ///   - size: How many rows a page has; nil, 0 or less reads all.
  /// - Returns: A row of values for each object.
  /// - Throws: ``NacreError``, also when a key path leads to a child or link.
  @_disfavoredOverload
  public static func fetchValues<each V>(
    _ properties: repeat KeyPath<Self, each V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) throws -> [(repeat each V)] {
    try query(condition, arguments).arranged(order, page, size).values(repeat each properties)
  }

  /// The async twin of ``fetchValues(_:where:_:orderBy:page:size:)``; the rows are read on the
  /// caller's own actor.
  ///
  /// - Throws: ``NacreError``, or `CancellationError` when the task is cancelled while it waits.
  @_disfavoredOverload
  public static func fetchValues<each V>(
    _ properties: repeat KeyPath<Self, each V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [(repeat each V)] {
    try await query(condition, arguments).arranged(order, page, size)
      .values(repeat each properties, isolation: isolation)
  }

  /// Reads one property of the objects that a condition is true of, as
  /// `Set(try Car.fetchValues(\.color))` needs it.
  ///
  /// - Parameters:
  ///   - property: A value, plain or sealed.
  ///   - condition: SQL with `?` for each argument.
  ///   - arguments: The values of the `?`.
  ///   - order: SQL, such as `"power DESC"`.
  ///   - page: The page's index, from 0.
  ///   - size: How many values a page has; nil, 0 or less reads all.
  /// - Returns: A value for each object.
  /// - Throws: ``NacreError``, also when the key path leads to a child or link.
  public static func fetchValues<V>(
    _ property: KeyPath<Self, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) throws -> [V] {
    try query(condition, arguments).arranged(order, page, size).values(property)
  }

  /// The async twin of ``fetchValues(_:where:_:orderBy:page:size:)-(KeyPath<Self,V>,_,_,_,_,_)``.
  ///
  /// - Throws: ``NacreError``, or `CancellationError` when the task is cancelled while it waits.
  public static func fetchValues<V>(
    _ property: KeyPath<Self, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [V] {
    try await query(condition, arguments).arranged(order, page, size)
      .values(property, isolation: isolation)
  }
}

extension RowSchema {
  /// Returns the property of a stored value; nil for the objectID.
  func value(_ path: AnyKeyPath) throws -> Property? {
    if isObjectID(path) { return nil }
    guard let property = property(path), case .value = property.kind else {
      throw error(.noSuchProperty, path, "is not a stored value")
    }
    return property
  }

  /// Returns the property of a stored value or of a link to one object; nil for the objectID.
  func valueOrLink(_ path: AnyKeyPath) throws -> Property? {
    if let property = property(path), case .link = property.kind { return property }
    return try value(path)
  }

  /// Throws for a sealed column, because no two envelopes are equal and SQLite would have to
  /// compare or order them.
  func refuseSealed(_ property: Property?) throws {
    guard let property, property.isSealed else { return }
    let advice = "fetch the values, and compare or order them in memory"
    throw error(.sealedCondition, of: property, advice)
  }
}

/// The current row of `fetchValues`.
struct ValueRow {
  private let statement: any EngineStatement
  /// The property of each column; nil for the objectID.
  private let columns: [Property?]
  private let statements: RowStatements
  /// The identity of the row's object; nil if rows are read without it.
  ///
  /// Distinct rows are read without it, and hold nothing sealed.
  private let identity: ObjectID?

  init(
    _ statement: any EngineStatement,
    _ columns: [Property?],
    _ statements: RowStatements,
    hasObjectID: Bool
  ) throws {
    self.statement = statement
    self.columns = columns
    self.statements = statements
    guard hasObjectID else {
      identity = nil
      return
    }
    do {
      identity = try ObjectID.read(from: statement, at: 0)
    } catch {
      throw NacreError.wrap(error, at: statements.schema, property: nil, identity: nil)
    }
  }

  func value<T>(at index: Int) throws -> T {
    let property = columns[index]
    do {
      let value = try decoded(property, Int32(identity == nil ? index : index + 1))
      guard let value = value as? T else { throw ValueError.malformed(type: "\(T.self)") }
      return value
    } catch {
      throw NacreError.wrap(
        error,
        at: statements.schema,
        property: property?.index,
        identity: identity
      )
    }
  }

  private func decoded(_ property: Property?, _ column: Int32) throws -> Any? {
    guard let property else { return try UUID.read(from: statement, at: column) }
    if case .link(let relationship) = property.kind {
      if statement.isNull(at: column) { return nil }
      let identity = try ObjectID.read(from: statement, at: column)
      return relationship.target.makeLink(to: identity, in: statements.session.home.number)
    }
    guard case .value(let kind) = property.kind else { return nil }
    guard let identity, kind.sealing != nil, statement.storageClass(at: column) != .null else {
      return try kind.decode(statement.value(at: column))
    }
    return try kind.decode(
      statements.sealing.open(statement, at: column, property: property.index, identity: identity)
    )
  }
}
