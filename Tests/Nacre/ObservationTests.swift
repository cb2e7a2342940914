import Dispatch
import Foundation
import Nacre
import Observation
import Synchronization
@testable import TestSupport
import Testing

/// Entities are `Observable`: who tracks reads is told of changes.
struct ObservationTests {
  /// How often a tracking was told of a change: once at most.
  private final class Notice: Sendable {
    private let count = Atomic(0)
    var isGiven: Bool { count.load(ordering: .relaxed) > 0 }

    /// Tracks what `read` reads.
    init(_ read: () -> Void) {
      withObservationTracking(read) { [self] in count.add(1, ordering: .relaxed) }
    }
  }

  @Test func `a set property is noticed by who read it, and no other property or object is`() {
    let car = Car()
    let other = Car()
    let power = Notice { _ = car.power }
    other.power = 1
    car.name = "Beetle"
    #expect(!power.isGiven)
    car.power = 1
    #expect(power.isGiven)
    let again = Notice { _ = car.power }
    let name = Notice { _ = other.name }
    car.power = 2
    #expect(again.isGiven)
    #expect(!name.isGiven)
  }

  @Test func `every property that is read in one tracking is noticed, whatever object it is of`() {
    for index in 0..<3 {
      let cars = (0..<3).map { _ in Car() }
      let notice = Notice { for car in cars { _ = car.power } }
      #expect(!notice.isGiven)
      cars[index].power += 1
      #expect(notice.isGiven)
    }
  }

  @Test func `a child that is replaced, one that is appended and a link that is set are noticed`() {
    let car = Car()
    let engine = Notice { _ = car.engine }
    let wheels = Notice { _ = car.wheels.count }
    let owner = Notice { _ = car.owner }
    car.engine = Engine()
    #expect(engine.isGiven)
    #expect(!wheels.isGiven)
    car.wheels.append(Wheel())
    #expect(wheels.isGiven)
    #expect(!owner.isGiven)
    car.owner = Link(Person())
    #expect(owner.isGiven)
  }

  @Test func `a change of a child is noticed by who read it through its parent`() {
    let car = Car()
    car.engine = Engine()
    let notice = Notice { _ = car.engine?.cylinders }
    car.engine?.cylinders = 6
    #expect(notice.isGiven)
  }

  @Test func `a value set by key path is noticed`() {
    let car = Car()
    let notice = Notice { _ = car[keyPath: \.power] }
    car[keyPath: \.power] = 3
    #expect(notice.isGiven)
  }

  @Test func `fetching and saving neither read nor change anything for observers`() throws {
    let test = try TestStore()
    try test.store.write { (_) throws in
      let car = Car.create()
      car.engine = Engine.create()
      car.wheels = [Wheel.create()]
      car.owner = Link(Person.create())
      let seen = Notice { _ = (car.name, car.engine, car.wheels, car.owner) }
      var failure: (any Error)?
      let saved = Notice {
        do { try car.save() } catch { failure = error }
      }
      #expect(failure == nil)
      #expect(!seen.isGiven)
      car.power = 1
      car.engine = nil
      car.wheels = []
      #expect(!saved.isGiven)
      #expect(seen.isGiven)
    }
    let car = try test.store.read { _ in try Car.fetchOne(\.power, equals: 0) }
    #expect(car?.hasChanges == false)
    #expect(car?.engine != nil)
    #expect(car?.wheels.count == 1)
  }

  @Test func `a rollback is no change of a property`() throws {
    let test = try TestStore()
    let car = Car.create()
    try test.store.write { _ in try car.save() }
    car.power = 5
    let notice = Notice { _ = car.power }
    #expect(throws: CancellationError.self) {
      try test.store.write { _ in
        try car.save()
        throw CancellationError()
      }
    }
    #expect(car.hasChanges)
    #expect(!notice.isGiven)
  }

  @Test func `threads that track at the same time notice their own objects`() {
    let right = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 200) { number in
      let car = Car()
      let other = Car()
      car.power = number
      let notice = Notice { _ = car.power }
      let otherNotice = Notice { _ = other.power }
      car.power += 1
      if notice.isGiven, !otherNotice.isGiven { right.add(1, ordering: .relaxed) }
    }
    #expect(right.load(ordering: .relaxed) == 200)
  }

  @Test func `an object that was observed is released with its observers`() {
    weak var gone: Car?
    weak var kept: Notice?
    do {
      let car = Car()
      let notice = Notice { _ = car.power }
      gone = car
      kept = notice
      car.power = 1
    }
    #expect(gone == nil)
    #expect(kept == nil)
  }

  @Test(.timeLimit(.minutes(10))) @MainActor
  func `a sequence of observations has every value that is set between them`() async {
    guard #available(macOS 26.0, *) else { return }
    let car = Car()
    var seen: [Int] = []
    for await power in Observations({ car.power }) {
      seen.append(power)
      if power == 3 { break }
      car.power += 1
    }
    #expect(seen == [0, 1, 2, 3])
  }
}

/// A property's own observers and defaults work as they would without `@Entity`.
struct PropertyObserverTests {
  @Test func `an observer that corrects its own property is not called again`() {
    let dial = Dial()
    let notice = Mutex(false)
    withObservationTracking {
      _ = dial.volume
    } onChange: {
      notice.withLock { $0 = true }
    }
    dial.volume = 15
    #expect(dial.volume == 10)
    #expect(notice.withLock { $0 })
    dial.volume += 5
    #expect(dial.volume == 10)
    dial.label = "loud"
    #expect(dial.announced == ["loud"])
  }

  @Test func `an observer that saves its object saves the new value`() throws {
    let test = try TestStore()
    let draft = Draft.create()
    draft.use(test.store)
    try draft.save()
    draft.text = "hello"
    #expect(!draft.hasChanges)
    let stored = try test.store.read { _ in try Draft.fetch(id: draft.objectID)?.text }
    #expect(stored == "hello")
  }

  @Test func `a property can be set before the superclass is initialised`() throws {
    let trailer = Trailer()
    #expect(trailer.load == 2)
    #expect(trailer.plate == "T-1")
    #expect(trailer.corrections == 0)
    trailer.load = 3
    #expect(trailer.corrections == 1)
    let test = try TestStore()
    trailer.use(test.store)
    try trailer.save()
    let stored = try test.store.read { _ in try Trailer.fetch(id: trailer.objectID) }
    #expect(stored?.load == 3)
    #expect(stored?.axles == 2)
  }

  @Test func `an observer is called when an initialiser assigns its property`() {
    #expect(Gauge().readings == [7])
  }

  @Test func `a default value is evaluated once for each object`() {
    let before = Ticket.issued.load(ordering: .relaxed)
    let ticket = Ticket()
    #expect(ticket.number == before + 1)
    #expect(Ticket.issued.load(ordering: .relaxed) == before + 1)
  }

  @Test func `an entity has the version that it declares`() {
    #expect(Appointment.entityVersion == 3)
  }

  @Test(.sqliteOnly("it asks for SQLite's storage classes"))
  func `dates are stored in the form that their column says`() throws {
    let test = try TestStore()
    let appointment = Appointment.create()
    appointment.use(test.store)
    appointment.begin = Date(timeIntervalSince1970: 1_000)
    appointment.end = Date(timeIntervalSince1970: 2_000.5)
    appointment.reminder = Date(timeIntervalSince1970: 500)
    try appointment.save()
    let stored = try test.store.read { _ in
      try Appointment.fetch(id: appointment.objectID)
    }
    #expect(stored?.begin == appointment.begin)
    #expect(stored?.end == appointment.end)
    #expect(stored?.reminder == appointment.reminder)
    let count = try test.store.read { _ in
      try Appointment.count(
        where: """
          typeof(begin) = 'integer' AND begin = 1000 AND typeof(end) = 'text'
          AND typeof(made) = 'real'
          """
      )
    }
    #expect(count == 1)
  }
}
