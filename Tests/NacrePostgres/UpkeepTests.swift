#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Verification, quarantine, inspection, rotation and conversion of a store on a server.
@Suite struct UpkeepTests {
  private func store(_ count: Int = 20) throws -> EngineStore {
    let opened = try TestEngine.postgres.makeStore()
    try opened.store.write { _ in
      for index in 0..<count {
        let car = Car.create()
        car.name = "car \(index)"
        car.vin = "vin \(index)"
        let wheel = Wheel.create()
        wheel.size = index
        car.wheels = [wheel]
        try car.save()
      }
    }
    return opened
  }

  private func vins(_ store: Store) throws -> [String?] {
    try store.read { _ in try Car.all.ordered(by: "name").fetchAll().map(\.vin) }.sorted {
      ($0 ?? "") < ($1 ?? "")
    }
  }

  private func failure(_ body: () throws -> Void) -> NacreError? {
    do {
      try body()
      return nil
    } catch {
      return NacreError.wrap(error) as? NacreError
    }
  }

  // MARK: Verification

  @Test func `a sound store verifies, and a changed cell is named and set aside`() throws {
    let opened = try store()
    let store = opened.store
    var small = VerificationOptions()
    small.batchSize = 3
    let sound = try store.verify(small)
    #expect(sound.isComplete)
    #expect(sound.faults.isEmpty, "\(sound.faults)")
    #expect(sound.badCells.isEmpty)
    #expect(sound.rowCount == 40)
    let raw = try TestServer.connect(to: TestPlace.asSuperuser(opened.path))
    try raw.execute(
      "UPDATE \"Car\" SET \"vin\" = set_byte(\"vin\", 30, get_byte(\"vin\", 30) # 1) WHERE \"name\" = 'car 3'"
    )
    try raw.execute(
      """
      BEGIN; SET CONSTRAINTS ALL DEFERRED; ALTER TABLE "Car_wheels" DISABLE TRIGGER ALL; \
      UPDATE "Car_wheels" SET "child" = gen_random_uuid() WHERE "owner" = \
      (SELECT "objectID" FROM "Car" WHERE "name" = 'car 4'); COMMIT
      """
    )
    let report = try store.verify()
    #expect(report.badCellCount == 2)
    #expect(Set(report.badCells.map(\.fault)) == [.tampered, .danglingReference])
    let result = try store.quarantine(report.badCells)
    #expect(Set(result.items.map(\.outcome)) == [.cellMoved, .referenceCleared])
    #expect(try store.verify().badCells.isEmpty)
    #expect(try store.quarantined().count == 2)
  }

  @Test func `a value under a key of the ring in another column is found`() throws {
    let opened = try store(2)
    let raw = try TestServer.connect(to: opened.path)
    try raw.execute(
      """
      CREATE TABLE "copies" ("id" bigint, "u" uuid, "bytes" bytea, "words" text, "json" jsonb); \
      INSERT INTO "copies" SELECT 1, "objectID", "vin", "vin"::text, to_jsonb("name") FROM "Car"
      """
    )
    let strays = try opened.store.verify().faults.filter { $0.kind == .strayValues }
    #expect(strays.compactMap(\.property).sorted() == ["bytes", "words"])
  }

  // MARK: Rotation

  @Test(arguments: [RotationOptions.Vacuum.never, .always])
  func `a rotation seals every value under new keys`(vacuum: RotationOptions.Vacuum) throws {
    let opened = try store()
    let store = opened.store
    let before = try vins(store)
    let raw = try TestServer.connect(to: opened.path)
    let file = "SELECT pg_relation_filenode('\"Car\"')"
    let fileBefore = try raw.values(file)
    var options = RotationOptions.patient
    options.batchSize = 7
    options.vacuum = vacuum
    let report = try store.rotate(options)
    #expect(report.outcome == .finished)
    #expect(report.resealed == 20)
    #expect(report.disabled.count == 2)
    #expect(report.wasVacuumed == (vacuum == .always))
    #expect(report.isOnServer)
    #expect(try (raw.values(file) != fileBefore) == (vacuum == .always))
    #expect(try vins(store) == before)
    #expect(try store.verify().badCells.isEmpty)
    try opened.reopen()
    #expect(try vins(opened.store) == before)
    let found = try opened.store.read { _ in try Car.fetchOne(\.name, equals: "car 3") }
    #expect(found?.vin == "vin 3")
  }

  @Test func `a rotation that was stopped is gone on with by another process`() throws {
    let opened = try store()
    var options = RotationOptions.patient
    options.batchSize = 4
    var batches = 0
    let stopped = try opened.store.rotate(options) { _ in
      batches += 1
      return batches < 3 ? .goOn : .stop
    }
    #expect(stopped.outcome == .stopped)
    try opened.reopen()
    let report = try opened.store.rotate(options)
    #expect(report.outcome == .finished)
    #expect(try opened.store.verify().badCells.isEmpty)
  }

  @Test func `two rotations at once are refused until the lease runs out`() throws {
    let opened = try store()
    let raw = try TestServer.connect(to: opened.path)
    let other = try opened.another()
    defer { try? other.close() }
    var options = RotationOptions.patient
    options.batchSize = 4
    var held: NacreError?
    let lost = failure {
      _ = try opened.store.rotate(options) { (progress: RotationProgress) -> RotationDirective in
        if progress.done == 4 {
          held = failure { _ = try other.rotate(options) }
          // As if this process had been asleep.
          let failed = failure {
            try raw.execute("UPDATE \"nacre_lease\" SET \"expires\" = clock_timestamp()")
            _ = try other.rotate(options)
          }
          #expect(failed == nil)
        }
        return .goOn
      }
    }
    #expect(held?.code == .rotationHeld)
    #expect(held?.detail?.contains("process \(ProcessInfo.processInfo.processIdentifier)") == true)
    #expect(lost?.code == .rotationHeld)
    #expect(try other.verify().badCells.isEmpty)
    #expect(try other.rotate(options).outcome == .finished)
  }

  @Test func `a reader of an older state keeps the old keys`() throws {
    let opened = try store()
    let other = try opened.another()
    defer { try? other.close() }
    var options = RotationOptions.patient
    options.readerTimeout = 0.2
    try other.read { (_) throws in
      #expect(try Car.count() == 20)
      let report = try opened.store.rotate(options)
      #expect(report.outcome == .incomplete)
      #expect(report.disabled.isEmpty)
    }
    #expect(try opened.store.rotate(.patient).outcome == .finished)
  }

  @Test func `a rotation that loses the rows that it reads ahead reads them again`() throws {
    let proxy = try ServerProxy()
    defer { proxy.close() }
    let opened = try store()
    let rotator = try Store.open(
      proxy.url(opened.path),
      unlock: .keyFile(opened.directory.file("store.key"), createIfMissing: false),
      options: .patient
    )
    defer { try? rotator.close() }
    proxy.meet(.cutBefore) {
      $0.direction == .toServer && $0.contains("FROM \"Car\" r WHERE r.\"objectID\" > $1 ORDER BY")
    }
    var options = RotationOptions.patient
    options.batchSize = 5
    let report = try rotator.rotate(options)
    #expect(proxy.counts.cuts == 1)
    #expect(report.outcome == .finished && report.resealed == 20)
    #expect(try rotator.verify().badCells.isEmpty)
    #expect(try vins(rotator) == (0..<20).map { "vin \($0)" }.sorted())
  }

  // MARK: Conversion

  @Test func `a property is sealed and made plain again`() throws {
    let opened = try store()
    let store = opened.store
    #expect(try store.convert("name", of: "Car", to: SealedOptions(isSearchable: true)).count == 1)
    #expect(try store.verify().badCells.isEmpty)
    let raw = try TestServer.connect(to: opened.path)
    #expect(try raw.values("SELECT \"name\" FROM \"Car\" LIMIT 1")[0].storageClass == .blob)
    #expect(try store.convert("name", of: "Car", to: nil).count == 1)
    #expect(
      try raw.values("SELECT count(*) FROM \"Car\" WHERE \"name\" LIKE 'car %'") == [.integer(20)]
    )
  }

  @Test func `a conversion waits for those who read an older state`() throws {
    let opened = try store()
    var options = StoreOptions()
    options.busyTimeout = 0.3
    let other = try opened.another(options)
    defer { try? other.close() }
    try opened.store.read { (_) throws in
      #expect(try Wheel.count() == 20)
      let error = failure {
        _ = try other.convert("vin", of: "Car", to: SealedOptions(isSearchable: true))
      }
      #expect(error?.code == .busy)
    }
    // `other` could wait too short a time for the readers of other tests' stores.
    #expect(try opened.store.resumeConversions().count == 1)
    #expect(try other.verify().badCells.isEmpty)
  }

  // MARK: Import and export

  @Test func `lines go from a file into a server and back`() throws {
    let file = try TestEngine.sqlite.makeStore()
    let server = try TestEngine.postgres.makeStore()
    let back = try TestEngine.sqlite.makeStore()
    try file.store.write { _ in
      for index in 0..<5 {
        let car = Car.create()
        car.name = "car \(index)"
        car.vin = index == 2 ? nil : "vin \(index)"
        let wheel = Wheel.create()
        wheel.size = index
        wheel.note = "n"
        car.wheels = [wheel]
        car.spare = wheel
        try car.save()
      }
    }
    func lines(_ store: Store) throws -> [String] {
      var lines: [String] = []
      _ = try store.export(revealing: true) { lines.append(String(decoding: $0, as: UTF8.self)) }
      return lines
    }
    let up = try lines(file.store)
    for (from, to) in [(file, server), (server, back)] {
      var left = try lines(from.store)[...]
      let report = try to.store.importLines { left.popFirst().map { Data($0.utf8) } }
      #expect(report.objects["Car"] == 5)
      #expect(try to.store.verify().badCells.isEmpty)
    }
    #expect(try lines(back.store).dropFirst() == up.dropFirst())
    // The imported tables refer to each other as those of classes do.
    let references = """
      SELECT r.relname || '.' || a.attname || ' ' || t.relname || ' ' || k.confdeltype::text FROM pg_constraint k \
      JOIN pg_class r ON r.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid \
      JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1] \
      WHERE k.contype = 'f' AND r.relnamespace = quote_ident(current_schema())::regnamespace ORDER BY 1
      """
    let made = try TestServer.connect(to: self.store(1).path).values(references)
    #expect(made.count == 6)
    #expect(try TestServer.connect(to: server.path).values(references) == made)
    try server.store.read { (_) throws in
      #expect(try Car.fetchOne(\.name, equals: "car 3")?.wheels.map(\.size) == [3])
      #expect(try Car.fetchOne(\.name, equals: "car 2")?.vin == nil)
    }
  }
}
#endif
