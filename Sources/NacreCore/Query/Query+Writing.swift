public import Foundation
import NacreEngine
import NacreSQLite
import NacreStore

// Changing and deleting the objects of a query without loading them. Objects in memory do not
// change.

extension Query {
  /// Deletes the objects.
  ///
  /// - Parameter cascade: whether to delete the children, too, like
  ///   ``Entity/delete(cascade:)-(Bool)``.
  /// - Returns: how many objects of this entity were deleted.
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public func deleteAll(cascade: Bool = false) throws -> Int {
    try source().write { try $0.entities.deleteAll(E.entitySchema, request, cascade: cascade) }
  }

  /// Changes properties of the objects.
  /// ```swift
  /// try Car.where("power < ?", 50).updateAll(.set(\.color, to: "red"), .increment(\.power, by: 1))
  /// ```
  /// One statement changes the plain properties. Nacre seals the value of a sealed property anew
  /// for each object, bound to it. Conditions and increments use the objects as they were before.
  /// If the class detects conflicts, the rows count as changed.
  ///
  /// - Parameter changes: the changes; if two change one property, the later counts.
  /// - Returns: how many objects were changed.
  /// - Throws: ``NacreError``; then nothing is changed.
  @discardableResult
  public func updateAll(_ changes: Assignment<E>...) throws -> Int {
    let store = try source()
    let made = try changes.map { try $0.change(for: store) }
    return try store.write { try $0.entities.updateAll(E.entitySchema, request, made) }
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

  /// Returns the query for the objects with some identifiers.
  static func identified(by identifiers: some Sequence<UUID>) -> Query<Self> {
    let bytes = identifiers.reduce(into: Data()) { $0.append(ObjectID($1).data) }
    return Query { .isAmongIdentifiers(bytes) }
  }
}

extension SQLArguments {
  /// Returns the condition that an object has one of the given identifiers, 16 bytes each.
  static func isAmongIdentifiers(_ bytes: Data) -> SQLArguments {
    SQLArguments(
      text: RelationshipSQL.isAmongIdentifiers,
      values: [.blob(bytes), .integer(Int64(bytes.count / 16))]
    )
  }
}

extension EntitySession {
  func deleteAll(_ schema: EntitySchema, _ request: FetchRequest, cascade: Bool) throws -> Int {
    let plan = try plan(for: schema)
    let (terms, arguments) = try request.resolved(plan.row, on: self)
    if !cascade && !plan.owned.contains(where: { $0.relationship?.deleteRule == .deny }) {
      return try database.execute(SQLArguments(text: plan.sql.deleteAll(terms), values: arguments))
    }
    let roots = try identities(plan.row, terms, arguments)
    try DeletionGraph(self, schema, roots: roots, rootsStay: false, cascade: cascade).run()
    return roots.count
  }

  func updateAll(
    _ schema: EntitySchema,
    _ request: FetchRequest,
    _ changes: [PropertyChange]
  ) throws -> Int {
    let plan = try plan(for: schema)
    let (terms, arguments) = try request.resolved(plan.row, on: self)
    let sealed = changes.filter(\.property.isSealed)
    let plain = changes.filter { !$0.property.isSealed }
    // Find the objects before the plain properties are set, because the condition may use these.
    let identities = sealed.isEmpty ? nil : try identities(plan.row, terms, arguments)
    let changed = try update(plan.row, terms, arguments, plain)
    guard let identities else { return changed }
    try update(plan.row, identities, sealed)
    return identities.count
  }

  /// Changes plain properties by one statement.
  private func update(
    _ plan: RowPlan,
    _ terms: QueryTerms,
    _ arguments: [Value],
    _ changes: [PropertyChange]
  ) throws -> Int {
    if changes.isEmpty { return 0 }
    for change in changes {
      guard let limit = change.limit else { continue }
      let text = plan.sql.hasValue(of: change.property, isGreater: limit.isGreater, terms)
      guard try scalar(text, arguments + [.integer(limit.value)]) != nil else { continue }
      throw NacreError(.overflow, entity: plan.schema.name, property: change.property.name)
    }
    // The condition's parameters come after others, so their own numbers would be wrong.
    let condition = try terms.condition.map {
      try SQLArguments(text: $0, values: arguments).flattened()
    }
    var terms = terms
    terms.condition = condition?.text
    let text = plan.sql.updateAll(changes.map { ($0.property, $0.isIncrement) }, terms)
    do {
      return try database.execute(
        SQLArguments(text: text, values: changes.map(\.argument) + (condition?.values ?? []))
      )
    } catch {
      throw NacreError.wrap(error, at: plan.schema, property: nil, identity: nil)
    }
  }

  /// Sets sealed properties of each object.
  private func update(
    _ plan: RowPlan,
    _ identities: [ObjectID],
    _ changes: [PropertyChange]
  ) throws {
    let statement = try connection.prepare(
      plan.sql.update(changes.map(\.property), and: plan.sql.raise)
    )
    for identity in identities {
      try identity.bind(to: statement, at: 1)
      for change in changes {
        try plan.seal(change.argument, change.property, identity, into: statement)
      }
      do {
        try statement.run()
      } catch {
        throw NacreError.wrap(error, at: plan.schema, property: nil, identity: identity)
      }
    }
  }

  private func identities(
    _ plan: RowPlan,
    _ terms: QueryTerms,
    _ arguments: [Value]
  ) throws -> [ObjectID] {
    var identities: [ObjectID] = []
    try each(plan.sql.selectIDs(terms), arguments) {
      identities.append(try ObjectID.read(from: $0, at: 0))
    }
    return identities
  }
}
