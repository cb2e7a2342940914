import Observation
import Testing

@testable import NacreCore

/// What `@Entity` makes of a property, without an entity around it.
private final class Lamp: Observable {
  @exclusivity(unchecked) private var entityObservation = EntityObservation()
  private var stored = false

  var isLit: Bool {
    get {
      entityObservation.access(self, \.isLit)
      return stored
    }
    set {
      entityObservation.willSet(self, \.isLit)
      stored = newValue
      entityObservation.didSet(self, \.isLit)
    }
  }

  var registrar: ObjectRegistrar? { entityObservation.registrar }
}

/// A registrar costs more than half of an object's fetch: only who is observed has one.
struct EntityObservationTests {
  private func track(_ read: () -> Void) {
    withObservationTracking(read) {}
  }

  @Test func `an object that nobody observes has no registrar, read and set as it may be`() {
    let lamp = Lamp()
    lamp.isLit = true
    #expect(lamp.isLit)
    #expect(lamp.registrar == nil)
    track { lamp.isLit = false }
    #expect(lamp.registrar == nil)
  }

  @Test func `an object has one registrar from its first tracked read on`() throws {
    let lamp = Lamp()
    track { _ = lamp.isLit }
    let registrar = try #require(lamp.registrar)
    track { _ = lamp.isLit }
    lamp.isLit = true
    #expect(lamp.registrar === registrar)
  }

  @Test func `no two objects share a registrar, and a read after a tracking makes none`() throws {
    let lamps = (0..<3).map { _ in Lamp() }
    track { for lamp in lamps { _ = lamp.isLit } }
    let registrars = try lamps.map { ObjectIdentifier(try #require($0.registrar)) }
    #expect(Set(registrars).count == 3)
    let later = Lamp()
    #expect(!later.isLit)
    #expect(later.registrar == nil)
  }
}
