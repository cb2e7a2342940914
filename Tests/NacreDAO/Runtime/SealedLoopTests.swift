import Foundation
import NacreCore
import NacreUpkeep
import Synchronization
import TestSupport
import Testing

@testable import NacreDAO

/// Values that a method seals with the store's own keys for the elements of a collection.
@Suite struct SealedLoopTests {
  struct Note: Codable, Equatable {
    var id = 0
    var content: String?
  }

  private static func configuration(_ columns: [String] = ["body"]) -> String {
    let maps = columns.map { "<result property=\"content\" column=\"\($0)\"/>" }.joined()
    return """
      <module name="notes" initializer="make" tableName="notes">
        <update id="make">create table if not exists ${T} (id integer primary key, body)</update>
        <map id="note" result="Note">\(maps)</map>
        <crypt class="Note" property="content"/>
        <insert id="addAll" arguments="notes" foreach="notes.note">
          insert into ${T} (id, body) values (#{note.id}, #{note.content})
        </insert>
        <insert id="putAll" arguments="notes" foreach="notes.note">
          <try>insert into ${T} (id, body) values (#{note.id}, #{note.content})
          <except>update ${T} set body = #{note.content} where id = #{note.id}</except></try>
        </insert>
        <insert id="addText" arguments="note">
          insert into ${T} (id, body) values (#{note.id}, #{note.content or ""})
        </insert>
        <insert id="addTextSometimes" arguments="note">
          insert into ${T} (id, body) values (#{note.id}, <if true="1">#{note.content or ""}</if>)
        </insert>
        <insert id="addTexts" arguments="notes" foreach="notes.note">
          insert into ${T} (id, body) values (#{note.id}, #{note.content or ""})
        </insert>
        <insert id="addTextsSometimes" arguments="notes" foreach="notes.note">
          insert into ${T} (id, body) values (#{note.id}, <if true="1">#{note.content or ""}</if>)
        </insert>
        <select id="all" result="[:note]">select id, body from ${T} order by id</select>
        <select id="raw" arguments="id" result="binary">select body from ${T} where id = #{id}</select>
      </module>
      """
  }

  private func dao(_ test: TestStore, _ columns: [String] = ["body"]) throws -> DAO {
    try DAO(configuration: Self.configuration(columns), store: test.store, models: [Note.self])
  }

  private let notes = (1...3).map { Note(id: $0, content: "MARKER \($0)") }

  @Test func `values that foreach sealed are rotated and verified, and open again`() throws {
    let test = try TestStore()
    let dao = try dao(test)
    #expect(dao.call("addAll", [notes]).succeeded)
    let before = try dao.call("raw", [2]).get(as: Data.self)
    #expect(before.range(of: Data("MARKER".utf8)) == nil)
    #expect(try test.store.rotate().outcome == .finished)
    let after = try dao.call("raw", [2]).get(as: Data.self)
    #expect(after[1..<5] != before[1..<5])
    #expect(try dao.call("all").get(as: [Note].self) == notes)
    let report = try test.store.verify()
    #expect(report.isSound)
    try test.store.write { try $0.execute("UPDATE notes SET body = x'00' WHERE id = 2") }
    #expect(try !test.store.verify().isSound)
  }

  @Test func `a column is noted again when what noted it first was undone`() throws {
    let test = try TestStore()
    let dao = try dao(test)
    // The first statement notes the column, fails, and is undone with what it noted.
    try test.store.write { database in
      #expect(dao.call("all").succeeded)
      try database.execute("INSERT INTO notes (id) VALUES (1)")
    }
    #expect(dao.call("putAll", [notes]).flags == [.excepted, .ran, .ran])
    #expect(try test.store.rotate().outcome == .finished)
    #expect(try dao.call("all").get(as: [Note].self) == notes)
  }

  @Test func `a column that is not in the table is looked for once`() throws {
    let looks = Mutex(0)
    let test = try TestStore {
      $0.trace = { event in
        guard case .statement(let sql) = event, sql.contains("FROM pragma_table_list t") else {
          return
        }
        looks.withLock { $0 += 1 }
      }
    }
    // Another DAO's table has the column `text`.
    let dao = try dao(test, ["body", "text"])
    #expect(dao.call("all").succeeded)
    let many = (1...50).map { Note(id: $0, content: "MARKER \($0)") }
    looks.withLock { $0 = 0 }
    #expect(dao.call("addAll", [many]).succeeded)
    #expect(looks.withLock { $0 } == 2)
    #expect(try test.store.rotate().outcome == .finished)
    #expect(try test.store.verify().isSound)
    #expect(try dao.call("all").get(as: [Note].self) == many)
  }

  @Test(arguments: ["addText", "addTexts", "addTextSometimes", "addTextsSometimes"])
  func `an empty text for nil is sealed as any other`(method: String) throws {
    let test = try TestStore()
    let dao = try dao(test)
    let note = Note(id: 1)
    #expect(dao.call(method, [method.hasPrefix("addTexts") ? [note] : note]).succeeded)
    #expect(try dao.call("all").get(as: [Note].self) == [Note(id: 1, content: "")])
    #expect(try dao.call("raw", [1]).get(as: Data.self).count > 16)
  }

  @Test(arguments: ["addText", "addTexts", "addTextSometimes", "addTextsSometimes"])
  func `nil does not become a sealed empty text if the property's class is unknown`(
    method: String
  ) throws {
    let test = try TestStore()
    let dao = try dao(test)
    let result =
      method.hasPrefix("addTexts")
      ? dao.call(method, [[Note(id: 1, content: "a"), nil]]) : dao.call(method, [nil])
    #expect(result.code == .badArgument)
    #expect("\(String(describing: result.error))".contains("note.content"))
    #expect(try dao.call("all").get(as: [Note].self).isEmpty)
  }
}
