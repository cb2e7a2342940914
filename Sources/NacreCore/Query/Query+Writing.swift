public import Foundation
import NacreEngine
import NacreStore

// Changing and deleting the rows of a query without loading them. Objects in memory do not change.

extension Query {
  /// Deletes the objects, without their children, or the records.
  ///
  /// - Returns: How many there were.
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public func deleteAll() throws -> Int { try write { try rows.deleteAll(request, on: $0) } }

  /// The async twin of ``deleteAll()-()``.
  ///
  /// - Returns: how many rows were deleted.
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public func deleteAll() async throws -> Int {
    try await writing { [rows, request] in try rows.deleteAll(request, on: $0) }
  }

  /// Changes properties of the objects or records.
  /// ```swift
  /// try Car.where("power < ?", 50).updateAll(.set(\.color, to: "red"), .increment(\.power, by: 1))
  /// ```
  /// One statement changes the plain properties. Nacre seals the value of a sealed property anew
  /// for each row, bound to it. Conditions and increments use the rows as they were before. If the
  /// class detects conflicts, the rows count as changed. Records are not validated.
  ///
  /// - Parameter changes: the changes; if two change one property, the later counts.
  /// - Returns: how many rows were changed.
  /// - Throws: ``NacreError``; then nothing is changed.
  @discardableResult
  public func updateAll(_ changes: Assignment<Row>...) throws -> Int { try updateAll(changes) }

  /// The async twin of ``updateAll(_:)-(Assignment<Row>...)``.
  ///
  /// - Parameters:
  ///   - changes: what to change.
  ///   - isolation: the caller's actor.
  /// - Returns: how many rows were changed.
  /// - Throws: ``NacreError``; then nothing is changed.
  @discardableResult
  public func updateAll(
    _ changes: Assignment<Row>...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    try await updateAll(changes)
  }

  /// Changes properties of the objects or records by a list of changes.
  ///
  /// - Throws: ``NacreError``; then nothing is changed.
  @discardableResult
  public func updateAll(_ changes: [Assignment<Row>]) throws -> Int {
    let made = try made(changes)
    return try write { try $0.updateAll(rows, request, made) }
  }

  /// The async twin of ``updateAll(_:)-([Assignment<Row>])``.
  ///
  /// - Parameters:
  ///   - changes: what to change.
  ///   - isolation: the caller's actor.
  /// - Returns: how many rows were changed.
  /// - Throws: ``NacreError``; then nothing is changed.
  @discardableResult
  public func updateAll(
    _ changes: [Assignment<Row>],
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let made = try made(changes)
    return try await writing { [rows, request] in try $0.updateAll(rows, request, made) }
  }

  /// Returns changes with their values encoded by the store's options, the last one for each property.
  package func made(_ changes: [Assignment<Row>]) throws -> [PropertyChange] {
    let (store, schema) = (try source(), try rows.schema)
    var made: [PropertyChange] = []
    for change in changes {
      let change = try change.change(in: schema, for: store)
      // SQLite takes the last of several values for one column, and a server refuses them.
      made.removeAll { $0.property.index == change.property.index }
      made.append(change)
    }
    return made
  }

  /// Runs `body` in the open transaction, or else in one of its own.
  private func write(_ body: (EntitySession) throws -> Int) throws -> Int {
    try source().withWriter { database in
      let session = database.entities
      return try session.saving { try body(session) }
    }
  }

  /// Waits for the writer, and runs `body` in a transaction of its own.
  private func writing(
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable (EntitySession) throws -> Int
  ) async throws -> Int {
    try await source().writeInBackground { database in
      let session = database.entities
      return try session.owningTransaction { try body(session) }
    }
  }
}

extension Query where Row: Entity {
  /// Deletes the objects.
  ///
  /// - Parameter cascade: whether to delete the children, too, like
  ///   ``Entity/delete(cascade:)-(Bool)``.
  /// - Returns: how many objects of this entity were deleted.
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public func deleteAll(cascade: Bool) throws -> Int {
    try write { try $0.deleteAll(Row.entitySchema, request, cascade: cascade) }
  }

  /// The async twin of ``deleteAll(cascade:)-(Bool)``.
  ///
  /// - Parameter cascade: whether to delete the children.
  /// - Returns: how many objects of this entity were deleted.
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public func deleteAll(cascade: Bool) async throws -> Int {
    try await writing { [request] in
      try $0.deleteAll(Row.entitySchema, request, cascade: cascade)
    }
  }
}

extension Entity {
  /// Deletes the objects with some identifiers, without loading them.
  ///
  /// - Parameters:
  ///   - identifiers: any number of objectIDs; one that nothing is stored under is passed over.
  ///   - cascade: whether to delete the children.
  /// - Returns: how many objects of this entity were deleted.
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public static func deleteAll(
    ids identifiers: some Sequence<UUID>,
    cascade: Bool = false
  ) throws -> Int {
    try identified(by: identifiers).deleteAll(cascade: cascade)
  }

  /// The async twin of ``deleteAll(ids:cascade:)``.
  ///
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public static func deleteAll(
    ids identifiers: some Sequence<UUID>,
    cascade: Bool = false
  ) async throws -> Int {
    try await identified(by: identifiers).deleteAll(cascade: cascade)
  }

  /// Returns the query for the objects with some identifiers.
  static func identified(by identifiers: some Sequence<UUID>) -> Query<Self> {
    let bytes = identifiers.reduce(into: Data()) { $0.append(ObjectID($1).data) }
    return all.matching { Condition.isAmongIdentifiers(bytes) }
  }
}

extension EntityRows {
  func deleteAll(_ request: FetchRequest, on session: EntitySession) throws -> Int {
    try session.deleteAll(E.entitySchema, request, cascade: false)
  }
}

extension EntitySession {
  func deleteAll(_ schema: EntitySchema, _ request: FetchRequest, cascade: Bool) throws -> Int {
    let statements = try statements(for: schema)
    if !cascade && !statements.owned.contains(where: { $0.relationship?.deleteRule == .deny }) {
      return try deleteAll(statements.row, request)
    }
    let (terms, arguments) = try request.resolved(statements.row, on: self)
    let roots = try identities(statements.row.sql.selectIDs(terms), arguments)
    let graph = try DeletionGraph(self, schema, roots: roots, rootsStay: false, cascade: cascade)
    try atomically(.savepoint) { try graph.run() }
    return roots.count
  }

  /// Deletes the rows that a request finds, by one statement.
  package func deleteAll(_ statements: RowStatements, _ request: FetchRequest) throws -> Int {
    let (terms, arguments) = try request.resolved(statements, on: self)
    let sql = SQLArguments(text: statements.sql.deleteAll(terms), values: arguments)
    do {
      // A trigger of the application's can let a statement fail half-way (RAISE(FAIL)).
      return try atomically(.savepoint) { try database.execute(sql) }
    } catch {
      throw NacreError.wrap(error, at: statements.schema, property: nil, identity: nil)
    }
  }

  func updateAll(
    _ rows: any RowSource,
    _ request: FetchRequest,
    _ changes: [PropertyChange]
  ) throws -> Int {
    let statements = try rows.statements(on: self)
    let (terms, arguments) = try request.resolved(statements, on: self)
    let sealed = changes.filter(\.property.isSealed)
    let plain = changes.filter { !$0.property.isSealed }
    // Find the rows before the plain properties are set, because the condition may use these.
    let found = try sealed.isEmpty ? [] : identities(statements.sql.selectIDs(terms), arguments)
    return try atomically(.savepoint) {
      let count = try update(statements, terms, arguments, plain)
      if sealed.isEmpty { return count }
      try update(statements, found, sealed)
      return found.count
    }
  }

  /// Changes plain properties by one statement.
  private func update(
    _ statements: RowStatements,
    _ terms: QueryTerms,
    _ arguments: [Value],
    _ changes: [PropertyChange]
  ) throws -> Int {
    if changes.isEmpty { return 0 }
    try refuseOverflow(statements, terms, arguments, changes)
    // The condition's parameters come after others, so their own numbers would be wrong.
    let condition = try terms.condition.map {
      try SQLArguments(text: $0, values: arguments).flattened()
    }
    var terms = terms
    terms.condition = condition?.text
    let columns = try changes.map {
      (property: $0.property, change: try $0.valueChange(on: self))
    }
    let text = statements.sql.updateAll(columns, terms)
    do {
      return try database.execute(
        SQLArguments(text: text, values: changes.map(\.argument) + (condition?.values ?? []))
      )
    } catch {
      throw NacreError.wrap(error, at: statements.schema, property: nil, identity: nil)
    }
  }

  /// Throws if a sum would not fit in its property in one of the rows.
  package func refuseOverflow(
    _ statements: RowStatements,
    _ terms: QueryTerms,
    _ arguments: [Value],
    _ changes: [PropertyChange]
  ) throws {
    for change in changes {
      if case .addDecimal(let amount) = change.kind {
        let function = try name(of: .addDecimals)
        let text = statements.sql.lacksSum(of: change.property, by: function, terms)
        guard try database.scalar(text, arguments + [amount]) != nil else { continue }
        throw statements.schema.error(
          .overflow,
          of: change.property,
          "a sum has more digits than a Decimal keeps, or a row holds no decimal"
        )
      }
      guard let limit = change.limit else { continue }
      let text = statements.sql.hasValue(of: change.property, isGreater: limit.isGreater, terms)
      guard try database.scalar(text, arguments + [.integer(limit.value)]) != nil else { continue }
      throw statements.schema.error(.overflow, of: change.property)
    }
  }

  /// Sets sealed properties of each row.
  private func update(
    _ statements: RowStatements,
    _ identities: [ObjectID],
    _ changes: [PropertyChange]
  ) throws {
    let statement = try connection.prepare(
      statements.sql.update(changes.map(\.property), and: statements.sql.raise)
    )
    for identity in identities {
      try identity.bind(to: statement, at: 1)
      for change in changes {
        try statements.seal(change.argument, change.property, identity, into: statement)
      }
      do {
        try statement.run()
      } catch {
        throw NacreError.wrap(error, at: statements.schema, property: nil, identity: identity)
      }
    }
  }
}
