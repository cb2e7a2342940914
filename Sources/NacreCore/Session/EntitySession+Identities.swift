import NacreEngine
import NacreStore

extension EntitySession {
  /// Calls `body` with the owner and target of every reference that a pair of statements of
  /// ``RelationshipSQL`` finds.
  ///
  /// - Parameters:
  ///   - identities: The owners or targets to search for.
  ///   - ofOne: The statement that searches for one of them.
  ///   - ofMany: The statement that searches for a set of them.
  ///   - body: Takes an owner and its target.
  /// - Throws: The errors of reading, and those of `body`.
  func eachPair(
    _ identities: [ObjectID],
    ofOne: @autoclosure () throws -> any PreparedStatement,
    ofMany: @autoclosure () throws -> any PreparedStatement,
    _ body: (_ owner: ObjectID, _ target: ObjectID) throws -> Void
  ) throws {
    let statement = try identities.count == 1 ? ofOne() : ofMany()
    defer { statement.reset() }
    if identities.count == 1 {
      try identities[0].bind(to: statement, at: 1)
    } else {
      try bind(identities, to: statement)
    }
    while try statement.step() {
      try body(ObjectID.read(from: statement, at: 0), ObjectID.read(from: statement, at: 1))
    }
  }

  /// Binds a set of identifiers as parameter 1.
  func bind(_ identities: [ObjectID], to statement: any EngineStatement) throws {
    try withUnsafeTemporaryAllocation(
      of: (UInt64, UInt64).self,
      capacity: max(identities.count, 1)
    ) { buffer in
      for (index, identity) in identities.enumerated() {
        buffer.initializeElement(
          at: index,
          to: (identity.high.bigEndian, identity.low.bigEndian)
        )
      }
      let bytes = UnsafeRawBufferPointer(buffer)
      try statement.bind(
        blob: UnsafeRawBufferPointer(rebasing: bytes[..<(identities.count * 16)]),
        at: 1
      )
    }
  }
}
