#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// How much memory cursors take.
///
/// It is the whole process's, so the tests run with NACRE_ROWS set, and one after the other: each keeps one of the tests'
/// few threads.
@Suite(.serialized)
struct CursorMemoryTests {
  /// How many rows a cursor reads.
  private static let rowCount = ProcessInfo.processInfo.environment["NACRE_ROWS"].flatMap {
    Int($0)
  }

  private let directory: TemporaryDirectory
  private let url: String
  private let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    url = try TestPlace.newSchema()
    store = try Store.open(
      url,
      unlock: .keyFile(directory.file("store.key"), createIfMissing: true),
      options: .patient
    )
  }

  @Test(.enabled(if: rowCount != nil)) func `a cursor over many objects takes the memory of a few`()
    throws
  {
    let count = try #require(Self.rowCount)
    try store.save([Wheel.create()])
    try TestServer.connect(to: url).execute(
      """
      INSERT INTO "Wheel" ("objectID", "size", "note") SELECT gen_random_uuid(), i, 'a note of ' || i \
      FROM generate_series(2, \(count)) i
      """
    )
    try expectFewInMemory {
      let cursor = try Wheel.in(store).cursor()
      var seen = 0
      while let wheel = try cursor.next() {
        seen += wheel.isStored ? 1 : 0
        if seen.isMultiple(of: 5_000) { try $0() }
      }
      #expect(seen == count)
    }
  }

  @Test(.enabled(if: rowCount != nil))
  func `a cursor over many objects with children takes the memory of a few`() throws {
    let count = try #require(Self.rowCount) / 10
    try store.save([Car.graph("0")])
    // Car i has the wheels 3i, 3i + 1 and 3i + 2.
    func identifier(_ number: String) -> String {
      "('00000000-0000-0000-0000-' || lpad(to_hex(\(number)), 12, '0'))::uuid"
    }
    try TestServer.connect(to: url).execute(
      """
      BEGIN; SET CONSTRAINTS ALL DEFERRED; \
      INSERT INTO "Wheel" ("objectID", "size", "note") SELECT \(identifier("i")), i, 'a note of ' || i \
      FROM generate_series(3, 3 * \(count) - 1) i; \
      INSERT INTO "Car" ("objectID", "name") SELECT \(identifier("i")), 'car ' || i \
      FROM generate_series(1, \(count) - 1) i; \
      INSERT INTO "Car_wheels" ("owner", "child", "position") \
      SELECT \(identifier("i / 3")), \(identifier("i")), i % 3 FROM generate_series(3, 3 * \(count) - 1) i; COMMIT
      """
    )
    try expectFewInMemory {
      let cursor = try Car.in(store).cursor()
      var (seen, wheels) = (0, 0)
      while let car = try cursor.next() {
        seen += 1
        wheels += car.wheels.count
        if seen.isMultiple(of: 5_000) { try $0() }
      }
      #expect(seen == count && wheels == 3 * count)
    }
  }

  /// Expects work to take no more than 4 MB at any time.
  ///
  /// - Parameter work: Calls its parameter where it may have the most.
  /// - Throws: What the work throws.
  private func expectFewInMemory(_ work: (_ look: () throws -> Void) throws -> Void) throws {
    // Other tests may take memory meanwhile, but not in each of several times.
    var growths: [Int] = []
    while growths.count < 4, growths.last ?? .max >= 4 << 20 {
      try Self.giveBackFreeMemory()
      let before = try Self.residentBytes()
      var most = before
      try work { most = max(most, try Self.residentBytes()) }
      growths.append(most - before)
    }
    #expect(growths.contains { $0 < 4 << 20 }, "\(growths)")
  }

  /// Gives the system back what is free, which would hide what work takes.
  private static func giveBackFreeMemory() throws {
    let function = try #require(dlsym(dlopen(nil, RTLD_NOW), "malloc_trim"))
    _ = unsafeBitCast(function, to: (@convention(c) (Int) -> Int32).self)(0)
  }

  /// The memory of this process that is in use.
  private static func residentBytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.firstMatch(of: /VmRSS:\s+(\d+) kB/))
    return try #require(Int(line.output.1)) * 1024
  }
}
#endif
