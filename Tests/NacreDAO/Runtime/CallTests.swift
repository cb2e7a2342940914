import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

@Suite struct CallTests {
  @Test func `the first sample goes round, with a column that is no reserved word`() throws {
    let desk = try Desk(
      """
      <module name="Demo" initializer="createTable" tableName="demoTable" version="1.0">
      <update id="createTable">
      create table if not exists ${T} (idx integer primary key, content text)
      </update>
      <insert id="insertItem" arguments="content">
      insert into ${T} (content) values(#{content})
      </insert>
      <select id="getItem" arguments="index" result="string">
      select content from ${T} where idx = #{index}
      </select>
      </module>
      """
    )
    #expect(desk.dao.lastInsertRowID == 0)
    #expect(desk.dao.call("insertItem", ["something"]).succeeded)
    #expect(desk.dao.lastInsertRowID == 1)
    let content: String = try desk.dao.call("getItem", [desk.dao.lastInsertRowID]).get()
    #expect(content == "something")
  }

  @Test func `a reserved word as a column is the database's own error`() throws {
    let desk = try Desk(
      """
      <module initializer="createTable" tableName="demoTable">
      <update id="createTable">create table if not exists ${T} (index integer primary key)</update>
      <insert id="insertItem" arguments="content">insert into ${T} (content) values(#{content})</insert>
      </module>
      """
    )
    let result = desk.dao.call("insertItem", ["something"])
    #expect(result.code == .badStatement)
    #expect(try !desk.store.read { try $0.hasTable("demoTable") })
  }

  @Test func `a scalar result takes the first column`() throws {
    let desk = try Desk(methods: #"<select id="any" result="string">select * from ${T}</select>"#)
    desk.dao.call("add", [12, "text"])
    #expect(try desk.dao.call("any").get(as: String.self) == "12")
  }

  @Test func `a statement that fails is a failed result with the error in it`() throws {
    let desk = try Desk(
      methods:
        #"<delete id="remove" arguments="msgId">delete from ${T} where msgId = #{msgId}</delete>"#
    )
    let result = desk.dao.call("remove", [1])
    #expect(result.failed && !result.succeeded)
    #expect(result.code == .badStatement)
    #expect((result.error as? NacreError)?.property == "remove")
    #expect(throws: NacreError.self) { try result.get(as: Int.self) }
  }

  @Test func `methods of one name are told apart by the number of their arguments`() throws {
    let desk = try Desk(
      methods: """
        <select id="pick" result="string">select 'none'</select>
        <select id="pick" arguments="a" result="string">select 'one'</select>
        <select id="pick" arguments=" a ,b " result="string">select #{a} || '-' || #{b}</select>
        """
    )
    #expect(try desk.dao.call("pick").get() == "none")
    #expect(try desk.dao.call("pick", [1]).get() == "one")
    #expect(try desk.dao.call("pick", ["x", "y"]).get() == "x-y")
    #expect(desk.dao.call("pick", [1, 2, 3]).code == .noSuchMethod)
    #expect(desk.dao.call("nothing").code == .noSuchMethod)
  }

  @Test func `nil binds NULL, or an empty text where the configuration says so`() throws {
    let desk = try Desk(
      methods: """
        <insert id="addText" arguments="id, content">
          insert into ${T} (id, content) values (#{id}, #{content or ""})
        </insert>
        """
    )
    desk.dao.call("add", [1, nil])
    desk.dao.call("addText", [2, nil])
    desk.dao.call("add", [3, NSNull()])
    #expect(try desk.contents == [nil, "", nil])
  }

  @Test func `an argument with a dollar sign refuses nil before anything runs`() throws {
    let desk = try Desk(
      methods: """
        <insert id="insist" arguments="$id, $ content">
          insert into ${T} (id, content) values (#{id}, #{content})
        </insert>
        """
    )
    let statements = desk.home.statements {
      #expect(desk.dao.call("insist", [1, nil]).code == .badArgument)
      #expect(desk.dao.call("insist", [nil, "a"]).code == .badArgument)
    }
    #expect(statements == [])
    #expect(desk.dao.call("insist", [1, "a"]).succeeded)
    #expect(try desk.contents == ["a"])
  }

  @Test func `insert, update and delete are one thing`() throws {
    let desk = try Desk(
      methods: #"<update id="clear">delete from ${t} where id > 1</update>"#
    )
    desk.dao.call("add", [1, "a"])
    desk.dao.call("add", [2, "b"])
    let result = desk.dao.call("clear")
    #expect(result.succeeded && result.value == nil && result.flags == [.ran])
    #expect(try desk.contents == ["a"])
  }

  @Test func `all methods are listed`() throws {
    let desk = try Desk(methods: "")
    #expect(desk.dao.allMethodsList == ["add", "addAll", "contents", "count", "createTable"])
  }

  @Test func `a number in the text stands without quotes`() throws {
    let desk = try Desk(
      methods: """
        <select id="find" arguments="id, time" result=":messageMap">
          select * from ${T} where id = #{id} and uin > @{time}
        </select>
        """
    )
    desk.dao.call("addAll", [[Message.make(1234, "a")]])
    var found: Message?
    let statements = try desk.home.statements {
      found = try desk.dao.call("find", [1234, 5]).get()
    }
    #expect(found?.content == "a")
    #expect(statements == ["select * from notes where id = ? and uin > 5"])
    #expect(try desk.dao.call("find", [1234, 2014]).get(as: Message?.self) == nil)
  }

  @Test func `globals are known to every method, and arguments shadow them`() throws {
    let desk = try Desk(
      methods: """
        <select id="global" result="string">select #{who} || @{who}</select>
        <select id="shadow" arguments="who" result="string">select #{who} || @{who}</select>
        """
    )
    let missing = desk.dao.call("global")
    #expect(missing.code == .badArgument)
    desk.dao.globalArguments = ["who": "Ada"]
    #expect(try desk.dao.call("global").get() == "AdaAda")
    #expect(try desk.dao.call("shadow", ["Bob"]).get() == "BobBob")
  }

  @Test func `globals are known to conditions and loops, too`() throws {
    let desk = try Desk(
      methods: """
        <select id="some" arguments="least" result="[string]">
          select content from ${T}
          <where>
            <if true="onlySome and least &lt; limit">id > #{least}</if>
            <if true="names != nil">and content in
              <foreach item="name" collection="names" open="(" separator="," close=")">#{name}</foreach>
            </if>
          </where>
        </select>
        """
    )
    for (id, content) in ["a", "b", "c"].enumerated() { desk.dao.call("add", [id, content]) }
    #expect(desk.dao.call("some", [0]).code == .badArgument)
    desk.dao.globalArguments = ["onlySome": true, "limit": 2, "names": ["a", "c"]]
    #expect(try desk.dao.call("some", [0]).get() == ["c"])
    #expect(try desk.dao.call("some", [2]).get() == ["a", "c"])
  }

  @Test func `a value in the text of a statement does not come into the error`() throws {
    let desk = try Desk(
      methods:
        #"<select id="bad" arguments="a" result="int">select * from nowhere where a = @{a}</select>"#
    )
    let error = try #require(desk.dao.call("bad", ["secret"]).error)
    #expect(!"\(error)".contains("secret"))
  }

  @Test func `a call is one transaction, also inside of others`() throws {
    let desk = try Desk(methods: "")
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try desk.store.write { _ in
        desk.dao.call("add", [1, "a"])
        desk.dao.call("add", [1, "twice"])
        #expect(try desk.contents == ["a"])
        throw Stop()
      }
    }
    #expect(try desk.contents == [])
    desk.dao.call("add", [2, "b"])
    #expect(try desk.contents == ["b"])
  }

  @Test func `calls come from any number of threads`() async throws {
    let desk = try Desk(methods: "")
    let dao = desk.dao
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          for index in 0..<20 {
            let result = await dao.call("add", [task * 100 + index, "text"])
            if result.failed { return false }
          }
          return true
        }
      }
      for await succeeded in group { #expect(succeeded) }
    }
    #expect(try await dao.call("count").get(as: Int.self) == 160)
  }

  @Test func `a DAO without an initializer works on a table that is there`() throws {
    let desk = try Desk(
      """
      <module tableName="old"><select id="all" result="[string]">select a from ${T}</select></module>
      """
    )
    #expect(desk.dao.call("all").code == .badStatement)
    try desk.store.write { try $0.execute("create table old (a); insert into old values ('x')") }
    #expect(try desk.dao.call("all").get(as: [String].self) == ["x"])
  }
}
