import NacreEngine
import NacreStore

/// Steps through the rows of a statement that ascend by the identifier in their first column, and
/// stops at those whose identifier is among ascending keys.
struct RowMerge<Keys: RandomAccessCollection<ObjectID>> where Keys.Index == Int {
  private let statement: any PreparedStatement
  private let keys: Keys
  /// How many more rows under other identifiers may be passed over.
  private var patience: Int
  /// The index of the first key that is not settled.
  private(set) var next: Int

  init(_ statement: any PreparedStatement, _ keys: Keys, from start: Int, patience: Int) {
    self.statement = statement
    self.keys = keys
    self.patience = patience
    next = start
  }

  /// Goes on to the next row under one of the keys, and returns the index of the first key that it
  /// has.
  ///
  /// Returns nil at the end, and if patience ran out; then some keys are not settled.
  mutating func step() throws -> Int? {
    while next < keys.endIndex {
      guard try statement.step() else {
        next = keys.endIndex
        return nil
      }
      let bytes = statement.blob(at: 0)
      // An attacker who can write to the file can store other bytes there.
      guard bytes.count == 16 else { continue }
      let identity = ObjectID(bytes: bytes)
      while next < keys.endIndex, keys[next] < identity { next += 1 }
      if next < keys.endIndex, keys[next] == identity {
        patience += 2
        return next
      }
      patience -= 1
      if patience < 0 { return nil }
    }
    return nil
  }
}

extension EntitySession {
  /// Walks through the rows of a statement from the first of ascending keys on, and calls `body` for
  /// each row under one of the keys, with the index of the first key that it has.
  ///
  /// Where most of a table is wanted, this costs a fraction of a search for each key. Where few of
  /// its rows are, it gives up.
  ///
  /// - Parameters:
  ///   - statement: Its parameter 1 is an identifier, and its rows are those from this identifier on
  ///     in the order of identifiers, which are in its first column.
  ///   - keys: Identifiers in ascending order; equal ones stand side by side.
  ///   - body: Takes a row.
  /// - Returns: The index of the first key that `seek` still has to look for.
  /// - Throws: The error of the statement or of `body`.
  func walk<Keys: RandomAccessCollection<ObjectID>>(
    _ statement: any PreparedStatement,
    from keys: Keys,
    _ body: (Int) throws -> Void
  ) throws -> Int where Keys.Index == Int {
    guard let first = keys.first else { return keys.endIndex }
    defer { statement.reset() }
    try first.bind(to: statement, at: 1)
    statement.readInPortions()
    var merge = RowMerge(statement, keys, from: keys.startIndex, patience: 128)
    while let index = try merge.step() { try body(index) }
    return merge.next
  }

  /// Searches for the rows under each of the keys from `start` on, and calls `body` as `walk` does.
  ///
  /// - Parameters:
  ///   - statement: Its parameter 1 is a set of identifiers, and its rows are those under
  ///     these identifiers in the order of the set, with the identifier in the first column.
  ///   - keys: Identifiers in ascending order; equal ones stand side by side.
  ///   - start: The index of the first key to look for.
  ///   - body: Takes a row.
  /// - Throws: The error of the statement or of `body`.
  func seek<Keys: RandomAccessCollection<ObjectID>>(
    _ statement: any PreparedStatement,
    _ keys: Keys,
    from start: Int,
    _ body: (Int) throws -> Void
  ) throws where Keys.Index == Int {
    guard start < keys.endIndex else { return }
    defer { statement.reset() }
    var wanted: [ObjectID] = []
    for key in keys[start...] where key != wanted.last { wanted.append(key) }
    try bind(wanted, to: statement)
    var merge = RowMerge(statement, keys, from: start, patience: .max / 2)
    while let index = try merge.step() { try body(index) }
  }
}

extension EntityStatements {
  /// Whether a walk is tried for that many keys.
  func walks(_ keyCount: Int) -> Bool { keyCount >= session.walkMinimum }

  /// Calls `body` for each of the entity's rows whose identifier is among ascending keys, with the
  /// index of the first key that it has.
  func eachRow<Keys: RandomAccessCollection<ObjectID>>(
    under keys: Keys,
    _ body: (RowReader, Int) throws -> Void
  ) throws where Keys.Index == Int {
    var start = keys.startIndex
    if walks(keys.count) {
      let (statement, reader) = try rows(StatementKey(.walk), RelationshipSQL.walk(of: schema))
      start = try session.walk(statement, from: keys) { index in
        try reader.next(keys[index])
        try body(reader, index)
      }
    }
    if start == keys.endIndex { return }
    let (statement, reader) = try targets()
    try session.seek(statement, keys, from: start) { index in
      try reader.next(keys[index])
      try body(reader, index)
    }
  }

  /// Calls `body` for each place in the lists of owners, list by list and in the order of the list,
  /// with the index of the owner and the identity of the child.
  ///
  /// - Parameters:
  ///   - property: The children, whose relationship has a table of its own.
  ///   - sql: The statements of the relationship.
  ///   - owners: The identities of the owners in ascending order, each once.
  ///   - body: Takes a place.
  /// - Throws: ``NacreError``.
  func eachPlace<Keys: RandomAccessCollection<ObjectID>>(
    _ property: Property,
    _ sql: RelationshipSQL,
    of owners: Keys,
    _ body: (Int, ObjectID) -> Void
  ) throws where Keys.Index == Int {
    func take(_ statement: any PreparedStatement, _ owner: Int) {
      let child = statement.blob(at: 1)
      if child.count == 16 { body(owner, ObjectID(bytes: child)) }
    }
    var start = owners.startIndex
    if walks(owners.count) {
      let statement = try prepared(StatementKey(.places, property.index), sql.places)
      start = try session.walk(statement, from: owners) { take(statement, $0) }
    }
    if start == owners.endIndex { return }
    let statement = try prepared(
      StatementKey(.references, property.index),
      sql.references(session.connection.dialect)
    )
    try session.seek(statement, owners, from: start) { take(statement, $0) }
  }
}
