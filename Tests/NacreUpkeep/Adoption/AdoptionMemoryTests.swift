import NacreUpkeep

#if os(Linux)
import Foundation
import NacreCore
import NacreOpen
import Testing
@testable import TestSupport

/// The memory of an adoption, in a process of its own, where no other test allocates.
@Suite struct AdoptionMemoryTests {
  @Test func `an adoption needs no more memory at its end than at its start`() async {
    await #expect(processExitsWith: .success) {
      let count = 100_000
      let adopted = try Adopted(
        """
        CREATE TABLE person (id INTEGER PRIMARY KEY, code TEXT, name TEXT, age INTEGER);
        CREATE TABLE car (id INTEGER PRIMARY KEY, owner INTEGER);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO person SELECT i, 'code ' || i, hex(zeroblob(100)), i % 90 FROM n;
        INSERT INTO car SELECT id, 1 + (id * 7919) % (\(count) + 100) FROM person;
        """
      )
      let cars = AdoptedTable(
        "car",
        entity: "Car",
        key: .derived("id"),
        properties: ["owner": .reference("owner")]
      )
      var (start, peak) = (0, 0)
      let report = try adopted.store.adopt(
        adopted.foreign.path,
        by: AdoptionMapping(tables: [cars, Adopted.person]),
        misfits: .leaveOut
      ) { progress in
        guard progress.done.isMultiple(of: 5_000) else { return }
        let now = try VerifyMemoryTests.resident()
        if progress.table == "car", progress.done <= 20_000 { start = max(start, now) }
        peak = max(peak, now)
      }
      try #require(report.objectCount == 2 * count && report.misfitCount > 0)
      try #require(peak - start < 8 << 20, "grew by \(peak - start) bytes")
      withExtendedLifetime(adopted) {}
    }
  }
}
#endif
