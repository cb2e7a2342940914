import NacreCrypto
import NacreSQLite

/// The trust in the catalog, by the key ring, in one state of the file.
package enum CatalogTrust {
  /// It never had a MAC: what it says is taken as it is found.
  case unmarked
  /// It is as a holder of the store key wrote it.
  case authentic
  /// It was changed since: this is how it was written.
  case changed(CatalogRecord)
  /// It has had a MAC, and there is no copy any more that its MAC goes with: why.
  case lost(String)
  /// The state is read on from before a rewrap that this process has learnt of since, or is from after one that has shut
  /// it out: nobody can tell, and nothing is written on it. One that was put back is refused before (`followRing`).
  case former

  /// - Parameters:
  ///   - ring: the ring at hand, or a later one that this very transaction has written.
  ///   - connection: a connection in a transaction.
  /// - Throws: `ringTampered` for a ring in the file that is none of this store key.
  init(_ ring: KeyRing, on connection: Connection) throws {
    guard let record = try RingTable.read(ring.storeID, on: connection) else {
      throw NacreError(.ringTampered, detail: "the ring is gone")
    }
    guard try ring.hasMade(record) else {
      guard record.generation < ring.generation else {
        throw NacreError(
          .ringTampered,
          detail: "the ring in the file was not made with the store key"
        )
      }
      self = .former
      return
    }
    if RingRecord.catalogNumber(record.generation) == 0 {
      self = .unmarked
      return
    }
    guard let copy = try CatalogTable.copy(on: connection) else {
      self = .lost("its authenticated copy is missing")
      return
    }
    do {
      try ring.verify(catalog: copy.bytes, mac: copy.mac, with: record)
      let found = try CatalogTable.read(on: connection).bytes()
      if found == copy.bytes {
        self = .authentic
      } else {
        self = .changed(try CatalogTable.record(of: copy.bytes))
      }
    } catch let error as CryptoError where error.code == .catalogTampered {
      self = .lost("its authenticated copy belongs to another ring or was changed")
    }
  }
}
