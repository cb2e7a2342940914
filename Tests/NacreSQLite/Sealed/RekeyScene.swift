import Foundation
import NacreCrypto
import NacreEngine
@testable import NacreSQLite
import NacreStore
import Testing

/// A sealed file, with pages of 1,024 bytes, whose key changes.
extension SealedScene {
  /// The sealer that `init` has made.
  var fileSealer: FileSealer {
    get throws { try #require(pages.sealer as? FileSealer) }
  }

  var rekeyJournal: String { path + "-nrekey" }

  /// Makes a file with some hundred pages, and closes it.
  func fill(_ mode: Pragmas.JournalMode = .wal) throws {
    let connection = try open(mode)
    try connection.execute(Self.createTable)
    try connection.transaction(.immediate) { try connection.insert(0..<300) }
    try connection.close()
  }

  /// Gives the file another primary key, while nobody has it open.
  func changeKey() throws {
    let sealer = try fileSealer
    let next = try sealer.keys.addingPrimary(createdAt: 1, avoiding: [])
    try sealer.write(next, to: SealedHeaderFile(path: path))
  }

  func rekeying(
    _ mode: Pragmas.JournalMode = .wal,
    limit: Int = .max,
    longestHold: Duration = .milliseconds(400)
  ) throws -> ConnectionRekeying {
    try #require(try ConnectionRekeying(open(mode), limit: limit, longestHold: longestHold))
  }

  /// The ids of the keys that the pages of the file name, in order.
  func keysOfPages(at path: String? = nil) throws -> [UInt32] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path ?? self.path))
    return stride(from: 65_536, to: bytes.count, by: 1_024).map { start in
      bytes[(start + 1_008)..<(start + 1_012)].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}

extension ConnectionRekeying {
  /// Goes through all pages once.
  func pass(from first: UInt32 = 1) throws -> PageBatch {
    var (sum, next) = (PageBatch(), first as UInt32?)
    while let first = next {
      let batch = try reseal(from: first)
      next = batch.next
      sum.pageCount = batch.pageCount
      sum.resealed += batch.resealed
      sum.unopened += batch.unopened
      sum.unopenedCount += batch.unopenedCount
    }
    return sum
  }
}

extension Connection {
  /// Reads every page of the table and of its index, and throws if one does not open.
  func expectWhole() throws {
    for source in ["NOT INDEXED", "INDEXED BY i"] {
      let sql = "SELECT count(*) FROM t \(source) WHERE length(text) > 0 AND text > ''"
      #expect(try integer(sql) == 300)
    }
    #expect(try isWhole())
  }
}
