import Foundation
import NacreCore
import NacreOpen
import Testing
@testable import TestSupport

/// Processes that die and files that are copied in the middle of a transaction.
@Suite struct CrashTests {
  @Test func `a process that is killed in a transaction leaves what was committed before`()
    async throws
  {
    let scene = try Scene()
    let path = scene.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try CrashTests.dieInTransaction(path)
    }
    try expectCommitted(scene)
  }

  private func expectCommitted(_ scene: Scene) throws {
    let store = try scene.open()
    try store.read { (database) throws in
      #expect(try Car.fetchAll().map(\.name) == ["committed"])
      #expect(try Car.fetchOne()?.vin == Marker.text)
      #expect(try database.query("PRAGMA integrity_check") == [[.text("ok")]])
      #expect(try database.query("PRAGMA foreign_key_check") == [])
    }
    try scene.save(Car.create(), in: store)
  }

  private static func dieInTransaction(_ path: String) throws {
    let store = try Store.open(path, unlock: Scene.unlock)
    let car = Car.create()
    car.name = "committed"
    car.vin = Marker.text
    try store.save([car])
    try store.write { database in
      // A small cache, so that uncommitted pages lie in the log when the process dies.
      try database.execute("PRAGMA cache_size = 5")
      car.name = "lost"
      try car.save()
      for _ in 0..<300 {
        let other = Car.create()
        other.wheels = [Wheel.create(), Wheel.create()]
        try other.save()
      }
      kill(getpid(), SIGKILL)
    }
  }

  private static func dieInUnlock(_ path: String) throws {
    _ = try Store.open(
      path,
      unlock: .callback {
        kill(getpid(), SIGKILL)
        return try Scene.secret(Scene.keyHex)
      }
    )
  }

  @Test func `a copy taken in the middle of a transaction holds what was committed before`() throws
  {
    let scene = try Scene()
    let store = try scene.open()
    let car = Car.create()
    car.wheels = [Wheel.create()]
    try scene.save(car, in: store)
    let copy = try Scene()
    try store.write { database in
      try database.execute("PRAGMA cache_size = 5")
      for _ in 0..<300 {
        let other = Car.create()
        other.wheels = [Wheel.create()]
        try other.save()
      }
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: scene.path + suffix, toPath: copy.path + suffix)
      }
    }
    let opened = try copy.open()
    try opened.read { (database) throws in
      #expect(try Car.count() == 1)
      #expect(try Car.fetchOne()?.wheels.count == 1)
      #expect(try database.query("PRAGMA integrity_check") == [[.text("ok")]])
    }
    #expect(try store.read { _ in try Car.count() } == 301)
  }

  @Test func `a store whose making was killed is made by the next`() async throws {
    let scene = try Scene()
    let path = scene.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try CrashTests.dieInUnlock(path)
    }
    try expectUsable(scene)
  }

  private func expectUsable(_ scene: Scene) throws {
    let store = try scene.open()
    try scene.save(Car.create(), in: store)
    try store.close()
    try scene.open().close()
  }
}
