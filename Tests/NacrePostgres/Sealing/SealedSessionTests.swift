#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import NacreUpkeep
import Synchronization
import Testing
@testable import NacreCrypto
@testable import NacrePostgres
@testable import TestSupport

/// A whole session sends nothing of sealed properties and of keys to the server, and nothing of them is anywhere on it.
@Suite struct SealedSessionTests {
  /// All messages of a session, in both directions.
  private final class Recording: Sendable {
    private let bytes = Mutex((toServer: Data(), toClient: Data()))

    var toServer: Data { bytes.withLock { $0.toServer } }
    var toClient: Data { bytes.withLock { $0.toClient } }

    func note(_ message: ProxyMessage) {
      bytes.withLock {
        switch message.direction {
        case .toServer: $0.toServer += message.bytes
        case .toClient: $0.toClient += message.bytes
        }
      }
    }
  }

  private static let word = "Sealed-\(UUID().uuidString)-\u{e4}"
  private static let number = 7_316_529_318_245_077
  private static let passphrase = "Passphrase-\(UUID().uuidString)"
  /// What a plain property, and a comment of the caller's own, hold.
  private static let open = "open-\(UUID().uuidString)"

  private static let texts = [
    SecretSearch("a text", text: word), SecretSearch("a number", integer: Int64(number)),
    SecretSearch("the passphrase", text: passphrase),
  ]

  /// Runs a session of an application that does everything once; returns the keys that it has had.
  private func runSession(_ url: String, _ keyFile: String) throws -> [SecretSearch] {
    let word = Self.word
    var store = try Store.open(url, unlock: .passphrase(Self.passphrase), options: .patient)
    var keys: [String: [UInt8]] = [:]
    func noteKeys() throws {
      let ring = try store.keys.unlocked()
      let key = ring.storeKey
      for (name, secret) in [
        ("store key", key.secret), ("wrap key", key.wrapKey), ("ring's MAC key", key.ringMACKey),
        ("journal's MAC key", key.journalMACKey), ("catalog's MAC key", key.catalogMACKey),
      ] { keys["\(name) \(ring.generation)"] = secret.withUnsafeBytes { Array($0) } }
      for (id, key) in ring.dataKeys {
        keys["key \(id)"] = key.secret.withUnsafeBytes { Array($0) }
      }
    }
    try noteKeys()
    let badge = Badge.make(Self.open) {
      ($0.plate, $0.serial, $0.email, $0.name) = (word, word, word, word)
      ($0.phone, $0.number, $0.hidden) = ("\(Self.number)", Self.number, word)
    }
    try store.write { _ in
      try badge.save()
      let vault = Vault.create()
      (vault.secret, vault.other, vault.number, vault.note) = (word, word, Self.number, word)
      (vault.data, vault.real) = (Data(word.utf8), Double(bitPattern: UInt64(Self.number)))
      try vault.save()
    }
    badge.plate = word + "!"
    try store.write { _ in try badge.save() }
    // The server's error says which index has the value already.
    let error = #expect(throws: NacreError.self) {
      try store.write { _ in try Badge.make("other") { $0.serial = word }.save() }
    }
    #expect(error?.code == .constraint)
    try store.read { (_) throws in
      #expect(try Badge.fetchOne(\.plate, equals: word + "!")?.label == Self.open)
      #expect(try Badge.fetchOne(\.email, equals: word.uppercased())?.label == Self.open)
      #expect(try Badge.fetchAll(\.number, equals: Self.number).count == 1)
      #expect(try Badge.where(#Predicate { $0.serial == word }).count() == 1)
      #expect(try Badge.where("label = ?", Self.open).fetchAll().first?.hidden == word)
      #expect(try Vault.fetchAll().first?.secret == word)
    }
    try store.write { _ in try Badge.all.updateAll(.set(\.name, to: word + "?")) }
    let lines = try Lines(store, revealing: true)
    #expect(lines.text.contains(word))
    try lines.load(into: store, existing: .replace)
    #expect(try store.rotate(.patient).outcome == .finished)
    try noteKeys()
    try store.addSlot(.keyFile(keyFile, createIfMissing: true))
    try store.rewrap(keeping: [.passphrase(Self.passphrase), .keyFile(keyFile)])
    try noteKeys()
    #expect(try store.verify().isSound)
    try store.write { try $0.execute("COMMENT ON TABLE \"Badge\" IS '\(Self.open)'") }
    try store.close()
    store = try Store.open(url, unlock: .keyFile(keyFile), options: .patient)
    #expect(try store.read { _ in try Badge.fetchAll().first?.name } == word + "?")
    try store.close()
    let file = try String(contentsOfFile: keyFile, encoding: .utf8)
    let digits = Array(try #require(file.firstMatch(of: /[0-9a-f]{64}/)).output)
    keys["key file"] = stride(from: 0, to: 64, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
    return keys.map { SecretSearch($0.key, bytes: $0.value) }
  }

  @Test func `nothing that is sealed, and no key, is on the wire, in a log, a statistic or a dump`()
    throws
  {
    let server = try Cluster(
      "log_statement = 'all'",
      "log_parameter_max_length_on_error = -1",
      "log_error_verbosity = verbose",
      "shared_preload_libraries = 'pg_stat_statements'",
      "pg_stat_statements.track = 'all'"
    )
    try server.execute("CREATE EXTENSION pg_stat_statements", "CREATE SCHEMA store")
    let proxy = try ServerProxy(to: server.url)
    defer { proxy.close() }
    let recording = Recording()
    proxy.meet(.cutBefore) { message in
      recording.note(message)
      return false
    }
    let directory = try TemporaryDirectory()
    let keys = try runSession(
      proxy.url(server.url) + "&options=-csearch_path%3Dstore",
      directory.file("store.key")
    )
    #expect(keys.count >= 20, "\(keys.map(\.name))")

    let statements = try server.execute(
      "SELECT query FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'"
    )
    let places = [
      ("the way to the server", recording.toServer), ("the way back", recording.toClient),
      ("the log", try Data(contentsOf: URL(fileURLWithPath: server.directory + "/log"))),
      ("pg_stat_statements", Data(statements.utf8)),
      ("pg_dump", Data(try Cluster.run("pg_dump", [server.url]).utf8)),
      ("pg_dump in inserts", Data(try Cluster.run("pg_dump", ["--inserts", server.url]).utf8)),
      ("the tables' files and the write-ahead log", try files(of: server)),
    ]
    let open = SecretSearch("what is open", text: Self.open)
    for (name, bytes) in places {
      // What is not sealed is there, or the search would show nothing.
      #expect(open.found(in: bytes).contains("what is open: as it is, bytes"), "\(name)")
      for search in Self.texts + keys {
        #expect(search.found(in: bytes) == [], "\(name)")
      }
    }
    // The statements were counted, and not the comment alone.
    #expect(statements.contains("plate__index"))
  }

  /// Every byte of the files of the server's tables, indexes and write-ahead log.
  private func files(of server: Cluster) throws -> Data {
    try server.execute("CHECKPOINT")
    var all = Data()
    for folder in ["base", "pg_wal"] {
      let root = URL(fileURLWithPath: server.directory + "/data/" + folder)
      for case let file as URL in try #require(
        FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.isRegularFileKey])
      ) where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
        all += try Data(contentsOf: file)
      }
    }
    return all
  }

  @Test func `a secret is found in every form`() {
    let (text, bytes) = ("Grün-17", [UInt8](0..<32))
    let (small, utf8) = ("grün-17", Data("Grün-17".utf8))
    func hex(_ bytes: some Sequence<UInt8>) -> String {
      bytes.map { String(format: "%02x", $0) }.joined()
    }
    let search = SecretSearch("s", text: text)
    for shown in [
      utf8, Data(small.utf8), Data("GRÜN-17".utf8), Data(hex(utf8).utf8),
      Data(hex(utf8).uppercased().utf8), text.data(using: .utf16LittleEndian) ?? Data(),
      text.data(using: .utf16BigEndian) ?? Data(), utf8.base64EncodedData(),
      (Data("a".utf8) + utf8 + Data("b".utf8)).base64EncodedData(),
      (Data("ab".utf8) + utf8 + Data("c".utf8)).base64EncodedData(),
    ] {
      #expect(search.found(in: Data("before ".utf8) + shown + Data(" behind".utf8)) != [])
      #expect(search.found(in: shown.prefix(shown.count / 2)) == [])
    }
    let key = SecretSearch("k", bytes: bytes)
    #expect(key.found(in: Data([9] + bytes + [9])) == ["k: bytes"])
    #expect(key.found(in: Data(hex(bytes).utf8)) == ["k: hex"])
    let number = SecretSearch("n", integer: 258)
    #expect(number.found(in: Data("x258".utf8)) == ["n: bytes"])
    #expect(number.found(in: Data([0, 0, 0, 0, 0, 0, 1, 2])) == ["n: bytes"])
    #expect(number.found(in: Data([2, 1, 0, 0, 0, 0, 0, 0])) == ["n: little-endian"])
  }
}
#endif
