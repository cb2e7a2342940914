import Foundation
import NacreCore
import NacreRecords
import NacreUpkeep
import Testing
@testable import TestSupport

/// Patients as a later version of the application has them.
private struct LaterPatient: Record {
  var id: Int64?
  var ward = ""
  var note: String?
  var remark = "none"

  init() {}

  static var tableName: String { "Patient" }
  static let columns: [RecordColumn<LaterPatient>] = [
    .key(\.id), .column(\.ward), .column(\.note, sealed: SealedOptions()),
    .column(\.remark, sealed: SealedOptions()),
  ]
}

/// Patients whose wards are sealed as well.
private struct ShyPatient: Record {
  var id: Int64?
  var ward = ""
  var note: String?

  init() {}

  static var tableName: String { "Patient" }
  static let columns: [RecordColumn<ShyPatient>] = [
    .key(\.id), .column(\.ward, sealed: SealedOptions(isSearchable: true)),
    .column(\.note, sealed: SealedOptions()),
  ]
}

/// Patients whose notes are not sealed, in a table whose name has another case.
private struct OpenPatient: Record {
  var id: Int64?
  var note: String?

  init() {}

  static var tableName: String { "PATIENT" }
  static let columns: [RecordColumn<OpenPatient>] = [.key(\.id), .column(\.note)]
}

@Suite struct RecordSealedTests {
  private func filled() throws -> RecordScene {
    let scene = try RecordScene()
    try scene.patients.insert(
      contentsOf: (0..<40).map {
        Patient(
          "W\($0 % 4)",
          note: $0 % 5 == 0 ? nil : "\(Marker.text) \($0)",
          number: "N\($0)",
          weight: Double($0)
        )
      }
    )
    return scene
  }

  @Test func `a record without sealed columns can't use the table of one that has them`() throws {
    let scene = try filled()
    let open = Table<OpenPatient>().in(scene.store)
    expectError(.schemaMismatch, entity: "PATIENT") {
      _ = try open.where("id = 1").updateAll(.set(\.note, to: Marker.text))
    }
    #expect(try scene.patients.fetch(key: 1)?.note == nil)
  }

  @Test func `sealed columns come back, and the file does not show them`() throws {
    let scene = try filled()
    let stored = try scene.patients.fetchAll(orderBy: "id")
    #expect(stored.count == 40)
    #expect(stored[7] == Patient.at(8, "W3", "\(Marker.text) 7", "N7", 7))
    #expect(stored[5].note == nil)
    try scene.store.close()
    for (name, bytes) in try scene.scene.fileBytes() {
      #expect(bytes.range(of: Data(Marker.text.utf8)) == nil, "\(name)")
    }
  }

  @Test func `sealed columns are updated in place, by record, by value and by condition`() throws {
    let scene = try filled()
    var patient = try #require(try scene.patients.fetch(key: 3))
    let former = patient
    patient.note = "new"
    patient.weight = 12.5
    #expect(try scene.patients.update(patient, since: former))
    #expect(try scene.patients.fetch(key: 3) == patient)
    patient.number = nil
    try scene.patients.update(patient)
    #expect(try scene.patients.fetch(key: 3) == patient)
    #expect(try scene.patients.update([.set(\.note, to: "x"), .set(\.ward, to: "Z")], key: 4) == 1)
    #expect(try scene.patients.where("ward = ?", "W1").updateAll(.set(\.weight, to: 1)) == 10)
    #expect(
      try scene.patients.fetchAll(\.ward, equals: "W1").map(\.weight)
        == Array(repeating: 1, count: 10)
    )
    #expect(try scene.patients.fetch(key: 4)?.note == "x")
    #expect(try scene.patients.fetch(key: 4)?.ward == "Z")
    expectError(.objectDeleted) {
      patient.id = 99
      try scene.patients.update(patient)
    }
  }

  @Test func `a searchable sealed column is found by its value, and a unique one holds`() throws {
    let scene = try filled()
    #expect(try scene.patients.fetchOne(\.number, equals: "N17")?.id == 18)
    #expect(try scene.patients.fetchAll(\.number, in: ["N1", "N2", "x"]).count == 2)
    expectError(.constraint, entity: "Patient", property: "number") {
      try scene.patients.insert(contentsOf: [Patient("A", number: "N3")])
    }
    expectError(.sealedCondition, entity: "Patient", property: "note") {
      _ = try scene.patients.fetchAll(\.note, equals: "x")
    }
    expectError(.sealedCondition, entity: "Patient", property: "note") {
      _ = try scene.patients.where("note = 'x'").count()
    }
    expectError(.sealedCondition) { try scene.patients.where("number < ''").deleteAll() }
    expectError(.sealedCondition) {
      try scene.patients.where("note > ''").updateAll(.set(\.ward, to: ""))
    }
    expectError(.sealedCondition) { _ = try scene.patients.all.sum(\.weight) }
    #expect(try scene.patients.count() == 40)
  }

  @Test
  func `rotation reseals records, and verification, inspection and status see them`() throws {
    let scene = try filled()
    let before = try scene.patients.fetchAll(orderBy: "id")
    let report = try scene.store.rotate()
    #expect(try scene.patients.fetchAll(orderBy: "id") == before)
    let counts = try scene.store.sealedCounts().filter { $0.entity == "Patient" }
    let count: Int = counts.map(\.count).reduce(0, +)
    // 32 notes, 40 numbers and 40 weights.
    #expect(count == 112)
    #expect(Set(counts.map(\.keyID)).count == 1, "\(report)")
    let verified = try scene.store.verify()
    #expect(verified.isSound)
    #expect(verified.openedCount == 112)
    #expect(try scene.patients.fetchOne(\.number, equals: "N17")?.id == 18)
  }

  @Test
  func `a sealed value that was moved to another row does not open`() throws {
    let scene = try filled()
    try scene.scene.edit(
      "UPDATE \"Patient\" SET note = (SELECT note FROM \"Patient\" WHERE id = 2) WHERE id = 3"
    )
    expectError(.tampered, entity: "Patient", property: "note") {
      _ = try scene.patients.fetch(key: 3)
    }
    #expect(try scene.patients.fetch(key: 2)?.note == "\(Marker.text) 1")
    #expect(try !scene.store.verify().isSound)
  }

  @Test func `without a key the sealed columns are locked`() throws {
    let scene = try filled()
    try scene.store.close()
    let store = try scene.scene.open(nil)
    expectError(.storeLocked) { _ = try Table<Patient>().in(store).first() }
    #expect(try Table<Patient>().in(store).count() == 40)
  }

  @Test func `a query of the caller's own opens sealed columns beside the objectID`() throws {
    let scene = try filled()
    let found = try scene.patients.fetch(sql: "SELECT * FROM \"Patient\" WHERE id = ?", 2)
    #expect(found.map(\.note) == ["\(Marker.text) 1"])
    expectError(.badStatement, entity: "Patient", property: "note") {
      _ = try scene.patients.fetch(sql: "SELECT note FROM \"Patient\" WHERE id = 2")
    }
  }

  @Test
  func `an export of sealed records is imported into a table that was created`() throws {
    let (scene, other) = (try filled(), try RecordScene())
    var lines: [Data] = []
    try scene.store.export(revealing: true) { lines.append($0) }
    try other.patients.create()
    var next = lines.makeIterator()
    try other.store.importLines { next.next() }
    #expect(try other.patients.fetchAll(orderBy: "id") == scene.patients.fetchAll(orderBy: "id"))
    #expect(try other.store.verify().isSound)

    let third = try RecordScene()
    var again = lines.makeIterator()
    try third.store.importLines { again.next() }
    expectError(.schemaMismatch, entity: "Patient") { _ = try third.patients.count() }
  }

  @Test
  func `a column of stored records is sealed by a conversion`() throws {
    let scene = try filled()
    let shy = Table<ShyPatient>().in(scene.store)
    expectError(.migrationPending, entity: "Patient", property: "ward") { _ = try shy.count() }
    try scene.store.convert("ward", of: "Patient", to: SealedOptions(isSearchable: true))
    #expect(try shy.fetchAll(\.ward, equals: "W1").count == 10)
    expectError(.migrationPending, entity: "Patient", property: "ward") {
      _ = try scene.patients.count()
    }
    #expect(try scene.store.verify().isSound)
  }

  @Test
  func `a rotation that was stopped goes on over records`() throws {
    let scene = try filled()
    let before = try scene.patients.fetchAll(orderBy: "id")
    var options = RotationOptions()
    options.batchSize = 7
    _ = try? scene.store.rotate(options) { _ in .stop }
    try scene.store.close()
    let store = try scene.scene.open()
    _ = try store.rotate(options)
    let patients = Table<Patient>().in(store)
    #expect(try patients.fetchAll(orderBy: "id") == before)
    #expect(Set(try store.sealedCounts().map(\.keyID)).count == 1)
    #expect(try store.verify().isSound)
  }

  @Test
  func `a sealed column that was added gets its default sealed in older rows`() throws {
    let scene = try filled()
    let later = Table<LaterPatient>().in(scene.store)
    #expect(try later.fetch(key: 2)?.remark == "none")
    #expect(try later.fetch(key: 2)?.note == "\(Marker.text) 1")
    #expect(try scene.store.verify().isSound)
    #expect(
      try scene.patients.columnNames() == ["id", "ward", "note", "number", "weight", "remark"]
    )
  }

  @Test func `an export names the tables of records that it leaves out`() throws {
    let scene = try filled()
    try scene.fill(3)
    let report = try scene.store.export { _ in }
    #expect(report.leftOut == ["Student"])
    #expect(report.objects == ["Patient": 40])
    #expect(try scene.store.export(entities: ["Patient"]) { _ in }.leftOut == [])
  }
}

extension Patient {
  fileprivate static func at(
    _ id: Int64,
    _ ward: String,
    _ note: String?,
    _ number: String?,
    _ weight: Double
  ) -> Patient {
    var patient = Patient(ward, note: note, number: number, weight: weight)
    patient.id = id
    return patient
  }
}
