import Foundation
import NacreCore
import Testing

@testable import NacreDAO

/// `<if>`, the operators of expressions, and `<choose>`.
@Suite struct ConditionSampleTests {
  @Test func `messages that are read are stored, or all where nothing says only`() throws {
    let desk = try Desk(
      sample: """
        <insert id="addMessages" arguments="messages, onlyRead" foreach="messages.model">
        <if true="model.read or (not onlyRead)">
        insert or replace into ${T} (msgId, content, read) values(#{model.msgId}, #{model.content}, #{model.read})
        </if>
        </insert>
        """,
      columns: "msgId integer primary key, content text, read boolean"
    )
    let messages = [
      MessageModel(1, "a", read: true), MessageModel(2, "b", read: false), MessageModel(3, "c"),
    ]
    let result = desk.dao.call("addMessages", [messages, true])
    // A179: for the others there is nothing to run, and that is success.
    #expect(result.succeeded && result.flags == [.ran, .void, .void])
    #expect(try desk.rows.map { $0["msgId"] as? Int } == [1])
    #expect(desk.dao.call("addMessages", [messages, false]).flags == [.ran, .ran, .ran])
    #expect(try desk.rows.count == 3)
    #expect(desk.dao.call("addMessages", [messages, nil]).flags == [.ran, .ran, .ran])
  }

  /// Whether a condition holds for numbers a = 7, b = 2, and nothing.
  private func holds(_ expression: String, _ name: String = "true") throws -> Bool {
    let escaped = expression.replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    let values: [String: Any?] = ["a": 7, "b": 2, "none": nil, "text": "it's", "list": [1, 2]]
    return try Configuration.sql("<if \(name)=\"\(escaped)\">x</if>", values) == "x"
  }

  // A172: the text prints `! =`, which is taken as `!=`. A173: binding strengths are settled. A183: text and number.
  @Test(arguments: [
    ("(a)", true), ("+a == 7", true), ("-a == -7", true), ("a + b == 9", true),
    ("a - b == 5", true), ("a * b == 14", true), ("a / b == 3.5", true), ("a \\ b == 3", true),
    ("a % b == 1", true), ("a > b", true), ("a < b", false), ("a >= 7", true), ("a <= 7", true),
    ("a == b", false), ("a ! = b", true), ("a != b", true), ("a AND b", true),
    ("none and a", false), ("none Or a", true), ("NOT none", true), ("a xor b", false),
    ("a XOR none", true), ("none == nil", true), ("a != nil", true), ("text == 'it\\'s'", true),
    ("text == 7", false), ("list.count == 2", true), ("(a + b) * 2 == 18", true),
    ("a + b * 2 == 11", true),
  ])
  func `each operator that is listed has its value`(expression: String, holds: Bool) throws {
    #expect(try self.holds(expression) == holds)
    #expect(try self.holds(expression, "false") != holds)
  }

  struct Book: Sendable {
    let title: String?
    let year: Int
    let authors: [String]
    let holds: Bool
  }

  @Test(arguments: [
    Book(title: "t", year: 2011, authors: [], holds: true),
    Book(title: "t", year: 2010, authors: ["a"], holds: false),
    Book(title: nil, year: 2011, authors: ["a"], holds: false),
    Book(title: nil, year: 1999, authors: ["a", "b"], holds: true),
  ])
  func `the more complex expression holds when its sentence does`(book: Book) throws {
    let sql = try Configuration.sql(
      #"<if true="(title != nil and year > 2010) or authors.count >= 2">x</if>"#,
      ["title": book.title, "year": book.year, "authors": book.authors]
    )
    #expect((sql == "x") == book.holds)
  }

  // The sample is the end of a statement; what stands before it is the test's.
  private static let choose = """
    <select id="search" arguments="title, author" result="[string]">
    select title from ${T} where state = 'ACTIVE'
    <choose>
    <when true="title != nil">
    AND title like #{title}
    </when>
    <when true="author != nil and author.name != nil">
    AND author_name like #{author.name}
    </when>
    <otherwise>
    AND featured = 1
    </otherwise>
    </choose>
    </select>
    <insert id="add" arguments="title, author, featured">
    insert into ${T} values ('ACTIVE', #{title}, #{author}, #{featured})
    </insert>
    """

  @Test func `choose takes the first that holds, or what stands in otherwise`() throws {
    let desk = try Desk(sample: Self.choose, columns: "state, title, author_name, featured")
    for (title, author, featured) in [("Emma", "Jane", 0), ("Ulysses", "James", 1)] {
      desk.dao.call("add", [title, author, featured])
    }
    let author = Author(name: "Jane")
    #expect(try desk.dao.call("search", ["U%", author]).get() == ["Ulysses"])
    #expect(try desk.dao.call("search", [nil, author]).get() == ["Emma"])
    #expect(try desk.dao.call("search", [nil, Author()]).get() == ["Ulysses"])
    #expect(try desk.dao.call("search", [nil, nil]).get() == ["Ulysses"])
    #expect(
      desk.statements(of: "search", [nil, author])
        == ["select title from tableDemo where state = 'ACTIVE' AND author_name like ?"]
    )
  }
}

/// `<foreach>` within a statement.
@Suite struct LoopSampleTests {
  @Test func `a loop puts its values between its ends, the last one first`() throws {
    let loop = """
      <foreach item="iterator" collection="list" open="(" separator="," close=")" reverse="yes">
      @{iterator}
      </foreach>
      """
    #expect(try Configuration.sql(loop, ["list": [1, 2, 3]]) == "(3,2,1)")
    #expect(try Configuration.sql(loop, ["list": ["1", "2"]]) == "('2','1')")
    let bare = "<foreach item=\"iterator\" collection=\"list\">@{iterator}</foreach>"
    #expect(try Configuration.sql(bare, ["list": [1, 2, 3]]).squeezed == "1 2 3")
  }

  private static let proc = """
    <update id="proc" arguments="list, prefix">
    <foreach item="iterator" collection="list" open="(" separator="," close=")">
    {prefix}{iterator}
    </foreach>
    </update>
    """

  // A203: without an `@` the braces are text, which is no SQL.
  @Test func `braces without a sign are text`() throws {
    let desk = try Desk(sample: Self.proc, columns: "a")
    let list = ["1", "2", "3"]
    #expect(desk.dao.call("proc", [list, "abc"]).code == .badStatement)
    let loop = Self.proc.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")
    #expect(
      try Configuration.sql(loop, ["list": list, "prefix": "abc"])
        == "({prefix}{iterator},{prefix}{iterator},{prefix}{iterator})"
    )
  }

  // A203: the references need an `@`, and no quotes around each.
  @Test func `a prefix and the values of a list are put together`() throws {
    let loop = Self.proc.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")
      .replacing("{prefix}", with: "@{prefix no \"\"}")
      .replacing("{iterator}", with: "@{iterator no \"\"}")
    #expect(
      try Configuration.sql(loop, ["list": ["1", "2", "3"], "prefix": "abc"])
        == "(abc1,abc2,abc3)"
    )
  }

  @Test func `a list in a select is bound value by value`() throws {
    let desk = try Desk(
      sample: """
        <select id="find" arguments="idList" result="[int]">
        select * from ${T} where id in
        <foreach item="id" collection="idList" open="(" separator="," close=")">
        #{id}
        </foreach>
        </select>
        <insert id="add" arguments="id">insert into ${T} values(#{id})</insert>
        """,
      columns: "id integer primary key"
    )
    for id in 1...4 { desk.dao.call("add", [id]) }
    #expect(try desk.dao.call("find", [[4, 9, 2]]).get() == [2, 4])
    // A205: an empty list finds nothing, and is no error.
    #expect(try desk.dao.call("find", [[Int]()]).get(as: [Int].self) == [])
    #expect(
      desk.statements(of: "find", [[4, 9, 2]]) == ["select * from tableDemo where id in (?,?,?)"]
    )
  }
}
