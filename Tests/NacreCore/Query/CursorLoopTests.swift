import Foundation
import NacreCore
import NacreStore
import Testing
@testable import TestSupport

/// Cursors that async functions read by a loop.
///
/// There are no more readers than two: one that is not given back fails a test.
@Suite(.timeLimit(.minutes(10))) struct CursorLoopTests {
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    test = try TestStore {
      ($0.readerLimit, $0.maximumReaderCount, $0.busyTimeout) = (1, 2, 0.1)
    }
  }

  private func fill(_ count: Int) throws {
    try store.write { _ in
      for number in 0..<count {
        let wheel = Wheel.create()
        wheel.size = number
        try wheel.save()
      }
    }
  }

  private var wheels: Query<Wheel> { Wheel.in(store).ordered(by: "size") }

  @Test(arguments: [0, 1, 255, 256, 257, 600])
  func `a loop over a cursor meets every object once, in order`(_ count: Int) async throws {
    try fill(count)
    var sizes: [Int] = []
    for try await wheel in try await wheels.cursor() { sizes.append(wheel.size) }
    #expect(sizes == Array(0..<count))
  }

  @Test func `objects of a loop belong to the caller, with their children`() async throws {
    let car = Car.create()
    car.wheels = [Wheel.create(), Wheel.create()]
    car.vin = "V1"
    try await store.save([car])
    for try await found in try await Car.in(store).cursor() {
      #expect(found.wheels.count == 2 && found.vin == "V1")
      found.name = "changed"
      try await found.save()
    }
    #expect(try await Car.in(store).fetchAll().map(\.name) == ["changed"])
  }

  @Test func `a loop that is left early gives the reader back`() async throws {
    try fill(600)
    for _ in 0..<5 {
      let cursor = try await wheels.cursor()
      for try await wheel in cursor where wheel.size == 300 { break }
      // The cursor is closed, although it is still held.
      #expect(try cursor.next() == nil)
    }
    struct Stop: Error {}
    for _ in 0..<5 {
      await #expect(throws: Stop.self) {
        for try await _ in try await wheels.cursor() { throw Stop() }
      }
    }
    #expect(try await store.read { _ in try Wheel.count() } == 600)
  }

  @Test func `a cancelled loop throws, and gives the reader back`() async throws {
    try fill(600)
    for _ in 0..<5 {
      let reading = Task { [store] in
        var count = 0
        for try await _ in try await Wheel.in(store).cursor() {
          count += 1
          if count == 300 { withUnsafeCurrentTask { $0?.cancel() } }
          if count > 300 { Issue.record("read on after the cancellation") }
        }
      }
      await #expect(throws: CancellationError.self) { try await reading.value }
    }
    let cursor = try await wheels.cursor()
    #expect(try cursor.next()?.size == 0)
  }

  @Test func `a loop sees one state while its own body writes`() async throws {
    try fill(600)
    var count = 0
    for try await wheel in try await wheels.cursor() {
      if wheel.size == 0 { try await Wheel.in(store).where("size > 10").deleteAll() }
      count += 1
    }
    #expect(count == 600)
    #expect(try await wheels.count() == 11)
  }

  @Test func `a loop ends with its store`() async throws {
    try fill(600)
    let error = await #expect(throws: NacreError.self) {
      for try await wheel in try await wheels.cursor() where wheel.size == 0 {
        try await store.close()
      }
    }
    #expect(error?.code == .storeClosed)
  }

  @Test func `what a cursor has read before a loop does not come again`() async throws {
    try fill(300)
    let cursor = try await wheels.cursor()
    #expect(try cursor.next()?.size == 0)
    var sizes: [Int] = []
    for try await wheel in cursor { sizes.append(wheel.size) }
    #expect(sizes == Array(1..<300))
  }

  @Test func `links are read by a loop`() async throws {
    let car = Car.create()
    for number in 0..<300 {
      let person = Person.create()
      person.code = String(1000 + number)
      car.drivers.add(person)
    }
    try await store.save([car])
    var codes: [String] = []
    for try await person in try await car.drivers.cursor(orderBy: "code") {
      codes.append(person.code)
    }
    #expect(codes == (1000..<1300).map { "\($0)" })
    try await store.asDefault {
      for try await _ in try await Car.create().drivers.cursor() { Issue.record("an element") }
    }
  }

  @MainActor
  @Test func `the main actor goes on while its loop reads`() async throws {
    try fill(2000)
    var (turns, sizes) = (0, 0)
    let other = Task { @MainActor in
      while !Task.isCancelled {
        turns += 1
        await Task.yield()
      }
    }
    for try await wheel in try await wheels.cursor() { sizes += wheel.size }
    #expect(sizes == 1999 * 1000)
    #expect(turns > 0)
    other.cancel()
  }
}
