/// The place to which a sealed page is bound: a number and 24 bytes of its associated data.
package struct SealedPlace: Sendable, Equatable {
  let number: UInt8
  /// The 24 bytes as three big-endian words.
  let words: (UInt64, UInt64, UInt64)

  private init(_ number: UInt8, _ first: UInt64, _ second: UInt64, _ third: UInt64) {
    self.number = number
    words = (first, second, third)
  }

  package static func == (a: SealedPlace, b: SealedPlace) -> Bool {
    a.number == b.number && a.words == b.words
  }

  /// In the main file.
  package static let file = SealedPlace(1, 0, 0, 0)

  /// In a frame of the write-ahead log.
  ///
  /// - Parameters:
  ///   - salts: The two salts of the log's header, as one big-endian number.
  ///   - frame: The frame's number, from 1.
  ///   - size: The database's size in pages that the frame commits; 0 if it commits nothing.
  /// - Returns: The place.
  package static func log(salts: UInt64, frame: UInt32, size: UInt32) -> SealedPlace {
    SealedPlace(2, salts, UInt64(frame) << 32 | UInt64(size), 0)
  }

  /// In a record of the rollback journal.
  ///
  /// - Parameters:
  ///   - high: The first 8 bytes of the journal's id, as a big-endian number.
  ///   - low: The last 8 bytes.
  ///   - offset: Where the record begins in the journal.
  /// - Returns: The place.
  package static func journal(high: UInt64, low: UInt64, offset: UInt64) -> SealedPlace {
    SealedPlace(3, high, low, offset)
  }
}

/// The header of a log or journal, which a mark authenticates.
package enum MarkedHeader: Sendable {
  /// Of the write-ahead log.
  case log
  /// Of the rollback journal.
  case journal
  /// Of the rekey's journal.
  case rekey

  var label: String {
    switch self {
    case .log: "nacre/log/1"
    case .journal: "nacre/rollback/1"
    case .rekey: "nacre/rekey/1"
    }
  }
}

/// The 62 bytes that bind a page to its place:
/// `"nacre/page/1" ‖ storeID[16] ‖ keyID ‖ suite ‖ page number ‖ place ‖ where[24]`.
///
/// The bytes are kept and overwritten in place, so that no seal allocates.
struct PageAssociatedData: ~Copyable {
  static let byteCount = 12 + 16 + 4 + 1 + 4 + 1 + 24

  private let memory = UnsafeMutableRawBufferPointer.allocate(
    byteCount: PageAssociatedData.byteCount,
    alignment: 8
  )

  init(_ storeID: StoreID) {
    memory.copyBytes(from: Array("nacre/page/1".utf8) + storeID.bytes)
    memory[32] = Suite.xaes256GCM.rawValue
  }

  deinit { memory.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }

  /// Writes everything that changes from page to page.
  @inline(__always)
  func set(keyID: UInt32, page: UInt32, _ place: SealedPlace) {
    guard let base = memory.baseAddress else { return }
    base.store(bigEndian: keyID, at: 28)
    base.store(bigEndian: page, at: 33)
    base.storeBytes(of: place.number, toByteOffset: 37, as: UInt8.self)
    base.store(bigEndian: place.words.0, at: 38)
    base.store(bigEndian: place.words.1, at: 46)
    base.store(bigEndian: place.words.2, at: 54)
  }
}
