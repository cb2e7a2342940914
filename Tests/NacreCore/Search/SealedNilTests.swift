import Foundation
import NacreCore
import TestSupport
import Testing

/// What can be asked of a sealed property that is not searchable, and what is advised.
@Suite struct SealedNilTests {
  @Test func `nil alone is found in a sealed property that is not searchable`() throws {
    let test = try TestStore()
    let both: [[String: JSONValue]?] = [nil, ["pin": 1]]
    try test.store.write { (_) throws in
      let (none, some) = (Dossier.create(), Dossier.create())
      some.secret = ["pin": 1]
      try none.save()
      try some.save()
      let found = try Dossier.fetchAll(\.secret, equals: nil)
      #expect(found.map(\.objectID) == [none.objectID])
      let one = try Dossier.fetchOne(\.secret, equals: nil)
      #expect(one?.objectID == none.objectID)
      expectError(.sealedCondition, entity: "Dossier", property: "secret") {
        _ = try Dossier.fetchAll(\.secret, in: both)
      }
      expectError(.sealedCondition, entity: "Dossier", property: "secret") {
        _ = try Dossier.fetchAll(\.secret, in: [[String: JSONValue]?]())
      }
    }
    let scene = try RecordScene()
    let patients = Table<Patient>().in(scene.store)
    try patients.insert(contentsOf: [Patient("A"), Patient("B", note: "x")])
    #expect(try patients.fetchAll(\.note, equals: nil).map(\.ward) == ["A"])
    expectError(.sealedCondition, entity: "Patient", property: "note") {
      _ = try patients.fetchAll(\.note, equals: "x")
    }
  }

  @Test func `an order by Decimal advises what helps`() throws {
    let fleet = try VehicleFleet(count: 5)
    let error = thrown(.untranslatablePredicate, entity: "Vehicle") {
      _ = try fleet.test.store.read { _ in
        try Vehicle.fetchAll(orderBy: [SortDescriptor(\.price)])
      }
    }
    #expect(error?.description.contains("COLLATE nacre_decimal") == true)
    #expect(error?.description.contains("but no order") == true)
  }
}
