#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Saves whose COMMIT goes to the server behind their writes, before any of them is answered.
@Suite struct BatchedCommitTests {
  private let scene: WholeSession.Scene
  private let store: Store

  init() throws {
    scene = try WholeSession.Scene()
    store = try scene.open()
  }

  /// The statement that a COMMIT behind unanswered writes has before it.
  private static let check = "SET CONSTRAINTS ALL IMMEDIATE"

  private func warmUp() throws { try WholeSession.warmUp(store) }

  /// Warms the store up and makes a car that it does not store.
  private func newCar() throws -> (car: Car, objects: [any Entity], states: [String]) {
    try warmUp()
    let (car, objects) = WholeSession.car("a")
    return (car, objects, WholeSession.states(of: objects))
  }

  @Test func `the COMMIT of a graph goes behind its writes`() throws {
    defer { scene.proxy.close() }
    try warmUp()
    scene.proxy.meet(.changed { Array($0.bytes) }) { $0.runs("COMMIT") }
    try store.save([WholeSession.car("a").car])
    // Otherwise the other tests would show nothing.
    #expect(scene.proxy.counts.changed == ["COMMIT"])
    #expect(scene.proxy.counts.roundTrips == 2)
  }

  // MARK: Refused

  @Test(arguments: Refusal.codes, [false, true])
  func `a refused COMMIT leaves nothing, and the same objects are saved once`(
    code: (state: String, expected: NacreError.Code),
    endsTransaction: Bool
  ) throws {
    defer { scene.proxy.close() }
    let refusal = try Refusal()
    let (car, objects, states) = try newCar()
    let (late, atOnce) = (refusal.atCommit(code.state), refusal.atOnce(code.state))
    if endsTransaction {
      scene.proxy.meet(.changed { $0.replacing(Self.check, by: late) }) { $0.runs(Self.check) }
    } else {
      scene.proxy.meet(.changed { $0.replacing("COMMIT", by: atOnce) }) { $0.runs("COMMIT") }
    }
    let error = #expect(throws: NacreError.self) { try store.save([car]) }
    #expect(scene.proxy.counts.changed.count == 1)
    #expect(error?.code == code.expected, "\(String(describing: error))")
    #expect(WholeSession.states(of: objects) == states)
    #expect(try scene.car("a") == WholeSession.nothing)
    try store.save([car])
    #expect(objects.allSatisfy { !$0.hasChanges })
    #expect(try scene.car("a") == WholeSession.whole("a"))
  }

  @Test(arguments: Refusal.codes)
  func `a closure whose COMMIT is refused runs again`(
    code: (state: String, expected: NacreError.Code)
  ) throws {
    defer { scene.proxy.close() }
    let refusal = try Refusal()
    let (car, objects, states) = try newCar()
    let late = refusal.atCommit(code.state)
    scene.proxy.meet(.changed { $0.replacing(Self.check, by: late) }, times: 2) {
      $0.runs(Self.check)
    }
    var runs = 0
    try store.write(retries: 3) { _ in
      runs += 1
      #expect(WholeSession.states(of: objects) == states)
      try car.save()
    }
    #expect(runs == 3 && scene.proxy.counts.changed.count == 2)
    #expect(objects.allSatisfy { !$0.hasChanges })
    #expect(try scene.car("a") == WholeSession.whole("a"))
  }

  // MARK: Cut

  @Test
  func `a COMMIT that did not arrive is a lost connection, and the same objects are saved once`()
    throws
  {
    defer { scene.proxy.close() }
    let (car, objects, states) = try newCar()
    scene.proxy.meet(.cutBefore) { $0.runs("COMMIT") }
    let error = #expect(throws: NacreError.self) { try store.save([car]) }
    #expect(scene.proxy.counts.cuts == 1)
    #expect(error?.code == .connectionLost)
    #expect(WholeSession.states(of: objects) == states)
    #expect(try scene.car("a") == WholeSession.nothing)
    try store.save([car])
    #expect(objects.allSatisfy { !$0.hasChanges })
    #expect(try scene.car("a") == WholeSession.whole("a"))
  }

  @Test func `a COMMIT whose answer is lost is found, and nothing is written a second time`() throws
  {
    defer { scene.proxy.close() }
    let (car, objects, _) = try newCar()
    scene.proxy.meet(.cutBefore) { $0.direction == .toClient && $0.contains("COMMIT") }
    try store.save([car])
    #expect(scene.proxy.counts.cuts == 1)
    #expect(objects.allSatisfy { $0.isStored && !$0.hasChanges })
    #expect(try scene.car("a") == WholeSession.whole("a"))
    // It has nothing to write any more.
    try store.save([car])
    car.name = "b"
    try store.save([car])
    #expect(try scene.car("a").hasPrefix("[] "))
    #expect(try scene.car("b").hasPrefix("[\"VIN a, [1, 2, 3], 0\"] "))
  }

  @Test(arguments: [ProxyMessage.Direction.toServer, .toClient])
  func `wherever the connection is cut, a save is whole and says so, or has left nothing`(
    direction: ProxyMessage.Direction
  ) throws {
    defer { scene.proxy.close() }
    var (number, outcomes) = (1, Set<String>())
    while true {
      try warmUp()
      let (car, objects) = WholeSession.car("car \(number)")
      let states = WholeSession.states(of: objects)
      scene.proxy.meet(.cutBefore) { [number] in $0.direction == direction && $0.number == number }
      let result = Result { try store.save([car]) }
      let isCut = scene.proxy.counts.cuts > 0
      scene.proxy.count()
      switch result {
      case .success:
        outcomes.insert("stored")
        #expect(objects.allSatisfy { $0.isStored && !$0.hasChanges }, "cut at \(number)")
      case .failure(let error):
        outcomes.insert("lost")
        #expect((error as? NacreError)?.code == .connectionLost, "cut at \(number): \(error)")
        #expect(WholeSession.states(of: objects) == states, "cut at \(number)")
        #expect(try scene.car(car.name) == WholeSession.nothing, "cut at \(number)")
        try store.save([car])
      }
      #expect(try scene.car(car.name) == WholeSession.whole(car.name), "cut at \(number)")
      guard isCut else { break }
      number += 1
    }
    // Whatever answer is lost, it is found or asked for again; a message that did not arrive may have been the COMMIT.
    #expect(number > 20 && outcomes == (direction == .toServer ? ["stored", "lost"] : ["stored"]))
  }

  // MARK: Where nobody can tell

  @Test(arguments: [false, true])
  func `where no server can be asked, nobody can tell, and nothing is written a second time`(
    isStored: Bool
  ) throws {
    defer { scene.proxy.close() }
    var options = StoreOptions.patient
    // A save looks for so long whether it is stored.
    (options.busyTimeout, options.postgres.connectTimeout) = (5, 5)
    let store = try scene.open(options)
    try WholeSession.warmUp(store)
    let (car, objects) = WholeSession.car("a")
    let states = WholeSession.states(of: objects)
    if isStored {
      // The server says that it has committed; nobody hears it, and nobody can ask.
      scene.proxy.meet(.cutBefore) { $0.direction == .toClient && $0.contains("COMMIT") }
      scene.proxy.refuses = true
    } else {
      scene.proxy.meet(.cutOff) { $0.runs("COMMIT") }
    }
    let error = #expect(throws: NacreError.self) { try store.save([car]) }
    #expect(scene.proxy.counts.cuts == 1)
    #expect(error?.code == .commitUnknown, "\(String(describing: error))")
    #expect(WholeSession.states(of: objects) == states)
    scene.proxy.refuses = false
    // It gets its turn when the server has ended the other one's transaction.
    try scene.direct.write { _ in }
    #expect(try scene.car("a") == (isStored ? WholeSession.whole("a") : WholeSession.nothing))
    // Whoever saves the objects again learns whether they are there.
    let again = Result { try store.save([car]) }
    if isStored {
      #expect(throws: NacreError.self, performing: again.get)
      #expect(WholeSession.states(of: objects) == states)
    } else {
      try again.get()
      #expect(objects.allSatisfy { !$0.hasChanges })
    }
    #expect(try scene.car("a") == WholeSession.whole("a"))
  }

  @Test func `a COMMIT that was answered is stored, although the connection is lost behind it`()
    throws
  {
    defer { scene.proxy.close() }
    let (car, objects, _) = try newCar()
    scene.proxy.meet(.cutOff) { $0.direction == .toClient && $0.contains("COMMIT") }
    try store.save([car])
    #expect(scene.proxy.counts.cuts == 1)
    #expect(objects.allSatisfy { $0.isStored && !$0.hasChanges })
    scene.proxy.refuses = false
    #expect(try scene.car("a") == WholeSession.whole("a"))
  }
}
#endif
