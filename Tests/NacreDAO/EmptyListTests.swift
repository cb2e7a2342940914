import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// An empty list never makes a statement mean more rows, unless the configuration says so.
@Suite struct EmptyListTests {
  private static var none: [String: Any?] { ["l": [Int](), "p": [String: Any?]()] }

  /// A statement with a loop in place of `LIST`, one of conditions in place of `EACH`.
  private static func body(_ text: String, attributes: String = "") -> String {
    text.replacing(
      "LIST",
      with: "<foreach item='i' collection='l' open='(' separator=',' "
        + "close=')' \(attributes)>#{i}</foreach>"
    )
    .replacing(
      "EACH",
      with: "<foreach item='i' collection='l' \(attributes)>and a != #{i}</foreach>"
    )
    .replacing(
      "ANY",
      with: "<foreach item='i' collection='l' separator='or' \(attributes)>"
        + "a = #{i}</foreach>"
    )
  }

  private static let refused = [
    "delete from t where id not in LIST", "delete from t where id NOT\n  In LIST",
    "select * from t where id not in LIST and a = 1", "delete from t where not id in LIST",
    "delete from t where not (id in LIST)", "delete from t where not (a = 1 or id in LIST)",
    "delete from t where not lower(id) in LIST", "delete from t where not t.id in LIST",
    "delete from t where id not /* so */ in LIST",
    "delete from t where not exists (select 1 from u where u.id in LIST)",
    "delete from t where id not in (select id from u where a in LIST)",
    "delete from t where id not in (<foreach item='i' collection='l' separator=','>#{i}</foreach>)",
    "delete from t <where>id not in LIST</where>",
    "delete from t <where><if true='1'>and id not in LIST</if></where>",
    "delete from t where <foreach item='i' collection='l' open='id not in (' separator=',' "
      + "close=')'>#{i}</foreach>",
    "delete from t <where>ANY</where>", "delete from t <where>a = 1 EACH</where>",
    "delete from t where a = 1 EACH", "select * from t where a = 1 EACH order by id",
    "select * from t join u on u.id = t.id EACH where 1",
    "select a from t group by a having count(*) > 1 EACH",
    "delete from t where (a = 1 EACH)", "delete from t where b = (a = 1 EACH)",
    "delete from t <trim prefix='where' prefixOverrides='and | or'>EACH</trim>",
    "delete from t <where onVoid='ignoreAfter'>ANY</where>",
    "delete from t <where onVoid='quit'>a = 1 EACH</where>",
    "update t set a = 1 <where>ANY</where>",
    "delete from t <format prefix='where' pairs='p' join='and'/>",
    "delete from t where 1 <format prefix='and' pairs='p' join='and'/>",
    "delete from t where exists (select 1 from u where u.a = t.a EACH)",
  ]

  @Test(arguments: refused)
  func `a list whose absence means more rows is refused at the call`(text: String) throws {
    let body = Self.body(text)
    #expect(throws: DAOValue.Failure.self) { try Configuration.sql(body, Self.none) }
    let full: [String: Any?] = ["l": [1, 2], "p": ["a": 1]]
    #expect(throws: Never.self) { try Configuration.sql(body, full) }
    let empties = "empty='1 = 0'"
    let said = Self.body(text, attributes: empties).replacing(
      "<format ",
      with: "<format \(empties) "
    )
    if text.contains("LIST") || text.contains("ANY") || text.contains("EACH") {
      #expect(throws: Never.self) { try Configuration.sql(said, Self.none) }
    }
  }

  @Test(arguments: [
    ("select * from t where id in LIST", "select * from t where id in ()"),
    ("delete from t where not a and id in LIST", "delete from t where not a and id in ()"),
    (
      "delete from t where a not in (1) and id in LIST",
      "delete from t where a not in (1) and id in ()"
    ),
    ("delete from t where 'not' || id in LIST", "delete from t where 'not' || id in ()"),
    ("delete from t where (not a) and (id in LIST)", "delete from t where (not a) and (id in ())"),
    (
      "delete from t where id not in (0 <foreach item='i' collection='l'>, #{i}</foreach>)",
      "delete from t where id not in (0 )"
    ),
    (
      "insert into t (a <foreach item='i' collection='l'>, b@{i}</foreach>) values (1)",
      "insert into t (a ) values (1)"
    ),
    (
      "update t set a = 1 <foreach item='i' collection='l'>, b = #{i}</foreach> where id = 1",
      "update t set a = 1 where id = 1"
    ),
    ("update t <format prefix='set' pairs='p'/> where 1", "update t where 1"),
    ("select a <foreach item='i' collection='l'>, @{i}</foreach> from t", "select a from t"),
    (
      "select a from t where b = 1 order by a <foreach item='i' collection='l'>, @{i}</foreach>",
      "select a from t where b = 1 order by a"
    ),
    (
      "insert into t values (1) on conflict (a <foreach item='i' collection='l'>, @{i}</foreach>) do nothing",
      "insert into t values (1) on conflict (a ) do nothing"
    ),
    ("delete from t <where><if true='l.count > 0'>id not in LIST</if></where>", "delete from t"),
    (
      "delete from t where a = '<foreach item='i' collection='l'>@{i}</foreach>'",
      "delete from t where a = ''"
    ),
    (
      "select coalesce(1 <foreach item='i' collection='l'>, @{i}</foreach>) from t where b",
      "select coalesce(1 ) from t where b"
    ),
  ])
  func `a list whose absence means no more rows may be empty`(text: String, sql: String) throws {
    #expect(try Configuration.sql(Self.body(text), Self.none).squeezed == sql)
  }

  @Test func `a statement that is not run means no rows`() throws {
    let statement = try Configuration.statement(
      Self.body("delete from t <where onVoid='quit'>ANY</where>"),
      Self.none
    )
    #expect(statement.isQuit)
  }

  @Test(arguments: [
    ("where id not in LIST", "(null)", "where id not in (null)"),
    ("where id not in LIST", "()", "where id not in ()"),
    ("where id not in LIST and a", "(0)", "where id not in (0) and a"),
    ("<where>ANY</where>", "1 = 0", "WHERE 1 = 0"), ("<where>ANY</where>", "", ""),
    ("where a = 1 EACH", "", "where a = 1"),
    ("where a = 1 EACH and b", "and 0", "where a = 1 and 0 and b"),
    ("where id in LIST", "(select id from u)", "where id in (select id from u)"),
    ("where a<foreach item='i' collection='l' empty='x'>i</foreach>b", "", "where a x b"),
  ])
  func `the attribute empty stands in place of a loop without elements`(
    text: String,
    empty: String,
    sql: String
  ) throws {
    let body = Self.body(text, attributes: "empty='\(empty)'")
    #expect(try Configuration.sql(body, Self.none).squeezed == sql)
    let other = try Configuration.sql(body, ["l": [1]])
    #expect(empty.isEmpty || !other.contains(empty) || empty == "()")
  }

  @Test func `a list whose elements make no SQL is empty, too`() throws {
    let body = """
      delete from t where id not in <foreach item='i' collection='l' open='(' separator=',' \
      close=')'><if true='i > 1'>#{i}</if></foreach>
      """
    #expect(throws: DAOValue.Failure.self) { try Configuration.sql(body, ["l": [1]]) }
    #expect(try Configuration.sql(body, ["l": [1, 2]]).hasSuffix("not in (?)"))
  }

  @Test func `an inner loop is refused if it is empty for one element of the outer loop`()
    throws
  {
    let body = """
      select * from t where <foreach item='g' collection='l' separator='or' open='(' close=')'>
      (a = #{g.a} <foreach item='i' collection='g.tags'>and b != #{i}</foreach>)</foreach>
      """
    let groups: [[String: Any?]] = [["a": 1, "tags": [1]], ["a": 2, "tags": [Int]()]]
    #expect(throws: DAOValue.Failure.self) { try Configuration.sql(body, ["l": groups]) }
    #expect(try Configuration.sql(body, ["l": [groups[0]]]).contains("and b != ?"))
  }

  @Test func `a part of the SQL that is a text without signs is an empty list as well`() throws {
    let body = "delete from t where id not in (@{ids no \"\"})"
    #expect(throws: DAOValue.Failure.self) { try Configuration.sql(body, ["ids": ""]) }
    #expect(try Configuration.sql(body, ["ids": "1, 2"]).hasSuffix("(1, 2)"))
  }

  @Test func `empty stands in foreach and format alone, and in quotes it is followed`() {
    #expect(
      Configuration.issues("<module><update id='m'><where empty='1'>a</where></update></module>")
        .count == 1
    )
    func issues(_ empty: String) -> Int {
      Configuration.issues(
        """
        <module><update id='m'>
        a = <foreach item='i' collection='l' open="'" empty="\(empty)">a</foreach>#{x}'
        </update></module>
        """
      )
      .count
    }
    #expect(issues("'") == 1)
    #expect(issues("") == 0)
  }

  @Test func `a delete with an empty list deletes nothing, and says what to write`() throws {
    let desk = try Desk(
      methods: """
        <delete id="keep" arguments="ids">
          delete from ${T} where id not in
          <foreach item="id" collection="ids" open="(" separator="," close=")">#{id}</foreach>
        </delete>
        <delete id="keepOnly" arguments="ids">
          delete from ${T} where id not in
          <foreach item="id" collection="ids" open="(" separator="," close=")" empty="()">#{id}</foreach>
        </delete>
        <delete id="drop" arguments="ids">
          delete from ${T} where id in
          <foreach item="id" collection="ids" open="(" separator="," close=")">#{id}</foreach>
        </delete>
        <delete id="matching" arguments="pairs">
          delete from ${T} <format prefix="where" pairs="pairs" join="and"/>
        </delete>
        """
    )
    for id in 1...3 { #expect(desk.dao.call("add", [id, "\(id)"]).error == nil) }
    let result = desk.dao.call("keep", [[Int]()])
    #expect(result.code == .badArgument)
    let text = "\(String(describing: result.error))"
    #expect(text.contains("“ids”") && text.contains("empty="))
    #expect(desk.dao.call("matching", [[String: Any?]()]).code == .badArgument)
    #expect(desk.dao.call("drop", [[Int]()]).error == nil)
    #expect(try desk.contents == ["1", "2", "3"])
    #expect(desk.dao.call("keep", [[1, 2]]).error == nil)
    #expect(try desk.contents == ["1", "2"])
    #expect(desk.dao.call("keepOnly", [[Int]()]).error == nil)
    #expect(try desk.contents == [])
  }
}
