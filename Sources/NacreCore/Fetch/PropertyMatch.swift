import Foundation
import NacreCrypto
import NacreEngine
import NacreStore

/// A search by the value of one property, plain or sealed, or by a link.
package struct PropertyMatch: Sendable {
  let property: Property
  /// The values that match, besides nil.
  private(set) var values: [Value] = []
  /// Whether nil matches.
  private(set) var includesNull = false
  /// How many rows to find at most.
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
    for store: Store
  ) throws {
    try self.init(schema.stored(path), of: schema, in: wanted, for: store)
  }

  /// Encodes the values for a property that is at hand.
  init(
    _ property: Property,
    of schema: RowSchema,
    in wanted: [Any],
    for store: Store
  ) throws {
    if case .link = property.kind {
      self.init(property, links: wanted.map { unwrapped($0) as? any AnyLink })
      return
    }
    guard case .value(let kind) = property.kind else {
      throw schema.error(.noSuchProperty, property.keyPath, "is neither a stored value nor a link")
    }
    try self.init(property, of: schema, in: wanted, kind, for: store)
  }

  /// Makes a search by a link to one of some objects; nil finds the rows that have none.
  init(_ property: Property, links: [(any AnyLink)?]) {
    self.property = property
    let identities = Set(links.compactMap { $0?.identity })
    values = identities.sorted().map { .blob($0.data) }
    includesNull = links.contains { $0 == nil }
  }

  private init(
    _ property: Property,
    of schema: RowSchema,
    in wanted: [Any],
    _ kind: Property.ValueKind,
    for store: Store
  ) throws {
    if property.isSealed && property.indexColumn == nil {
      throw schema.error(
        .sealedCondition,
        of: property,
        "mark it @Encrypted(searchable: true) to fetch by its value"
      )
    }
    self.property = property
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
  package init(_ property: Property, stored value: Value) {
    self.property = property
    values = [value]
    limit = 1
  }

  /// The search in parts that are small enough for one statement each; nil goes with the first
  /// part.
  fileprivate var parts: [PropertyMatch] {
    if values.count <= Self.valuesPerStatement { return [self] }
    return stride(from: 0, to: values.count, by: Self.valuesPerStatement).map { start in
      var part = self
      part.values = Array(values[start..<min(start + Self.valuesPerStatement, values.count)])
      part.includesNull = includesNull && start == 0
      return part
    }
  }
}

extension PropertyMatch: ConditionSource {
  /// Returns the condition that a row's property has one of the values.
  ///
  /// A plain property is compared, and a sealed one is searched for: the condition has the
  /// identities of the rows that were found.
  func condition(
    _ request: FetchRequest,
    _ statements: RowStatements,
    on session: EntitySession
  ) throws -> Condition {
    if property.isSealed {
      var match = self
      // In an order, the first rows may be found last.
      if request.order == nil, request.offset == 0 { match.limit = request.limit ?? .max }
      let found = try session.candidates(match, statements)
      return .isAmongIdentifiers(found.reduce(into: Data()) { $0.append($1.data) })
    }
    if values.count <= Self.valuesPerStatement {
      let text = statements.sql.isOneOf(property, count: values.count, includesNull: includesNull)
      return Condition(
        text: try statements.sql.dialect.condition(text) { NamedColumns() },
        arguments: values,
        isMade: true
      )
    }
    let sql = PredicateSQL.isOneOf(
      "\(word: RowSQL.matched(property, statements.sql.dialect))",
      PackedValues(values: values),
      try session.listItem,
      statements.sql.dialect
    )
    let orNull = includesNull ? " OR \(RowSQL.column(property)) IS NULL" : ""
    return Condition(text: sql.text + orNull, arguments: sql.arguments, isMade: true)
  }
}

extension RowStatements {
  /// Returns the condition that a row has one of these keys, the parts of one after those of
  /// another.
  package func isOneOf(keys: [Value]) throws -> Condition {
    let sql = PredicateSQL.isOneOf(
      sql.keyColumns,
      PackedValues(values: keys),
      try session.listItem,
      sql.dialect
    )
    let text = try session.connection.dialect.condition(sql.text) { NamedColumns() }
    return Condition(text: text, arguments: sql.arguments, isMade: true)
  }
}

extension EntitySession {
  /// Defines a function on the connection and returns its name.
  func name(of function: EngineFunction) throws -> String {
    try NacreError.wrapping { try connection.provide(function) }
  }

  /// The function that returns a list's items; nil if the engine calls no functions.
  var listItem: String? {
    get throws { connection.dialect.calls(.listItem) ? try name(of: .listItem) : nil }
  }

  /// Returns the identities of the rows that the blind index finds and that have one of the values.
  ///
  /// Each envelope is opened, because a short index collides on purpose.
  package func candidates(_ match: PropertyMatch, _ statements: RowStatements) throws -> [ObjectID]
  {
    var found: [ObjectID] = []
    for part in match.parts where found.count < match.limit {
      found += try candidates(inPart: part, statements)
    }
    return found
  }

  private func candidates(inPart match: PropertyMatch, _ statements: RowStatements) throws
    -> [ObjectID]
  {
    // Under an outdated ring, a value that is indexed by a newer key would silently not be found.
    try database.followRing()
    let normalizer = match.property.sealing?.normalizer ?? .exact
    let wanted = Set(match.values.map { $0.indexed(normalizer) })
    var values = match.values
    if match.includesNull && match.property.sealing?.hidesNil == true { values.append(.null) }
    let index = match.property.index
    let tokens = try values.flatMap { try statements.sealing.tokens(of: $0, property: index) }
    let text = statements.sql.selectCandidates(
      match.property,
      tokenCount: tokens.count,
      includesNull: match.includesNull
    )
    var found: [ObjectID] = []
    let statement = try database.bound(text, tokens.map { .blob(Data($0)) })
    defer { statement.reset() }
    while found.count < match.limit, try statement.step() {
      let identity = try ObjectID.read(from: statement, at: 0)
      let value: Value =
        try statement.isNull(at: 1)
        ? .null : statements.open(statement, at: 1, match.property, identity)
      let isMatch =
        value == .null ? match.includesNull : wanted.contains(value.indexed(normalizer))
      if isMatch { found.append(identity) }
    }
    return found
  }
}
