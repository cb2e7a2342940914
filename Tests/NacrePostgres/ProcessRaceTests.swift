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

  /// Keeps the turn to write until so many sessions wait for it.
  private func keepTurn(_ raw: PostgresConnection, untilWaitingFor count: Int64) async throws {
    let waiters = """
      SELECT count(*) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
      WHERE NOT l.granted AND c.relnamespace = current_schema()::regnamespace
      """
    // Other tests keep all threads for as long as they run, and the processes begin after them.
    let deadline = ContinuousClock.now + .seconds(1500)
    while try raw.values(waiters) != [.integer(count)] {
      try #require(ContinuousClock.now < deadline, "the processes did not wait for their turn")
      try await Task.sleep(for: .milliseconds(10))
    }
    try raw.commit()
  }

  @Test func `each step of a migration runs once, and both processes go on`() async throws {
    let scene = try MigrationScene(url: server.url)
    let (url, keyFile) = (scene.url, scene.keyFile)
    try scene.raw.begin(.immediate)
    async let one: Void = Self.migrate(url, keyFile)
    async let two: Void = Self.migrate(url, keyFile)
    try await keepTurn(scene.raw, untilWaitingFor: 2)
    _ = await (one, two)
    try scene.expectMigrated(to: MigrationScene.Second.self, vaults: 2...2)
  }

  private static func migrate(_ url: String, _ keyFile: String) async {
    await #expect(processExitsWith: .success) {
      [url = url as String, keyFile = keyFile as String] in
      try MigrationScene.migrate(url, keyFile: keyFile, to: MigrationScene.Second.self)
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
    try raw.begin(.immediate)
    async let one: Void = Self.rewrap(url, files[0])
    async let two: Void = Self.rewrap(url, files[1])
    try await keepTurn(raw, untilWaitingFor: 2)
    _ = await (one, two)
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
    let store = try Store.open(url, unlock: .keyFile(file), options: .patient)
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
