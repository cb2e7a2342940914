import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// Properties that an entity seals, and a configuration does not.
@Suite struct UnsealedPropertyTests {
  struct Box: Encodable {
    var todo = Todo.make("t", "MARKER")
  }

  private static func configuration(_ more: String = "") -> String {
    """
    <module name="todos" initializer="make" tableName="jots">
      <update id="make">create table if not exists ${T} (title text, note)</update>
      <insert id="one" arguments="todo">
        insert into ${T} (title, note) values (#{todo.title}, #{todo.note})
      </insert>
      <insert id="empty" arguments="todo">
        insert into ${T} (title, note) values (#{todo.title}, #{todo.note or ""})
      </insert>
      <insert id="each" arguments="todos" foreach="todos.todo">
        insert into ${T} (title, note) values (%{'#{todo.*}', title, note})
      </insert>
      <insert id="in" arguments="todos">
        insert into ${T} (title, note) values
        <foreach item="todo" collection="todos" separator=",">(#{todo.title}, #{todo.note})</foreach>
      </insert>
      <insert id="deep" arguments="box">
        insert into ${T} (title, note) values (#{box.todo.title}, #{box.todo.note})
      </insert>
      <insert id="deepEach" arguments="boxes" foreach="boxes.box">
        insert into ${T} (title, note) values (#{box.todo.title}, #{box.todo.note})
      </insert>
      <insert id="titles" arguments="todo">
        insert into ${T} (title) values (<if true="todo.note != nil">#{todo.title}</if>)
      </insert>
      <insert id="part" arguments="todo">insert into ${T} (title) values (#{todo.note.count})</insert>
      <insert id="whole" arguments="todo">insert into ${T} (title) values (#{todo})</insert>
      <insert id="wholes" arguments="todos" foreach="todos.todo">
        insert into ${T} (title) values (#{todo})
      </insert>
      <select id="all" result="[Todo]">select title, note from ${T}</select>
      <select id="count" result="int">select count(*) from ${T}</select>
      \(more)
    </module>
    """
  }

  private static var calls: [(id: String, argument: Any)] {
    let todo = Todo.make("t", "MARKER")
    return [
      ("one", todo), ("empty", Todo.make("t", nil)), ("each", [todo]), ("in", [todo]),
      ("deep", ["todo": todo]), ("deep", Box()), ("deepEach", [["todo": todo]]),
      ("deepEach", [Box()]),
    ]
  }

  @Test func `a sealed property that no crypt names is bound nowhere`() throws {
    let text =
      #"<insert id="text" arguments="t">insert into ${T} (note) values (@{t.note})</insert>"#
    let desk = try Desk(Self.configuration(text), models: [Todo.self])
    let todo = Todo.make("t", "MARKER")
    for (id, argument) in Self.calls + [("text", todo)] {
      let result = desk.dao.call(id, [argument])
      #expect(result.code == .badArgument, "\(id) \(type(of: argument))")
      let words = result.error.map { "\($0)" } ?? ""
      #expect(words.contains(#"<crypt class="Todo" property="note"/>"#), "\(words)")
      #expect(!words.contains("MARKER"))
    }
    #expect(try desk.dao.call("count").get() == 0)
    try desk.store.close()
    for name in try FileManager.default.contentsOfDirectory(atPath: desk.home.directory.path) {
      #expect(try desk.home.directory.bytes(name).range(of: Data("MARKER".utf8)) == nil, "\(name)")
    }
  }

  @Test
  func `an entity with a sealed property that no crypt names is bound neither whole nor in part`()
    throws
  {
    let desk = try Desk(Self.configuration(), models: [Todo.self])
    let todo = Todo.make("t", "MARKER")
    let calls: [(String, Any)] = [
      ("whole", todo), ("whole", [todo]), ("whole", ["todo": todo]), ("whole", Box()),
      ("wholes", [todo]), ("wholes", [Box()]), ("part", todo),
    ]
    for (id, argument) in calls {
      #expect(desk.dao.call(id, [argument]).code == .badArgument, "\(id) \(type(of: argument))")
    }
    #expect(try desk.dao.call("count").get() == 0)
  }

  @Test func `with a crypt the same calls seal the property, and selects open it`() throws {
    let crypt = #"<crypt class="Todo" property="note"/>"#
    let desk = try Desk(Self.configuration(crypt), models: [Todo.self])
    for (id, argument) in Self.calls {
      #expect(desk.dao.call(id, [argument]).error == nil, "\(id)")
    }
    let todos: [Todo] = try desk.dao.call("all").get()
    #expect(
      todos.map(\.note) == [
        "MARKER", "", "MARKER", "MARKER", "MARKER", "MARKER", "MARKER", "MARKER",
      ]
    )
    try desk.store.close()
    #expect(try desk.home.directory.bytes("store.db").range(of: Data("MARKER".utf8)) == nil)
  }

  @Test func `plain properties of an entity with sealed ones are bound and selected`() throws {
    let desk = try Desk(Self.configuration(), models: [Todo.self])
    #expect(desk.dao.call("titles", [Todo.make("t", "MARKER")]).error == nil)
    let todos: [Todo] = try desk.dao.call("all").get()
    #expect(todos.map(\.title) == ["t"])
  }
}
