import NacreEngine
import NacreStore

extension EntitySession {
  /// Returns the owner and target of every reference that a statement of ``RelationshipSQL`` finds
  /// for a set of identifiers.
  func pairs(
    _ statement: any PreparedStatement,
    _ identities: [ObjectID]
  ) throws -> [(owner: ObjectID, child: ObjectID)] {
    defer { statement.reset() }
    try bind(identities, to: statement)
    var pairs: [(ObjectID, ObjectID)] = []
    while try statement.step() {
      pairs.append(
        (try ObjectID.read(from: statement, at: 0), try ObjectID.read(from: statement, at: 1))
      )
    }
    return pairs
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
