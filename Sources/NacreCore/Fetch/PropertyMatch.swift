import Foundation
import NacreCrypto
import NacreEngine
import NacreSQLite
import NacreStore

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

  /// Encodes the values in the form in which a store has them.
  ///
  /// - Throws: `noSuchProperty`, `valueMismatch`, and `sealedCondition` for a sealed property that
  ///   is not searchable.
  init(
    _ path: AnyKeyPath,
    of schema: RowSchema,
    in wanted: [Any],
    limit: Int = .max,
    for store: Store
  ) throws {
    guard let property = schema.property(path), case .value = property.kind else {
      throw NacreError(.noSuchProperty, entity: schema.name, detail: "\(path)")
    }
    try self.init(property, of: schema, in: wanted, limit: limit, for: store)
  }

  /// Encodes the values for a property that is at hand.
  init(
    _ property: Property,
    of schema: RowSchema,
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
      // JSON is stored as text, so a number needs no JSON options.
      if !kind.takesAnyClass, [.integer, .real].contains(kind.storageClass) {
        try take(wanted, kind)
      } else {
        try JSONOptions.using(store) { try take(wanted, kind) }
      }
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

  /// Makes a search for the one object that has a stored value of a searchable property.
  init(_ property: Property, stored value: Value) {
    self.property = property
    values = [value]
    limit = 1
  }

  /// The search in parts that are small enough for one statement each; nil goes with the first
  /// part.
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

extension EntitySession {
  /// Fetches the objects that match, with the objects that they own.
  func fetch<E: Entity>(_ type: E.Type, _ match: PropertyMatch) throws -> [E] {
    try consistently {
      let plan = try plan(for: E.entitySchema)
      return try found(
        match,
        plan.row,
        byTerms: { try fetch(type, plan, $0, $1) },
        byIdentities: { try fetch(type, plan, $0) }
      )
    }
  }

  /// Returns the matches, part by part.
  ///
  /// A plain property is searched by terms, and a sealed one by the identities of the candidates
  /// that its index finds.
  func found<T>(
    _ match: PropertyMatch,
    _ plan: RowPlan,
    byTerms: (QueryTerms, [Value]) throws -> [T],
    byIdentities: ([ObjectID]) throws -> [T]
  ) throws -> [T] {
    var found: [T] = []
    for part in match.parts where found.count < match.limit {
      if part.property.isSealed {
        found += try byIdentities(candidates(part, plan))
        continue
      }
      let condition = plan.sql.isOneOf(
        part.property,
        count: part.values.count,
        includesNull: part.includesNull
      )
      let limit = part.limit == .max ? nil : part.limit
      found += try byTerms(QueryTerms(condition: condition, limit: limit), part.values)
    }
    return found
  }

  /// Returns the objects that the blind index finds and that have the value.
  ///
  /// Each envelope is opened, because a short index collides on purpose.
  func candidates(_ match: PropertyMatch, _ plan: RowPlan) throws -> [ObjectID] {
    // Under an outdated ring, a value that is indexed by a newer key would silently not be found.
    try database.followRing()
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
    _ statement: any PreparedStatement,
    _ property: Property,
    _ identity: ObjectID,
    _ plan: RowPlan
  ) throws -> Value {
    if statement.isNull(at: 1) { return .null }
    do {
      return try plan.open(statement, at: 1, property, identity)
    } catch {
      throw NacreError.wrap(error, at: plan.schema, property: property.index, identity: identity)
    }
  }
}
