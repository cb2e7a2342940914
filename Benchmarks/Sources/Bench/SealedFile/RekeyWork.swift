import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep

/// A new key for a sealed file beside two copies of the file that are synced, while others read and write the store.
final class RekeyWork {
  private static let pageByteCount = 4096

  private let store: Store
  private let path: String
  private let ids: [UUID]
  /// The store's file, for the copies.
  ///
  /// It is closed after the store, because closing it drops SQLite's locks.
  private let file: FileHandle
  private let pageCount: Int
  private var growth = 0

  /// Lines for people.
  ///
  /// - Parameters:
  ///   - size: A tenth of the number of rows that are stored.
  ///   - rounds: How often everything is done.
  ///   - directory: Where the store's file is made.
  /// - Returns: A line for the time and one for the memory.
  /// - Throws: What a work throws.
  static func measure(size: Int, rounds: Int, in directory: String) throws -> [String] {
    let rekey = try RekeyWork(rows: size * 10, path: directory + "/rekeyed.db")
    defer { try? rekey.file.close() }
    defer { try? rekey.store.close() }
    let lines = try SideBySide.lines(
      [rekey.work()],
      of: "rotate --purpose file",
      against: "two synced copies",
      rounds: rounds
    )
    let sizes = [rekey.pageCount * pageByteCount, rekey.growth].map { byteCount in
      String(format: "%.1f MB", Double(byteCount) / 1_000_000)
    }
    return lines + ["a new key for a file of \(sizes[0]): memory grew by \(sizes[1]) at most"]
  }

  private init(rows: Int, path: String) throws {
    self.path = path
    let unlock = Unlock.keyFile(path + ".key", createIfMissing: true)
    var options = StoreOptions()
    options.seals = .file
    ids = try RekeyWork.fill(try Store.open(path, unlock: unlock, options: options), rows)
    file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    store = try Store.open(path, unlock: unlock, options: options)
    pageCount = Int(try file.seekToEnd()) / Self.pageByteCount
  }

  /// Stores objects and closes the store; returns the ids of some.
  private static func fill(_ store: Store, _ rows: Int) throws -> [UUID] {
    var ids: [UUID] = []
    for start in stride(from: 0, to: rows, by: 10_000) {
      try store.write { _ in
        for number in start..<min(start + 10_000, rows) {
          let sample = Sample.create()
          (sample.name, sample.power) = ("Car number \(number)", number % 400)
          try sample.save()
          if number % 100 == 0 { ids.append(sample.objectID) }
        }
      }
    }
    try store.close()
    return ids
  }

  private func work() -> SideBySide {
    SideBySide(
      name: "a new key, a page",
      operations: pageCount,
      nacre: { try Company.beside(self.store, self.ids) { try self.rotate() } },
      other: { try Company.beside(self.store, self.ids) { try self.copyTwice() } }
    )
  }

  private func rotate() throws -> Int {
    let start = ResidentMemory.resetPeak()
    var options = RotationOptions()
    options.purposes = [.file]
    let report = try store.rotate(options)
    growth = max(growth, ResidentMemory.growth(since: start) ?? 0)
    guard report.outcome == .finished else {
      throw RoundError(description: "the rotation is \(report.outcome): \(report)")
    }
    return pageCount
  }

  private func copyTwice() throws -> Int {
    for number in 0..<2 {
      let copy = "\(path).copy\(number)"
      defer { unlink(copy) }
      guard FileManager.default.createFile(atPath: copy, contents: nil) else {
        throw RoundError(description: "\(copy) can't be made")
      }
      let target = try FileHandle(forWritingTo: URL(fileURLWithPath: copy))
      defer { try? target.close() }
      try file.seek(toOffset: 0)
      while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty {
        try target.write(contentsOf: bytes)
      }
      try target.synchronize()
    }
    return pageCount
  }
}
