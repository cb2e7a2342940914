import Foundation
import NacreCore
import Testing

@testable import NacreDAO

/// `<select>`, the types of its results, and `<map>`.
@Suite struct SelectSampleTests {
  private static let find = """
    <map id="messageModelMap" result="MessageModel">
    <result property="msgId" column="id"/>
    </map>
    <select id="find" arguments="id, time" result=":messageModelMap">
    select * from ${T} where id = #{id} and time > @{time}
    </select>
    <insert id="add" arguments="id, time, content">
    insert into ${T} (id, time, content) values(#{id}, #{time}, #{content})
    </insert>
    """

  private func desk(_ sample: String = find) throws -> Desk {
    try Desk(
      sample: sample,
      columns: "id integer primary key, time integer, content text, uin integer, read boolean"
    )
  }

  @Test func `find with 1234 and 2014 binds the one and puts the other into the text`() throws {
    let desk = try desk()
    #expect(
      desk.statements(of: "find", [1234, 2014])
        == ["select * from tableDemo where id = ? and time > 2014"]
    )
    desk.dao.call("add", [1234, 2015, "text"])
    let found: MessageModel? = try desk.dao.call("find", [1234, 2014]).get()
    // The column `id` goes where the map says, `content` to its own name, and `time`, which the class has not, nowhere.
    #expect(found?.msgId == 1234 && found?.content == "text" && found?.uin == nil)
    #expect(try desk.dao.call("find", [1234, 2015]).get(as: MessageModel?.self) == nil)
  }

  @Test func `the business may pass nil, unless a dollar sign refuses it`() throws {
    let desk = try desk()
    #expect(try desk.dao.call("find", [nil, nil]).get(as: MessageModel?.self) == nil)
    #expect(
      desk.statements(of: "find", [nil, nil])
        == ["select * from tableDemo where id = ? and time > NULL"]
    )
    let strict = try self.desk(Self.find.replacing("\"id, time\"", with: "\"$id, time\""))
    #expect(strict.dao.call("find", [nil, 2014]).code == .badArgument)
    #expect(strict.dao.call("find", [1, nil]).succeeded)
  }

  /// A result as it is written, with what it gives of the rows 1 and 2, and of no row.
  struct Sample: CustomTestStringConvertible, Sendable {
    let result: String
    let columns: String
    let check: @Sendable (DAOResult) throws -> Bool
    let checkEmpty: @Sendable (DAOResult) throws -> Bool
    var testDescription: String { result }

    static func one<T: Equatable & Sendable>(_ result: String, _ columns: String, _ value: T)
      -> Sample
    {
      Sample(
        result: result,
        columns: columns,
        check: { try $0.get(as: T.self) == value },
        checkEmpty: { try $0.get(as: T?.self) == nil }
      )
    }

    static func all<T: Equatable & Sendable>(_ result: String, _ columns: String, _ values: [T])
      -> Sample
    {
      Sample(
        result: result,
        columns: columns,
        check: { try $0.get(as: [T].self) == values },
        checkEmpty: { try $0.get(as: [T].self) == [] }
      )
    }
  }

  private static let texts = [Data("a".utf8), Data("b".utf8)]

  @Test(arguments: [
    Sample.one("int", "id", 1), .one("long long", "id", Int64(1)), .one("bool", "id", true),
    .one("double", "id / 2.0", 0.5), .one("string", "content", "a"),
    .one("binary", "cast(content as blob)", texts[0]), .all("[int]", "id", [1, 2]),
    .all("[long long]", "id", [1, 2]), .all("[bool]", "id - 1", [false, true]),
    .all("[double]", "id / 2.0", [0.5, 1]), .all("[string]", "content", ["a", "b"]),
    .all("[binary]", "cast(content as blob)", texts),
    .all("[{}]", "id, content", [["id": "1", "content": "a"], ["id": "2", "content": "b"]]),
    .one("{}", "id, content", ["id": "1", "content": "a"]),
    .all("[MessageModel]", "id as msgId, content", ["1 a", "2 b"]),
    .one("MessageModel", "id as msgId, content", "1 a"),
    .all("[:messageModelMap]", "id, content", ["1 a", "2 b"]),
    .one(":messageModelMap", "id, content", "1 a"),
  ])
  func `each type of result that is listed comes back as one and as an array`(sample: Sample) throws
  {
    let desk = try desk(
      Self.find + """
        <select id="get" arguments="most" result="\(sample.result)">
        select \(sample.columns) from ${T} where id &lt;= #{most} order by id
        </select>
        """
    )
    desk.dao.call("add", [1, 0, "a"])
    desk.dao.call("add", [2, 0, "b"])
    #expect(try sample.check(readable(desk.dao.call("get", [2]))))
    #expect(try sample.checkEmpty(readable(desk.dao.call("get", [0]))))
  }

  /// Objects and dictionaries as texts, which can be compared.
  private func readable(_ result: DAOResult) throws -> DAOResult {
    func text(_ model: MessageModel) -> String { "\(model.msgId ?? 0) \(model.content ?? "")" }
    func texts(_ row: [String: Any]) -> [String: String] { row.mapValues { "\($0)" } }
    switch result.value {
    case let model as MessageModel: return DAOResult(value: text(model))
    case let models as [MessageModel] where !models.isEmpty:
      return DAOResult(value: models.map(text))
    case let row as [String: Any]: return DAOResult(value: texts(row))
    case let rows as [[String: Any]] where !rows.isEmpty:
      return DAOResult(value: rows.map(texts))
    default: return result
    }
  }

  @Test func `a select with foreach runs once for each element and gives their results`() throws {
    let desk = try desk(
      Self.find + """
        <select id="contents" arguments="ids" foreach="ids.one" result="string">
        select content from ${T} where id = #{one}
        </select>
        """
    )
    desk.dao.call("add", [1, 0, "a"])
    desk.dao.call("add", [3, 0, "c"])
    let contents: [String?] = try desk.dao.call("contents", [[3, 2, 1]]).get()
    #expect(contents == ["c", nil, "a"])
    let statement = "select content from tableDemo where id = ?"
    #expect(
      desk.statements(of: "contents", [[3, 2, 1]]) == [statement, statement, statement]
    )
  }
}
