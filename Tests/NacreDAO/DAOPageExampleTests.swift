import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// The code that DAO.md shows beside the example `Messages`, and the single facts that it names.
@Suite struct DAOPageExampleTests {
  private struct Fact: Codable {
    var p: String
    var q: String
  }

  private let directory: TemporaryDirectory
  private let center: DataCenter

  init() throws {
    directory = try TemporaryDirectory()
    center = DataCenter(directory: directory.file("center"))
    center.currentUser = "ada"
  }

  @Test func `single values are kept by business and key`() throws {
    let values = center.userValues  // or `center.commonValues`
    try values.set(14, forKey: "size", business: "look")
    let size = try values.get("size", business: "look", default: 12)
    try values.set(Letter(msgId: 1), forKey: "draft")  // any Codable; nil removes
    let draft = try values.get("draft", as: Letter.self)  // nil where there is none
    try values.set(Data(count: 512), forKey: "page.1", isPurgeable: true)
    let keys = try values.keys()  // ["draft", "page.1", "size"]: of every business
    let bytes = try values.approximateSize(ofBusiness: "")
    try values.removePurgeableItems()  // of every business
    try values.removeItems(prefix: "dra")
    try values.remove("size", business: "look")

    #expect(size == 14 && draft == Letter(msgId: 1))
    #expect(keys == ["draft", "page.1", "size"] && bytes > 512)
    #expect(try values.keys() == [])
    try center.close()
  }

  @Test func `a configuration is a text, too, and a DAO can have a file of its own`() throws {
    let text = """
      <module initializer="make" tableName="facts" version="2.0">
        <update id="make">create table if not exists ${T} (id integer primary key, p text, q text)</update>
        <insert id="add" arguments="p, q">insert into ${T} (p, q) values (#{p}, #{q})</insert>
        <update id="change" arguments="values">
          update ${T} <format prefix="set" pairs="values" join=","/>
        </update>
        <select id="first" arguments="values" result="Fact">
          select p, q from ${T} where p = #{values.p}
        </select>
        <select id="number" result="int">select p from ${T}</select>
      </module>
      """
    let facts = try center.dao(config: text, databasePath: "facts.db", models: [Fact.self])
    try facts.store.write { _ in
      if let error = facts.call("add", ["a", "b"]).error { throw error }
      if let error = facts.call("change", [["p": "c", "q": "d"]]).error { throw error }
    }
    #expect(try facts.call("first", [["p": "c"]]).get(as: Fact?.self)?.q == "d")
    // A key that is not there is NULL.
    #expect(try facts.call("first", [["P": "c"]]).get(as: Fact?.self) == nil)
    // As SQLite has it, a text that is no number is 0.
    #expect(try facts.call("number").get() == 0)
    #expect(try facts.databasePath == center.directory + "/facts.db")
    try center.close()
  }

  @Test func `a version without an upgrade is recorded as it is`() throws {
    func dao(_ version: String) throws -> DAO {
      try center.dao(
        config: Desk.module("", attributes: #"version="\#(version)""#),
        userDependent: true,
        models: [Message.self, Letter.self]
      )
    }
    #expect(try dao("1.0").call("add", [1, "a"]).succeeded)
    #expect(try dao("2.0").call("contents").get() == ["a"])
    #expect(try dao("1.0").call("contents").code == .newerTable)
    try center.close()
  }
}
