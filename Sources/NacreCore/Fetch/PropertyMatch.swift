import Foundation
import NacreCrypto
import NacreSQLite

/// A search by the value of one property, plain or sealed.
struct PropertyMatch: Sendable {
  let property: Property
  /// The values that match, besides nil.
  private(set) var values: [Value] = []
  /// Whether nil matches.
  private(set) var includesNull = false
  /// How many objects to find at most.
  var limit = Int.max

  /// How many values one statement asks for.
  private static let valuesPerStatement = 500

  /// Encodes the values as a store has them.
  ///
  /// - Throws: `noSuchProperty`, `valueMismatch`, and `sealedCondition` for a sealed property that is not searchable.
  init(
    _ path: AnyKeyPath,
    of schema: EntitySchema,
    in wanted: [Any],
    limit: Int = .max,
    for store: Store
  ) throws {
    guard let property = schema.property(path), case .value = property.kind else {
      throw NacreError(.noSuchProperty, entity: schema.name, detail: "\(path)")
    }
    try self.init(property, of: schema, in: wanted, limit: limit, for: store)
  }

  /// The same for a property that is at hand.
  init(
    _ property: Property,
    of schema: EntitySchema,
    in wanted: [Any],
    limit: Int = .max,
    for store: Store
  ) throws {
    guard case .value(let kind) = property.kind else {
      throw NacreError(.noSuchProperty, entity: schema.name, property: property.name)
    }
    if property.isSealed && property.indexColumn == nil {
      throw NacreError(
        .sealedCondition,
        entity: schema.name,
        property: property.name,
        detail: "mark it @Encrypted(searchable: true) to fetch by its value"
      )
    }
    self.property = property
    self.limit = limit
    do {
      try JSONOptions.using(store.options.json) { try take(wanted, kind) }
    } catch {
      throw NacreError.wrap(error, at: schema, property: property.index, identity: nil)
    }
  }

  private mutating func take(_ wanted: [Any], _ kind: Property.ValueKind) throws {
    var seen: Set<Data> = []
    for value in wanted {
      let stored = try kind.encode(value)
      if stored == .null {
        includesNull = true
      } else if seen.insert(stored.indexed(kind.sealing?.normalizer ?? .exact)).inserted {
        values.append(stored)
      }
    }
  }

  /// A search for the one object that has a stored value of a searchable property.
  init(_ property: Property, stored value: Value) {
    self.property = property
    values = [value]
    limit = 1
  }

  /// The same in parts that are small enough for one statement each; nil goes with the first.
  var parts: [PropertyMatch] {
    if values.count <= Self.valuesPerStatement { return [self] }
    return stride(from: 0, to: values.count, by: Self.valuesPerStatement).map { start in
      var part = self
      part.values = Array(values[start..<min(start + Self.valuesPerStatement, values.count)])
      part.includesNull = includesNull && start == 0
      return part
    }
  }
}

extension Database {
  /// Fetches the objects that match, with what they own.
  func fetch<E: Entity>(_ type: E.Type, _ match: PropertyMatch) throws -> [E] {
    return try consistently {
      let plan = try plan(for: E.entitySchema)
      var found: [E] = []
      for part in match.parts where found.count < match.limit {
        found += try match.property.isSealed ? fetchSealed(part, plan) : fetchPlain(part, plan)
      }
      return found
    }
  }

  private func fetchPlain<E: Entity>(_ match: PropertyMatch, _ plan: EntityPlan) throws -> [E] {
    var terms = QueryTerms()
    terms.condition = plan.sql.isOneOf(
      match.property,
      count: match.values.count,
      includesNull: match.includesNull
    )
    terms.limit = match.limit == .max ? nil : match.limit
    let statement = try bound(plan.sql.select(terms), match.values)
    return try objects(E.self, plan, statement, plan.reader(statement), [])
  }

  private func fetchSealed<E: Entity>(_ match: PropertyMatch, _ plan: EntityPlan) throws -> [E] {
    let identities = try candidates(match, plan)
    if identities.isEmpty { return [] }
    let text = RelationshipSQL.targets(of: plan.schema)
    let (statement, reader) = try plan.rows(StatementKey(.targets), text, base: 1)
    try bind(identities.sorted(), to: statement)
    return try objects(E.self, plan, statement, reader, [])
  }

  /// Opens what the blind index finds, and keeps what has the value: a short index collides on purpose.
  func candidates(_ match: PropertyMatch, _ plan: EntityPlan) throws -> [ObjectID] {
    // Under a ring that is out of date, what is indexed by a newer key would not be found, without a word.
    try home.keys.follow(on: connection, isLater: true)
    let normalizer = match.property.sealing?.normalizer ?? .exact
    let wanted = Set(match.values.map { $0.indexed(normalizer) })
    var values = match.values
    if match.includesNull && match.property.sealing?.hidesNil == true { values.append(.null) }
    let tokens = try values.flatMap { try plan.tokens(of: $0, match.property) }
    let text = plan.sql.selectCandidates(
      match.property,
      tokenCount: tokens.count,
      includesNull: match.includesNull
    )
    var found: [ObjectID] = []
    let statement = try bound(text, tokens.map { .blob(Data($0)) })
    defer { statement.reset() }
    while found.count < match.limit, try statement.step() {
      let identity = try ObjectID.read(from: statement, at: 0)
      let value = try opened(statement, match.property, identity, plan)
      let isMatch =
        value == .null ? match.includesNull : wanted.contains(value.indexed(normalizer))
      if isMatch { found.append(identity) }
    }
    return found
  }

  private func opened(
    _ statement: Statement,
    _ property: Property,
    _ identity: ObjectID,
    _ plan: EntityPlan
  ) throws -> Value {
    if statement.isNull(at: 1) { return .null }
    do {
      return try plan.open(statement, at: 1, property, identity)
    } catch {
      throw NacreError.wrap(error, at: plan.schema, property: property.index, identity: identity)
    }
  }
}
