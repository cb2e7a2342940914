import Foundation
import NacreCore
import NacreOpen
import TestSupport
import Testing

@testable import NacreDAO

/// A data center's own methods for what is sealed, its key, and its files.
@Suite struct DefaultCryptTests {
  private let directory: TemporaryDirectory
  private let center: DataCenter

  init() throws {
    directory = try TemporaryDirectory()
    center = DataCenter(directory: directory.file("center"))
  }

  private static let configuration = Desk.module(
    """
    <crypt class="Message" property="content"/>
    <select id="get" arguments="id" result=":messageMap">select * from ${T} where id = #{id}</select>
    """
  )

  private func installMarks() throws {
    try center.installDefault(
      encrypt: { value, type, property in
        guard case .text(let text) = value else { return value }
        return .text("\(type).\(property):\(text)")
      },
      decrypt: { value, type, property in
        guard case .text(let text) = value, text.hasPrefix("\(type).\(property):") else {
          throw NacreError.dao(.tampered, "not sealed")
        }
        return .text(String(text.dropFirst("\(type).\(property):".count)))
      }
    )
  }

  @Test func `a data center's own methods seal where nothing else is set`() throws {
    try installMarks()
    let dao = try center.dao(
      config: Self.configuration,
      userDependent: false,
      models: [Message.self, Letter.self]
    )
    dao.call("addAll", [[Message.make(1, "abc")]])
    #expect(try dao.call("contents").get() == ["Message.content:abc"])
    #expect(try dao.call("get", [1]).get(as: Message.self).content == "abc")
    // What a DAO is set to comes before, and its DAOs for other tables have it, too.
    dao.encryptMethod = { _, _, _ in .text("own") }
    #expect(dao.forTable("others").encryptMethod != nil)
    dao.call("addAll", [[Message.make(2, "abc")]])
    #expect(try dao.call("contents").get() == ["Message.content:abc", "own"])

    let values = center.commonValues
    try values.set("text", forKey: "k", business: "b")
    #expect(try values.get("k", business: "b") == "text")
    let item = try center.commonStore.read { _ in
      try StoredItem.fetchOne(where: "name = ?", "k")?.value
    }
    #expect(item == .text("b.k:text"))
    try center.close()
  }

  @Test func `the default is replaced before the first use alone`() throws {
    _ = try center.dao(
      config: Self.configuration,
      userDependent: true,
      models: [Message.self, Letter.self]
    )
    var error = #expect(throws: NacreError.self) { try installMarks() }
    #expect(error?.code == .alreadyUsed)
    let opened = DataCenter(directory: directory.file("opened"))
    _ = try opened.commonStore
    error = #expect(throws: NacreError.self) {
      let same: CryptMethod = { value, _, _ in value }
      try opened.installDefault(encrypt: same, decrypt: same)
    }
    #expect(error?.code == .alreadyUsed)
    try opened.close()
  }

  @Test(arguments: [0, 16, 31, 33, 64])
  func `an application's own key has exactly 32 bytes`(count: Int) throws {
    func center(_ count: Int) -> DataCenter {
      DataCenter(directory: directory.file("center")) { _ in
        let key = [UInt8](repeating: 7, count: count)
        return .init(unlock: .callback { try key.withUnsafeBytes { try SecretBytes(copying: $0) } })
      }
    }
    let error = #expect(throws: NacreError.self) { try center(count).commonStore }
    #expect(error?.code == .badSecret)
    #expect(Unlock.secretByteCount == 32)
    let right = center(Unlock.secretByteCount)
    try right.commonValues.set(1, forKey: "k")
    #expect(try right.commonValues.get("k", default: 0) == 1)
    try right.close()
  }

  @Test func `a file is removed, and made anew when it is asked for`() throws {
    center.currentUser = "ada"
    let dao = try center.dao(
      config: Self.configuration,
      userDependent: true,
      models: [Message.self, Letter.self]
    )
    dao.call("add", [1, "a"])
    let path = try dao.databasePath
    try dao.store.write { _ in
      let error = #expect(throws: NacreError.self) { try center.removeFile(of: .user("ada")) }
      #expect(error?.code == .transactionState)
    }
    try center.removeFile(of: .user("ada"))
    #expect(!Store.exists(at: path))
    #expect(try dao.call("count").get() == 0)
    #expect(Store.exists(at: path))
    try center.removeFile(of: .user("ada"))
    try center.removeFile(of: .user("nobody"))
    #expect(!Store.exists(at: path))
    try center.close()
  }

  @Test func `the async twin removes a file, too`() async throws {
    let path = try await center.store(at: .common).path
    try await center.removeFile(of: .common)
    #expect(!Store.exists(at: path))
  }
}
