import Foundation
import NacreCore
import TestSupport

@testable import NacreDAO

/// A message as an entity.
final class Message: Entity {
  var msgId = 0 { didSet { entityState.markChanged(0) } }
  var content: String? { didSet { entityState.markChanged(1) } }
  var uin = 7 { didSet { entityState.markChanged(2) } }
  var read = false { didSet { entityState.markChanged(3) } }
  var sent: Date? { didSet { entityState.markChanged(4) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    msgId = try row.read(at: 0)
    content = try row.read(at: 1)
    uin = try row.read(at: 2)
    read = try row.read(at: 3)
    sent = try row.read(at: 4)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(msgId, at: 0)
    try row.bind(content, at: 1)
    try row.bind(uin, at: 2)
    try row.bind(read, at: 3)
    try row.bind(sent, at: 4)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Message.self, name: "Message")
    schema.add("msgId", \Message.msgId)
    schema.add("content", \Message.content)
    schema.add("uin", \Message.uin)
    schema.add("read", \Message.read)
    schema.add("sent", \Message.sent)
    return schema.build()
  }()

  static func make(_ id: Int, _ content: String?, read: Bool = false) -> Message {
    let message = Message.create()
    (message.msgId, message.content, message.read) = (id, content, read)
    return message
  }
}

/// The same as a Codable struct.
struct Letter: Codable, Equatable {
  enum Mood: String, Codable { case glad, sad }

  var msgId: Int
  var content: String?
  var uin = 7
  var read = false
  var weight: Double?
  var mood: Mood?
  var tags: [String]?
  var at: Date?
}

/// A class that is found by reflection alone.
class Sheet {
  var msgId = 0
  var content: String?
  init(_ id: Int, _ content: String?) { (msgId, self.content) = (id, content) }
}

final class ColouredSheet: Sheet {
  var colour = "red"
}

/// A DAO over a store in a directory of its own.
struct Desk {
  let home: TestStore
  let dao: DAO

  var store: Store { home.store }

  init(
    _ xml: String,
    models: [any Any.Type] = [Message.self, Letter.self],
    in home: TestStore? = nil
  ) throws {
    self.home = try home ?? TestStore()
    dao = try DAO(configuration: xml, store: self.home.store, models: models)
  }

  /// The methods of a table `notes`, with more of the test's own.
  static func module(_ methods: String, attributes: String = "") -> String {
    """
    <module name="Notes" initializer="createTable" tableName="notes" \(attributes)>
      <const columns="id, content, uin, read"/>
      <map id="messageMap" result="Message"><result property="msgId" column="id"/></map>
      <map id="letterMap" result="Letter"><result property="msgId" column="id"/></map>
      <update id="createTable">
        create table if not exists ${T} (id integer primary key, content text, uin integer, read boolean)
      </update>
      <insert id="add" arguments="id, content">
        insert into ${T} (id, content) select #{id}, #{content}
      </insert>
      <insert id="addAll" arguments="messages" foreach="messages.model">
        insert into ${T} (${columns})
        values (#{model.msgId}, #{model.content}, #{model.uin}, #{model.read})
      </insert>
      <select id="contents" result="[string]">select content from ${T} order by id</select>
      <select id="count" result="int">select count(*) from ${T}</select>
      \(methods)
    </module>
    """
  }

  init(methods: String, attributes: String = "", in home: TestStore? = nil) throws {
    try self.init(Self.module(methods, attributes: attributes), in: home)
  }

  var contents: [String?] { get throws { try dao.call("contents").get() } }
}

extension DAOResult {
  /// The code of the error that the call failed with.
  var code: NacreError.Code? { (error as? NacreError)?.code }
}
