import NacreCrypto
import NacreEngine

// The pages note the least sequence number that a header may have, so that an older header is
// refused where newer pages are.
extension FileSealer {
  /// Notes the header's sequence number in the caller's transaction.
  func noteSequence(on connection: any EngineConnection) throws {
    let sequence = Int64(clamping: keys.sequence)
    try connection.run(CatalogSQL.setValue, [.text(Self.sequenceName), .integer(sequence)])
  }

  private static let sequenceName = "headerSequence"

  /// Checks that the pages are those of the header.
  ///
  /// - Throws: `headerTampered` for the pages of another store, or those of a later header.
  func check(_ storeID: StoreID, on connection: any EngineConnection) throws {
    guard storeID == keys.storeID else {
      throw NacreError(.headerTampered, detail: "the pages are those of another store")
    }
    guard
      case .integer(let least) =
        try connection.scalar(CatalogSQL.getValue, [.text(Self.sequenceName)])
    else { throw NacreError(.headerTampered, detail: "the pages do not name the header's number") }
    try NacreError.wrapping { try keys.check(leastSequence: least) }
    noteFound(leastSequence: least)
  }
}
