import Foundation
import NacreCrypto
import NacreEngine
@testable import NacreSQLite
import NacreStore
import TestFaults
import Testing

/// Batches of a rekey, one of which is sealed while the one before it is written.
@Suite struct RekeyBatchTests {
  private let scene: SealedScene
  private let disk: FaultyDisk
  private let original: Data

  init() throws {
    scene = try SealedScene(pageByteCount: 1_024)
    try scene.fill()
    try scene.changeKey()
    original = try Data(contentsOf: URL(fileURLWithPath: scene.path))
    disk = try FaultyDisk(at: scene.database.directory)
  }

  private static let hour = Duration.seconds(3_600)

  private var primaryKey: UInt32 {
    get throws { try scene.fileSealer.keys.primaryID.rawValue }
  }

  private func isRekeyed(_ path: String? = nil) throws -> Bool {
    try scene.keysOfPages(at: path).allSatisfy { try $0 == primaryKey }
  }

  /// The bytes of a page in the file.
  private func place(_ number: UInt32) -> Range<Int> {
    let start = 65_536 + (Int(number) - 1) * 1_024
    return start..<start + 1_024
  }

  private func flip(_ numbers: [UInt32]) throws {
    for number in numbers { try SealedScene.flip(scene.path, at: place(number).lowerBound + 5) }
  }

  // MARK: Holds

  @Test(arguments: [1, 16, 24, 100])
  func `one hold seals all batches, each of which is in the journal before it is in its place`(
    limit: Int
  ) throws {
    let rekeying = try scene.rekeying(limit: limit, longestHold: Self.hour)
    let begun = disk.changeCount
    let batch = try rekeying.reseal(from: 1)
    #expect(batch.next == nil)
    #expect(batch.resealed == batch.pageCount)
    #expect(try isRekeyed())
    let order = RekeyOrder(disk.history, from: begun)
    #expect(order.faults == [])
    #expect(order.batches == (batch.pageCount + limit - 1) / limit)
    #expect(order.batches > 3)
    try rekeying.close()
    try scene.open(mode: .readOnly).expectWhole()
  }

  @Test func `a hold carries nothing into the next one, so what was written between them stays`()
    throws
  {
    let rekeying = try scene.rekeying(limit: 24, longestHold: .zero)
    let writer = try scene.open()
    var (next, rounds) = (UInt32(1) as UInt32?, 0)
    while let first = next {
      let batch = try rekeying.reseal(from: first)
      #expect(batch.resealed <= 24)
      #expect(batch.next ?? .max > first)
      next = batch.next
      // Pages of all batches, also of the one that comes next.
      try writer.execute(
        "UPDATE t SET text = 'newer-' || hex(zeroblob(250)) || id || '-\(rounds)' WHERE id % 7 = 0"
      )
      #expect(try writer.checkpoint(.full).logFrames > 0)
      rounds += 1
    }
    #expect(rounds > 3)
    try rekeying.close()
    #expect(try isRekeyed())
    let sql = "SELECT count(*) FROM t WHERE text GLOB 'newer-*-\(rounds - 1)'"
    #expect(try writer.integer(sql) == 43)
    try writer.expectWhole()
  }

  @Test func `without a log every batch is a hold of its own`() throws {
    let rekeying = try scene.rekeying(.delete, limit: 24, longestHold: Self.hour)
    let first = try rekeying.reseal(from: 1)
    // Page 1 was sealed under the present key when the log was given up.
    #expect(first.next == 26)
    #expect(first.resealed == 24)
    _ = try rekeying.pass(from: 26)
    #expect(try isRekeyed())
    try rekeying.close()
    try scene.open(.delete).expectWhole()
  }

  // MARK: Pages

  @Test(arguments: [16, 24, 100])
  func `pages that do not open are named in every batch, and those around them are sealed`(
    limit: Int
  ) throws {
    // Neighbours across two batches, and pages with others between them.
    let damaged: [UInt32] = [15, 16, 17, 24, 25, 30, 32, 71, 72, 73]
    try flip(damaged)
    let before = try Data(contentsOf: URL(fileURLWithPath: scene.path))
    let rekeying = try scene.rekeying(limit: limit, longestHold: Self.hour)
    let batch = try rekeying.reseal(from: 1)
    #expect(batch.unopened == damaged)
    #expect(batch.unopenedCount == damaged.count)
    #expect(batch.resealed == batch.pageCount - damaged.count)
    let after = try Data(contentsOf: URL(fileURLWithPath: scene.path))
    for (index, key) in try scene.keysOfPages().enumerated() {
      let number = UInt32(index + 1)
      let isDamaged = damaged.contains(number)
      #expect(try (key == primaryKey) != isDamaged, "page \(number)")
      #expect((after[place(number)] == before[place(number)]) == isDamaged, "page \(number)")
    }
    try flip(damaged)
    try scene.open(mode: .readOnly).expectWhole()
    #expect(try rekeying.reseal(from: 1).resealed == damaged.count)
    #expect(try isRekeyed())
    try rekeying.close()
    try scene.open(mode: .readOnly).expectWhole()
  }

  // MARK: Failures

  /// Puts the file back, before anything was rekeyed.
  private func restore() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: scene.database.directory) {
      try FileManager.default.removeItem(atPath: scene.database.directory + "/" + name)
    }
    try original.write(to: URL(fileURLWithPath: scene.path))
  }

  @Test(arguments: [DiskFault.Call.read, .write, .sync])
  func `a call that fails while the next batch is being sealed leaves a file that opens`(
    call: DiskFault.Call
  ) throws {
    var (number, failures) = (0, 0)
    while true {
      // Each page is a write, half of which is a torn page.
      let rekeying = try scene.rekeying(limit: 16, longestHold: Self.hour)
      disk.arm(DiskFault(number, of: [call], writesHalf: true))
      let result = Result { try rekeying.reseal(from: 1) }
      guard disk.disarm() != nil else { break }
      // Where the number of the header can't be read, the whole header is.
      if case .failure = result { failures += 1 }
      try scene.open(mode: .readOnly).expectWhole()
      let isNext = number.isMultiple(of: 2)
      if isNext { try rekeying.close() }
      let other = try isNext ? scene.rekeying() : rekeying
      #expect(try other.pass().unopened == [])
      #expect(try isRekeyed(), "\(call) \(number)")
      try other.close()
      #expect(try Data(contentsOf: URL(fileURLWithPath: scene.rekeyJournal)).isEmpty)
      try scene.open(mode: .readOnly).expectWhole()
      try restore()
      // Later batches are as the first ones.
      number += number < 40 ? 1 : 23
    }
    #expect(failures > 20)
  }

  @Test func `after every power cut, the journal or the file has each page`() throws {
    let rekeying = try scene.rekeying(limit: 40, longestHold: Self.hour)
    let begun = disk.changeCount
    _ = try rekeying.reseal(from: 1)
    let history = disk.history
    #expect(history.count > begun + 100)
    for count in stride(from: begun, through: history.count, by: 3) {
      let copy = scene.database.directory + "/cut-\(count)"
      try PowerCut(of: history, after: count, seed: UInt64(count)).write(to: copy)
      let path = copy + "/test.db"
      try scene.open(mode: .readOnly, at: path).expectWhole()
      let after = try #require(try ConnectionRekeying(scene.open(at: path)))
      #expect(try after.pass().unopened == [], "after \(count) changes")
      #expect(try isRekeyed(path))
      try after.close()
      try scene.open(mode: .readOnly, at: path).expectWhole()
    }
  }

  @Test(arguments: [0, 5, 30, 100])
  func `a cipher that fails in a batch keeps that batch out of the file`(number: Int) throws {
    let failing = FailingSealer(try scene.fileSealer)
    let connection = try scene.open(sealing: SealedPages(failing))
    let limited = try ConnectionRekeying(connection, limit: 24, longestHold: Self.hour)
    let rekeying = try #require(limited)
    failing.fail(after: number)
    let error = #expect(throws: SQLiteError.self) { try rekeying.reseal(from: 1) }
    #expect(error?.message.hasSuffix("can't be sealed") == true)
    #expect(try scene.keysOfPages().count { try $0 == primaryKey } == number / 24 * 24)
    let journal = FileManager.default.contents(atPath: scene.rekeyJournal)
    #expect(journal?.isEmpty != false)
    failing.mend()
    #expect(try rekeying.pass().unopened == [])
    #expect(try isRekeyed())
    #expect(failing.overlaps == 0)
    try rekeying.close()
    try scene.open(mode: .readOnly).expectWhole()
  }
}

/// In which order the changes of a rekey reached the disk.
private struct RekeyOrder {
  /// How many batches were written, each with the syncs that it needs.
  private(set) var batches = 0
  /// What came too early.
  private(set) var faults: [String] = []

  private var names: [Int: String] = [:]
  private var isJournalSynced = false
  private var isFileSynced = true

  init(_ history: [DiskChange], from begun: Int) {
    for (index, change) in history.enumerated() {
      switch change {
      case .found(let file, let name, _), .create(let file, let name): names[file] = name
      case .write(let file, let offset, let bytes) where index >= begun:
        note(names[file] ?? "", offset, bytes)
      case .sync(let file) where names[file] == "test.db-nrekey": isJournalSynced = true
      case .sync(let file) where names[file] == "test.db": isFileSynced = true
      default: break
      }
    }
  }

  private mutating func note(_ name: String, _ offset: Int, _ bytes: [UInt8]) {
    switch name {
    case "test.db":
      if !isJournalSynced { faults.append("the file at \(offset) before the journal") }
      isFileSynced = false
    case "test.db-nrekey":
      if !isFileSynced { faults.append("the journal at \(offset) before the file") }
      let isVoid = offset == 0 && bytes.count == RekeyJournal.headerByteCount && bytes[0] == 0
      if isVoid, isJournalSynced { batches += 1 }
      isJournalSynced = false
    default: break
    }
  }
}
