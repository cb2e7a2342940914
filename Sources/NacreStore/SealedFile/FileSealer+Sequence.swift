import NacreCrypto
import NacreEngine

// The pages note the least sequence number that a header may have, so that an older header is
// refused where newer pages are.
extension FileSealer {
  /// Notes the header's sequence number in the caller's transaction.
  func noteSequence(on connection: any EngineConnection) throws {
    let sequence = Int64(clamping: keys.sequence)
    try connection.run(
      CatalogSQL.setValue(connection.dialect),
      [.text(Self.sequenceName), .integer(sequence)]
    )
  }

  /// The row of `nacre_store` with the least acceptable number of the header.
  private static let sequenceName = "headerSequence"

  /// Returns the least number of the header that the pages ask for; nil if they name none.
  package static func leastSequence(on connection: any EngineConnection) throws -> Int64? {
    guard
      case .integer(let least) = try connection.scalar(CatalogSQL.getValue, [.text(sequenceName)])
    else { return nil }
    return least
  }

  /// Removes the number, which a plain file does not have.
  static func removeSequence(on connection: any EngineConnection) throws {
    try connection.run(CatalogSQL.deleteValue, [.text(sequenceName)])
  }

  /// Checks that the pages are those of the header.
  ///
  /// - Throws: `headerTampered` for the pages of another store, or those of a later header.
  func check(_ storeID: StoreID, on connection: any EngineConnection) throws {
    guard storeID == keys.storeID else {
      throw NacreError(.headerTampered, detail: "the pages are those of another store")
    }
    guard let least = try Self.leastSequence(on: connection) else {
      throw NacreError(.headerTampered, detail: "the pages do not name the header's number")
    }
    try NacreError.wrapping { try keys.check(leastSequence: least) }
    noteFound(leastSequence: least)
  }
}
