import NacreEngine
import Testing

@testable import NacreCore

/// What observers are told of rows that their own store seals anew, whenever others' commits are looked for.
struct WatchTests {
  private let one = ObjectID(high: 0, low: 1)
  private let two = ObjectID(high: 0, low: 2)

  private func watch() -> Watch {
    var watch = Watch(tables: [])
    watch.begin(with: [one: 10, two: 20])
    return watch
  }

  @Test func `a scan that finds the rows before their commit is reported tells nothing`() {
    var watch = watch()
    watch.resealing = [10: 11, 20: 21]
    #expect(watch.takeAll([one: 11, two: 21]).isEmpty)
    watch.resealing = [:]
    watch.reseal([one: (10, 11), two: (20, 21)])
    #expect(watch.takeAll([one: 11, two: 21]).isEmpty)
  }

  @Test func `a scan that began before their commits and ends after them tells nothing`() {
    var watch = watch()
    watch.reseal([one: (10, 11), two: (20, 21)])
    watch.reseal([one: (11, 12)])
    watch.resealed = [10: 11, 20: 21, 11: 12]
    #expect(watch.takeAll([one: 10, two: 20]).isEmpty)
    watch.resealed = [:]
    #expect(watch.takeAll([one: 12, two: 21]).isEmpty)
  }

  @Test func `a change before them or after them is told`() {
    var watch = watch()
    // Somebody has changed the first row before, of which nobody was told, and the second one after.
    watch.reseal([one: (15, 16), two: (20, 21)])
    #expect(watch.takeAll([one: 16, two: 22]) == [one: .updated, two: .updated])
    #expect(watch.takeAll([one: 16]) == [two: .deleted])
  }

  @Test func `pairs in a circle end`() {
    var watch = watch()
    watch.resealed = [10: 11, 11: 10]
    #expect(watch.takeAll([one: 10, two: 20]).isEmpty)
  }
}
