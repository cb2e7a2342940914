import Foundation
import NacreCore
import NacreUpkeep
import Synchronization
import TestSupport
import Testing

@testable import NacreDAO

@Suite struct KeyValuesTests {
  private let home: TestStore
  private let values: KeyValues

  init() throws {
    home = try TestStore()
    values = KeyValues(home.store)
  }

  @Test func `values of every type come back`() throws {
    try values.set(1, forKey: "int")
    try values.set(Int64.max, forKey: "long")
    try values.set(true, forKey: "flag")
    try values.set(2.5, forKey: "double")
    try values.set("text", forKey: "text")
    try values.set(Data([1, 2]), forKey: "data")
    try values.set(Letter(msgId: 1, content: "c", tags: ["x"]), forKey: "letter")
    try values.set([1, 2], forKey: "list")
    #expect(try values.get("int", as: Int.self) == 1)
    #expect(try values.get("long", as: Int64.self) == .max)
    #expect(try values.get("flag", as: Bool.self) == true)
    #expect(try values.get("double", as: Double.self) == 2.5)
    #expect(try values.get("text", as: String.self) == "text")
    #expect(try values.get("data", as: Data.self) == Data([1, 2]))
    #expect(try values.get("letter") == Letter(msgId: 1, content: "c", tags: ["x"]))
    #expect(try values.get("list") == [1, 2])
  }

  @Test func `a missing key gives nil or the default`() throws {
    #expect(try values.get("none", as: Int.self) == nil)
    #expect(try values.get("none", default: 7) == 7)
    try values.set(3, forKey: "there")
    #expect(try values.get("there", default: 7) == 3)
    let error = #expect(throws: NacreError.self) { try values.get("there", as: String.self) }
    #expect(error?.code == .valueMismatch)
  }

  @Test func `keys of one name belong to different businesses`() throws {
    try values.set(1, forKey: "k", business: "a")
    try values.set(2, forKey: "k", business: "b")
    try values.set(3, forKey: "k")
    try values.set(4, forKey: "k")
    #expect(try values.get("k", business: "a", default: 0) == 1)
    #expect(try values.get("k", default: 0) == 4)
    #expect(try values.keys() == ["k", "k", "k"])
    #expect(try values.keys(ofBusiness: "a") == ["k"])
    try values.remove("k", business: "a")
    #expect(try !values.contains("k", business: "a"))
    #expect(try values.contains("k", business: "b"))
    try values.set(Int?.none, forKey: "k", business: "b")
    #expect(try !values.contains("k", business: "b"))
  }

  @Test func `values are removed by pattern, prefix, and when they are purgeable`() throws {
    for key in ["a1", "a2", "A3", "b_1", "b%1", "b"] { try values.set(key, forKey: key) }
    try values.removeItems(prefix: "b%")
    #expect(try values.keys() == ["A3", "a1", "a2", "b", "b_1"])
    try values.removeItems(like: "a_")
    #expect(try values.keys() == ["b", "b_1"])
    try values.set(1, forKey: "p", business: "x", isPurgeable: true)
    try values.removePurgeableItems()
    #expect(try values.keys() == ["b", "b_1"])
    #expect(try values.approximateSize(ofBusiness: "") == 4)
    try values.reset()
    #expect(try values.keys() == [])
  }

  @Test(arguments: [
    "a", "a\0", "a\0b", "a%", "a_", "a*", "a[", "a😀", "a\u{D7FF}", "a\u{10FFFF}",
    "\u{10FFFF}", "", "e",
  ])
  func `a prefix is taken as it is, whatever signs are in it`(prefix: String) throws {
    let keys = [
      "a", "a\0", "a\0b", "a\0bc", "a\0c", "ab", "a%", "a%b", "a_", "a_b", "a*", "a*b", "a[",
      "a[b]",
      "a😀", "a😀b", "a😁", "a\u{D7FF}", "a\u{D7FF}b", "a\u{E000}", "a\u{10FFFF}", "a\u{10FFFF}b",
      "\u{10FFFF}", "\u{10FFFF}\u{10FFFF}", "b", "A", "e\u{301}", "é",
    ]
    for key in keys {
      try values.set(1, forKey: key, business: "x")
      try values.set(1, forKey: key, business: "other")
    }
    try values.removeItems(prefix: prefix, business: "x")
    let left = keys.filter { !$0.utf8.starts(with: prefix.utf8) }
    let found = try values.keys(ofBusiness: "x")
    #expect(
      found.map { Array($0.utf8) }
        == left.map { Array($0.utf8) }.sorted { a, b in
          a.lexicographicallyPrecedes(b)
        }
    )
    #expect(try values.keys(ofBusiness: "other").count == keys.count)
  }

  @Test func `a pattern does not take a key with a NUL for what stands before it`() throws {
    for key in ["a", "a\0b", "ab"] { try values.set(1, forKey: key) }
    try values.removeItems(like: "a")
    #expect(try values.keys() == ["a\0b", "ab"])
    let error = #expect(throws: NacreError.self) { try values.removeItems(like: "a\0b") }
    #expect(error?.code == .badArgument)
    try values.removeItems(like: "a%")
    #expect(try values.keys() == [])
  }

  @Test func `the file holds no value in plain text`() throws {
    try values.set("a very secret text", forKey: "k")
    try home.store.close()
    let bytes = try home.directory.bytes("store.db")
    #expect(bytes.range(of: Data("a very secret text".utf8)) == nil)
    #expect(bytes.range(of: Data("KeyValues".utf8)) != nil)
  }

  @Test func `values are opened under the next key, too`() throws {
    try values.set("text", forKey: "k")
    _ = try home.store.rotate()
    #expect(try values.get("k", default: "") == "text")
  }

  @Test func `a value that a method of one's own sealed needs the other to be opened`() throws {
    let encrypt: CryptMethod = { value, business, key in
      guard case .text(let text) = value else { return value }
      return .text("\(business)/\(key)/" + Data(text.utf8).base64EncodedString())
    }
    let decrypt: CryptMethod = { value, business, key in
      guard case .text(let text) = value, text.hasPrefix("\(business)/\(key)/"),
        let data = Data(base64Encoded: String(text.dropFirst(business.count + key.count + 2)))
      else { throw NacreError.dao(.tampered, "not sealed") }
      return .text(String(decoding: data, as: UTF8.self))
    }
    try values.set("text", forKey: "k", business: "b", encrypt: encrypt)
    let error = #expect(throws: NacreError.self) {
      try values.get("k", business: "b", as: String.self)
    }
    #expect(error?.code == .valueMismatch)
    #expect(try values.get("k", business: "b", as: String.self, decrypt: decrypt) == "text")
    // What the store alone sealed is read with or without.
    try values.set("plain", forKey: "k", business: "b")
    #expect(try values.get("k", business: "b", as: String.self, decrypt: decrypt) == "plain")
  }

  @Test func `a method of one's own does not hold the store while it works`() throws {
    let isHeld = Mutex<[Bool]>([])
    let note: CryptMethod = { value, _, _ in
      isHeld.withLock { $0.append(Store.isInUseOnThisThread) }
      return value
    }
    try values.set(["text"], forKey: "k", encrypt: note)
    #expect(try values.get("k", decrypt: note) == ["text"])
    #expect(isHeld.withLock { $0 } == [false, false])
  }

  @Test func `JSON is written and read as the store's options say`() throws {
    struct Visit: Codable, Equatable { var at: Date }
    let home = try TestStore { $0.json.dates = .iso8601 }
    let values = KeyValues(home.store)
    let visit = Visit(at: Date(timeIntervalSince1970: 5))
    try values.set(visit, forKey: "k")
    let stored = try home.store.read { _ in
      try StoredItem.fetchOne(where: "name = ?", "k")?.value
    }
    guard case .text(let text) = stored else {
      Issue.record("no text is stored")
      return
    }
    #expect(text.contains("1970-01-01T00:00:05"))
    #expect(try values.get("k") == visit)
    // Also inside of another store's read, and of one of the own.
    let others = try self.home.store.read { _ in try values.get("k", as: Visit.self) }
    #expect(others == visit)
    let own = try home.store.read { _ in try values.get("k", as: Visit.self) }
    #expect(own == visit)
  }

  @Test func `a sum of sizes that no number holds is an error`() throws {
    try home.store.write { _ in
      for name in ["a", "b"] {
        let item = StoredItem.create()
        (item.name, item.size) = (name, Int.max)
        try item.save()
      }
    }
    let error = #expect(throws: NacreError.self) {
      try values.approximateSize(ofBusiness: "")
    }
    #expect(error?.code == .overflow)
  }

  @Test func `the async twins of key-values do the same`() async throws {
    let values = values
    try await values.set("a", forKey: "k")
    #expect(try await values.get("k", as: String.self) == "a")
    #expect(try await values.get("none", default: 1) == 1)
    #expect(try await values.contains("k"))
    #expect(try await values.keys() == ["k"])
    #expect(try await values.approximateSize(ofBusiness: "") == 1)
    try await values.remove("k")
    try await values.removeItems(like: "%")
    try await values.removeItems(prefix: "a")
    try await values.removePurgeableItems()
    try await values.reset()
    #expect(try await values.keys().isEmpty)
  }
}
