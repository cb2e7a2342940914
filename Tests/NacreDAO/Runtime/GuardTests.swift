import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import TestSupport
import Testing

@testable import NacreDAO

/// Harm that a configuration, a table's name or a switch of the user must not do.
@Suite struct GuardTests {
  struct Secret: Codable, Equatable {
    var content = "MARKER"
    var tags = ["MARKER"]
  }

  struct Box: Codable {
    var inner = Secret()
    var all = [Secret()]
  }

  class Base: Codable {
    var content = ""
  }

  final class Sub: Base {}

  private static let sealed = """
    <module name="m" tableName="notes" initializer="make">
      <update id="make">create table if not exists ${T} (id integer primary key, content, tags, more)</update>
      <crypt class="Secret" property="content"/>
      <crypt class="Secret" property="tags"/>
      <insert id="whole" arguments="m">insert into ${T} (more) values (#{m})</insert>
      <insert id="inner" arguments="box">insert into ${T} (content) values (#{box.inner})</insert>
      <insert id="each" arguments="boxes" foreach="boxes.box">
        insert into ${T} (content) values (#{box.inner})
      </insert>
      <insert id="list" arguments="boxes" foreach="boxes.box">
        insert into ${T} (content) values (#{box.all})
      </insert>
      <insert id="sometimes" arguments="m">
        insert into ${T} (content) values (<if true="1">#{m}</if>)
      </insert>
      <insert id="tags" arguments="m">insert into ${T} (tags) values (#{m.tags})</insert>
      <select id="count" result="int">select count(*) from ${T}</select>
    </module>
    """

  @Test func `a model with sealed properties is not stored as a whole`() throws {
    let desk = try Desk(Self.sealed, models: [Secret.self])
    let calls: [(String, Any)] = [
      ("whole", Secret()), ("whole", [Secret()]),
      ("whole", ["key": Secret()]), ("whole", Box()), ("inner", Box()), ("each", [Box()]),
      ("list", [Box()]), ("sometimes", Secret()),
    ]
    for (id, argument) in calls {
      #expect(desk.dao.call(id, [argument]).code == .badArgument, "\(id) \(type(of: argument))")
    }
    #expect(try desk.dao.call("count").get() == 0)
    // A sealed property is sealed as a whole.
    #expect(desk.dao.call("tags", [Secret()]).error == nil)
    try desk.store.close()
    for name in try FileManager.default.contentsOfDirectory(atPath: desk.home.directory.path) {
      #expect(try desk.home.directory.bytes(name).range(of: Data("MARKER".utf8)) == nil, "\(name)")
    }
  }

  @Test func `a loop over a sealed property is refused when the configuration is read`() throws {
    let error = #expect(throws: ConfigurationError.self) {
      try Configuration.module(
        """
        <module><crypt class="Secret" property="tags"/>
        <insert id="add" arguments="m">insert into t values
          <foreach item="x" collection="m.tags" separator=",">(#{x})</foreach></insert></module>
        """
      )
    }
    #expect(error?.issues.map(\.line) == [3])
  }

  @Test(arguments: ["Base", "Sub"])
  func `a subclass is sealed and opened by its superclass's rule`(result: String) throws {
    let desk = try Desk(
      """
      <module name="m" tableName="notes" initializer="make">
        <update id="make">create table if not exists ${T} (id integer primary key, content)</update>
        <crypt class="Sub" property="content"/><crypt class="Base" property="content"/>
        <insert id="add" arguments="m">insert into ${T} (content) values (#{m.content})</insert>
        <select id="all" result="[\(result)]">select content from ${T}</select>
      </module>
      """,
      models: [Base.self, Sub.self]
    )
    let sub = Sub()
    sub.content = "text"
    #expect(desk.dao.call("add", [sub]).error == nil)
    let value = desk.dao.call("all").value
    #expect((value as? [Base])?.map(\.content) == ["text"])
  }

  @Test(arguments: ["Sub", "GuardTests.Sub"])
  func `a superclass's rule seals into the column that a subclass's map says`(
    name: String
  ) throws {
    let desk = try Desk(
      """
      <module name="m" tableName="notes" initializer="make">
        <update id="make">create table if not exists ${T} (id integer primary key, body)</update>
        <crypt class="Base" property="content"/>
        <map id="sub" result="\(name)"><result property="content" column="body"/></map>
        <insert id="add" arguments="m">insert into ${T} (body) values (#{m.content})</insert>
        <select id="all" result="[:sub]">select body from ${T}</select>
      </module>
      """,
      models: [Base.self, Sub.self]
    )
    let sub = Sub()
    sub.content = "text"
    #expect(desk.dao.call("add", [sub]).error == nil)
    #expect(try desk.store.rotate().outcome == .finished)
    #expect(try desk.dao.call("all").get(as: [Sub].self).map(\.content) == ["text"])
  }

  @Test func `a map by the whole name of a class says its columns, too`() throws {
    let desk = try Desk(
      """
      <module name="m" tableName="notes" initializer="make">
        <update id="make">create table if not exists ${T} (id integer primary key, body)</update>
        <crypt class="Secret" property="content"/>
        <map id="secret" result="GuardTests.Secret"><result property="content" column="body"/></map>
        <insert id="add" arguments="m">insert into ${T} (body) values (#{m.content})</insert>
        <select id="all" result="[string]">select typeof(body) from ${T}</select>
      </module>
      """,
      models: [Secret.self]
    )
    #expect(desk.dao.call("add", [Secret()]).error == nil)
    #expect(try desk.dao.call("all").get() == ["blob"])
  }

  @Test func `a subclass's map leaves the superclass's own column`() throws {
    let desk = try Desk(
      """
      <module name="m" tableName="notes" initializer="make">
        <update id="make">create table if not exists ${T} (id integer primary key, content)</update>
        <crypt class="Base" property="content"/>
        <map id="sub" result="Sub"><result property="content" column="text"/></map>
        <insert id="add" arguments="m">insert into ${T} (content) values (#{m.content})</insert>
        <select id="all" result="[:sub]">select content as text from ${T}</select>
      </module>
      """,
      models: [Base.self, Sub.self]
    )
    let base = Base()
    base.content = "text"
    #expect(desk.dao.call("add", [base]).error == nil)
    #expect(try desk.store.rotate().outcome == .finished)
    #expect(try desk.dao.call("all").get(as: [Sub].self).map(\.content) == ["text"])
  }

  @Test(arguments: ["Message", "nacre_store", "TableVersions"])
  func `deleteTable does not delete a table that is not a DAO's`(table: String) throws {
    let desk = try Desk(methods: "", attributes: "version=\"1\"")
    _ = try desk.store.write { (_) throws in
      let message = Message.create()
      message.use(desk.store)
      try message.save()
    }
    desk.dao.call("add", [1, "a"])
    desk.dao.tableName = table
    #expect(desk.dao.deleteTable().code == .noTableName)
    let found = try desk.store.read {
      try $0.query("SELECT 1 FROM sqlite_schema WHERE name = '\(table)'")
    }
    #expect(found.count == 1)
  }

  @Test func `a user's transaction does not go on in another one's file`() throws {
    let directory = try TemporaryDirectory()
    let center = DataCenter(directory: directory.file("center"))
    let models: [any Any.Type] = [Message.self, Letter.self]
    let dao = try center.dao(config: Desk.module(""), userDependent: true, models: models)
    center.currentUser = "bob"
    #expect(dao.call("add", [1, "of Bob"]).succeeded)
    center.currentUser = "ada"
    #expect(dao.call("add", [1, "of Ada"]).succeeded)
    try dao.store.write { (_) throws in
      center.currentUser = "cleo"
      #expect(dao.call("add", [2, "lost"]).code == .transactionState)
      #expect(try !Store.exists(at: center.path(of: .user("cleo"))))
      center.currentUser = "bob"
      #expect(dao.call("add", [2, "lost"]).code == .transactionState)
      #expect(dao.forTable("other").call("add", [2, "lost"]).code == .transactionState)
      let error = #expect(throws: NacreError.self) {
        try center.userValues.set(1, forKey: "lost")
      }
      #expect(error?.code == .transactionState)
    }
    #expect(try dao.call("contents").get() == ["of Bob"])
    try center.close()
  }
}
