import Foundation
import Nacre
import Synchronization
import Testing
@testable import TestSupport

/// The identifiers that new objects get (RFC 9562).
@Suite struct IdentifierTests {
  private func bytes(_ uuid: UUID) -> [UInt8] { withUnsafeBytes(of: uuid.uuid) { Array($0) } }

  private func milliseconds(_ uuid: UUID) -> UInt64 {
    bytes(uuid).prefix(6).reduce(0) { $0 << 8 | UInt64($1) }
  }

  @Test func `version and variant stand where RFC 9562 has them`() {
    for _ in 0..<1000 {
      let (ordered, random) = (bytes(Car.create().objectID), bytes(Person.create().objectID))
      #expect(ordered[6] >> 4 == 7 && random[6] >> 4 == 4)
      #expect(ordered[8] >> 6 == 0b10 && random[8] >> 6 == 0b10)
    }
  }

  @Test func `version 7 begins with the time of now in milliseconds`() {
    let before = Date().timeIntervalSince1970
    let time = Double(milliseconds(Car.create().objectID)) / 1000
    let after = Date().timeIntervalSince1970
    #expect(time > before - 1 && time < after + 1)
  }

  @Test func `version 7 goes up in every thread and never repeats`() {
    let threadCount = 4
    let perThread = 25_000
    let all = Mutex<Set<UUID>>([])
    DispatchQueue.concurrentPerform(iterations: threadCount) { _ in
      let identifiers = (0..<perThread).map { _ in Car.create().objectID }
      let texts = identifiers.map(\.uuidString)
      #expect(zip(texts, texts.dropFirst()).allSatisfy { $0 < $1 })
      all.withLock { $0.formUnion(identifiers) }
    }
    #expect(all.withLock { $0.count } == threadCount * perThread)
  }

  @Test func `an identifier made after another thread's is greater`() throws {
    for _ in 0..<200 {
      let mine = Car.create().objectID
      let theirs = Mutex<UUID?>(nil)
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        let identifier = Car.create().objectID
        theirs.withLock { $0 = identifier }
        done.signal()
      }
      done.wait()
      let other = try #require(theirs.withLock { $0 })
      #expect(mine.uuidString < other.uuidString)
    }
  }

  @Test func `version 4 shows no time and is not in order`() {
    let identifiers = (0..<100).map { _ in Person.create().objectID }
    #expect(Set(identifiers).count == 100)
    let texts = identifiers.map(\.uuidString)
    #expect(texts.sorted() != texts)
    #expect(Set(identifiers.map { milliseconds($0) >> 32 }).count > 50)
  }

  @Test func `an identifier is made once, and kept through save and fetch`() throws {
    let test = try TestStore()
    let car = Car()
    let identifier = car.objectID
    #expect(car.objectID == identifier)
    try test.store.write { _ in try car.save() }
    #expect(car.objectID == identifier)
    let found = try test.store.read { (_) throws in
      try Car.fetchValues(\.objectID)
    }
    #expect(found == [identifier])
  }

  @Test func `an identifier of the caller's own is taken as it is`() throws {
    let test = try TestStore()
    let chosen = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001"))
    let car = Car.create(objectID: chosen)
    car.name = "chosen"
    try test.store.write { _ in try car.save() }
    let name = try test.store.read { _ in try Car.fetch(id: chosen)?.name }
    #expect(name == "chosen")
  }

  @Test func `an object whose row has the identifier of all zeros keeps it`() throws {
    let test = try TestStore()
    let car = Car.create()
    try test.store.write { (database) throws in
      try car.save()
      let zeros = TestPlace.sql(
        "zeroblob(16)",
        onServer: "CAST('00000000-0000-0000-0000-000000000000' AS uuid)"
      )
      try database.execute("UPDATE \"Car\" SET \"objectID\" = \(zeros)")
    }
    let found = try #require(try test.store.read { _ in try Car.fetchOne() })
    #expect(found.objectID.uuidString == "00000000-0000-0000-0000-000000000000")
    found.name = "changed"
    try found.save()
    #expect(try test.store.read { _ in try Car.fetchAll().map(\.name) } == ["changed"])
  }

  @Test(.sqliteOnly("a server returns rows without an order in any"))
  func `rows of version 7 come in the order in which they were made`() throws {
    let test = try TestStore()
    let cars = (0..<500).map { index in
      let car = Car.create()
      car.power = index
      return car
    }
    try test.store.write { _ in for car in cars.shuffled() { try car.save(cascade: false) } }
    let powers = try test.store.read { _ in try Car.fetchAll().map(\.power) }
    #expect(powers == Array(0..<500))
  }
}
