import Foundation
@testable import NacreCore
import NacreCrypto
import Testing
@testable import TestSupport

/// The words of an error fit the call that failed.
@Suite struct ErrorWordsTests {
  private let scene: Scene
  private let store: Store

  init() throws {
    scene = try Scene()
    store = try scene.open()
  }

  private func words(
    _ code: NacreError.Code = .transactionState,
    _ call: () throws -> Void
  ) -> String {
    thrown(code, call)?.description ?? ""
  }

  @Test func `a call that is refused inside a transaction does not say that none is open`() throws {
    try store.begin()
    defer { try? store.rollback() }
    let calls: [() throws -> Void] = [{ try store.begin() }, { try store.close() }]
    for call in calls {
      let text = words(.transactionState, call)
      #expect(!text.contains("No such transaction"), "\(text)")
      #expect(!text.contains("`begin()` first"), "\(text)")
    }
  }

  @Test func `a count of one is said in the singular`() throws {
    let error = thrown(.badStatement) {
      try store.write { _ = try $0.query("SELECT ?", 1, 2) }
    }
    #expect(error?.detail == "1 parameter and 2 arguments")
    #expect(1.counted("entity", "entities") == "1 entity" && Int64(2).counted("row") == "2 rows")
  }

  @Test func `what was found is the detail, or else the message of the cause`() throws {
    let cause = CryptoError(.ringTampered, message: "the MAC differs")
    let error = try #require(NacreError.wrap(cause) as? NacreError)
    #expect(error.finding == "the MAC differs")
    #expect(NacreError(.ringTampered, detail: "a detail", cause: cause).finding == "a detail")
    #expect(NacreError(.ringTampered).finding == nil)
  }

  @Test func `a denied delete counts the children of the object that it names`() throws {
    let owners = [Guarded.create(), Guarded.create(), Guarded.create()]
    for (index, owner) in owners.enumerated() {
      owner.wheels = (0...index).map { _ in Wheel.create() }
      try scene.save(owner, in: store)
    }
    let error = thrown(.deleteDenied, entity: "Guarded", property: "wheels") {
      _ = try store.write { _ in try Guarded.all.deleteAll(cascade: true) }
    }
    let owner = try #require(owners.first { $0.objectID == error?.objectID })
    #expect(error?.detail?.hasSuffix(": \(owner.wheels.count)") == true)
  }

  @Test func `a commit without a transaction is told to begin one`() {
    let calls: [() throws -> Void] = [{ try store.commit() }, { try store.rollback() }]
    for call in calls { #expect(words(.transactionState, call).contains("call `begin()` first")) }
  }

  @Test func `a write inside of a read is told to use write, not to check permissions`() throws {
    try scene.save(Node.create(), in: store)
    let writes: [(Database) throws -> Void] = [
      { try $0.execute("DELETE FROM \"Node\"") },
      { _ = try $0.execute("DELETE FROM \"Node\" WHERE label = ?", 0) },
      { _ = try $0.query("DELETE FROM \"Node\" RETURNING label") },
      { _ = try $0.rows("DELETE FROM \"Node\" RETURNING label") },
      { _ = try $0.cursor("DELETE FROM \"Node\" RETURNING label").next() },
      { try $0.execute("CREATE TABLE t (a text)") },
    ]
    for write in writes {
      let text = words { try store.read { try write($0) } }
      #expect(text.contains("use `write { }`") && !text.contains("permissions"), "\(text)")
    }
    let found = words {
      try store.read { _ in _ = try Node.find(sql: "DELETE FROM \"Node\" RETURNING \"objectID\"") }
    }
    #expect(found.contains("use `write { }`") && !found.contains("permissions"), "\(found)")
    #expect(try store.read { _ in try Node.count() } == 1)
  }

  @Test func `two steps of one name are told as such`() {
    let text = words(.badDeclaration) {
      _ = try scene.open { $0.migrator = Migrator(.init("1"), .init("1")) }
    }
    #expect(text.contains("two steps"), "\(text)")
    #expect(!text.contains("attribute") && !text.contains("property"), "\(text)")
  }

  @Test(arguments: [UInt64.max as any Sendable, NSNumber(value: UInt64.max)])
  func `a number that is too great is reported as outside of its property's type`(
    number: any Sendable
  ) {
    let node = Node.create()
    let text = words(.valueMismatch) { try node.setValue(number, forKey: "label") }
    #expect(text.contains("outside of what Int "), "\(text)")
  }
}
