import CSQLite
import NacreEngine

/// A segment of a rollback journal: where its header is, and the id to which its records are bound.
struct JournalSegment {
  /// The size of a header's sector; sealed files always have sectors of 512 bytes.
  static let headerByteCount = 512
  /// The size of SQLite's own header (sqlite.org/fileformat2.html, section 3).
  static let ownByteCount = 28
  /// The size of the magic and the count of records, which SQLite writes once the records are there.
  static let fieldsByteCount = 12
  private static let tailOffset = 384
  private static let idOffset = tailOffset + SealedFileHeader.byteCount
  private static let markOffset = idOffset + 16
  private static let zerosOffset = markOffset + PageMark.byteCount

  let place: Int64
  private let high: UInt64
  private let low: UInt64

  /// The outcome of reading a sector.
  enum Reading {
    case segment(JournalSegment)
    /// No header, or one that was torn.
    case none
    /// A fault was noted.
    case fault
  }

  /// Where a record's page lies.
  func pagePlace(_ record: Int64) -> PageLocation {
    .journal(high: high, low: low, offset: UInt64(record))
  }

  /// Makes the segment of a header that SQLite writes, with a new id.
  ///
  /// - Returns: The segment and the sector to write; nil if a fault was noted.
  static func make(
    _ own: UnsafeRawBufferPointer,
    at place: Int64,
    _ connection: SealedConnection
  ) -> (JournalSegment, [UInt8])? {
    var generator = SystemRandomNumberGenerator()
    let segment = JournalSegment(place: place, high: generator.next(), low: generator.next())
    var sector = Array(own[..<ownByteCount])
    sector += [UInt8](repeating: 0, count: tailOffset - sector.count)
    sector += SealedFileHeader.make(.journal, connection)
    sector += withUnsafeBytes(of: segment.high.bigEndian) { Array($0) }
    sector += withUnsafeBytes(of: segment.low.bigEndian) { Array($0) }
    guard let mark = connection.mark(.journal, covered(sector, at: place)) else { return nil }
    sector += mark
    sector += [UInt8](repeating: 0, count: headerByteCount - sector.count)
    return (segment, sector)
  }

  /// Reads the sector at a place, and believes it only if it is marked for that place.
  static func read(
    _ sector: [UInt8],
    at place: Int64,
    _ connection: SealedConnection
  ) -> Reading {
    // The mark does not cover them.
    guard sector[ownByteCount..<tailOffset].allSatisfy({ $0 == 0 }),
      sector[zerosOffset...].allSatisfy({ $0 == 0 })
    else { return .none }
    let own = SealedFileHeader(.journal, sector[tailOffset..<idOffset])
    switch own.compare(with: connection) {
    case .other: return .none
    case .newer:
      _ = connection.refuse(.newerFormat, "the journal is of a later version")
      return .fault
    case .otherStore:
      _ = connection.refuse(.otherStore, "the journal is that of another store")
      return .fault
    case .same: break
    }
    let mark = Array(sector[markOffset..<zerosOffset])
    switch connection.check(.journal, covered(sector, at: place), mark) {
    case nil: return .fault
    case .unknownKey:
      _ = connection.refuse(.unknownKey, "the journal is under an unknown key")
      return .fault
    case .notAuthentic: return .none
    case .opened:
      return sector.withUnsafeBytes { bytes in
        .segment(
          JournalSegment(
            place: place,
            high: bytes.loadUnaligned(fromByteOffset: idOffset, as: UInt64.self).bigEndian,
            low: bytes.loadUnaligned(fromByteOffset: idOffset + 8, as: UInt64.self).bigEndian
          )
        )
      }
    }
  }

  /// All that the mark covers: our part, the header's place, and SQLite's fields but those that it
  /// writes later.
  private static func covered(_ sector: [UInt8], at place: Int64) -> [UInt8] {
    sector[tailOffset..<markOffset] + withUnsafeBytes(of: UInt64(place).bigEndian) { Array($0) }
      + sector[fieldsByteCount..<ownByteCount]
  }
}
