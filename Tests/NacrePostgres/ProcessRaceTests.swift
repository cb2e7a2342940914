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

/// Two processes that change one store at once: both wait for the turn to write, and then get it one after the other.
@Suite struct ProcessRaceTests {
  // Of its own, because a transaction that waits for the processes keeps the rotations of a server's other stores waiting.
  private let server: Cluster

  init() throws { server = try Cluster() }

  /// Takes the turn to write, and keeps it until two sessions wait for it.
  ///
  /// It does so on a thread of its own: each process of a test keeps one of the tests' threads until it ends, so a task
  /// might never come to look.
  private static func keepTurn(at url: String) throws -> OwnThread<Void> {
    let taken = DispatchSemaphore(value: 0)
    let keeper = OwnThread {
      defer { taken.signal() }
      let raw = try TestServer.connect(to: url)
      try raw.begin(.immediate)
      taken.signal()
      let waiters = """
        SELECT count(*) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
        WHERE NOT l.granted AND c.relnamespace = current_schema()::regnamespace
        """
      let deadline = ContinuousClock.now + .seconds(300)
      while try raw.values(waiters) != [.integer(2)] {
        try #require(ContinuousClock.now < deadline, "the processes did not wait for their turn")
        Thread.sleep(forTimeInterval: 0.01)
      }
      try raw.commit()
    }
    try #require(taken.wait(timeout: .now() + 60) == .success)
    return keeper
  }

  @Test func `each step of a migration runs once, and both processes go on`() async throws {
    let scene = try MigrationScene(url: server.url)
    let (url, keyFile) = (scene.url, scene.keyFile)
    let keeper = try Self.keepTurn(at: url)
    async let one: Void = Self.migrate(url, keyFile)
    async let two: Void = Self.migrate(url, keyFile)
    _ = await (one, two)
    try keeper.value()
    try scene.expectMigrated(to: MigrationScene.Second.self, vaults: 2...2)
  }

  private static func migrate(_ url: String, _ keyFile: String) async {
    await #expect(processExitsWith: .success) {
      [url = url as String, keyFile = keyFile as String] in
      // Who comes while the other one migrates is refused by name, and comes again; so does who has waited for a minute,
      // because other tests kept the other process from its start.
      let deadline = ContinuousClock.now + .seconds(300)
      while true {
        do {
          return try MigrationScene.migrate(
            url,
            keyFile: keyFile,
            to: MigrationScene.Second.self
          )
        } catch let error as NacreError where [.rotationHeld, .busy].contains(error.code) {
          try #require(ContinuousClock.now < deadline, "\(error)")
          try await Task.sleep(for: .milliseconds(10))
        }
      }
    }
  }

  // MARK: Rewrap

  @Test func `of two that rewrap and drop each other's slot one is refused by name`() async throws {
    let directory = try TemporaryDirectory()
    let url = server.url
    let raw = try TestServer.connect(to: url)
    let files = ["one.key", "two.key"].map(directory.file)
    try Self.makeStore(url, files)
    try raw.execute("CREATE TABLE outcome (file text, code text)")
    let keeper = try Self.keepTurn(at: url)
    async let one: Void = Self.rewrap(url, files[0])
    async let two: Void = Self.rewrap(url, files[1])
    _ = await (one, two)
    try keeper.value()
    let codes = try raw.values("SELECT code FROM outcome ORDER BY code")
    #expect(codes == [.text("done"), .text("wrongSecret")])
    for file in files {
      let code = try raw.values("SELECT code FROM outcome WHERE file = ?1", [.text(file)])
      try Self.expect(url, file, isKept: code == [.text("done")])
    }
  }

  private static func rewrap(_ url: String, _ file: String) async {
    await #expect(processExitsWith: .success) { [url = url as String, file = file as String] in
      let code = try ProcessRaceTests.codeOfRewrap(url, file)
      let raw = try TestServer.connect(to: url)
      try raw.run("INSERT INTO outcome VALUES (?1, ?2)", [.text(file), .text(code)])
    }
  }

  /// Makes a store that each of two key files unlocks.
  private static func makeStore(_ url: String, _ files: [String]) throws {
    let unlock = files.map { Unlock.keyFile($0, createIfMissing: true) }
    let store = try Store.open(url, unlock: unlock[0], options: .patient)
    defer { try? store.close() }
    try store.addSlot(unlock[1])
    let vault = Vault.create()
    vault.secret = "Marker-1"
    try store.save([vault])
  }

  /// Rewraps a store for one key file alone; returns the error's code.
  private static func codeOfRewrap(_ url: String, _ file: String) throws -> String {
    var options = StoreOptions.patient
    // The other process can begin late.
    options.busyTimeout = 300
    let store = try Store.open(url, unlock: .keyFile(file), options: options)
    defer { try? store.close() }
    do {
      try store.rewrap(keeping: [.keyFile(file)], dropsOthers: true)
      return "done"
    } catch let error as NacreError {
      return error.code.description
    }
  }

  /// Expects that a key file opens the store, whose values are sound, or that it does not.
  private static func expect(_ url: String, _ file: String, isKept: Bool) throws {
    guard isKept else {
      let error = #expect(throws: NacreError.self) { try Store.open(url, unlock: .keyFile(file)) }
      #expect(error?.code == .wrongSecret)
      return
    }
    let store = try Store.open(url, unlock: .keyFile(file), options: .patient)
    defer { try? store.close() }
    #expect(try store.slots().count == 1)
    #expect(try store.verify().isSound)
    #expect(try store.read { _ in try Vault.fetchAll().map(\.secret) } == ["Marker-1"])
  }
}
#endif
