import Foundation
import TestSupport

@testable import NacreDAO

// The classes that the samples of the original text speak of.

final class MessageModel: Codable {
  var msgId: Int?
  var content: String?
  var uin: Int?
  var read: Bool?

  init(_ msgId: Int?, _ content: String?, uin: Int? = nil, read: Bool? = nil) {
    (self.msgId, self.content, self.uin, self.read) = (msgId, content, uin, read)
  }
}

final class Template: Codable {
  var tplId = ""
  var tplVersion = ""
  var time: Double?
  var data: String?
  var tag: String?

  init(_ tplId: String, _ tplVersion: String, time: Double?, data: String?, tag: String?) {
    (self.tplId, self.tplVersion, self.time) = (tplId, tplVersion, time)
    (self.data, self.tag) = (data, tag)
  }
}

struct Author: Codable {
  var name: String?
}

/// A DAO for a sample in a module of its own.
extension Desk {
  /// A module with the table `tableDemo`, which one statement makes, around a sample's text.
  init(
    sample: String,
    columns: String,
    attributes: String = "",
    in home: TestStore? = nil
  ) throws {
    try self.init(
      """
      <module name="demo" initializer="createTable" tableName="tableDemo" \(attributes)>
      <update id="createTable">create table if not exists ${T} (\(columns))</update>
      <select id="rows" result="[{}]">select * from ${T} order by rowid</select>
      \(sample)
      </module>
      """,
      models: [MessageModel.self, Template.self, Author.self],
      in: home
    )
  }

  /// All rows of the sample's table.
  var rows: [[String: Any]] { get throws { try dao.call("rows").get() } }

  /// The statements on the sample's table that a call runs.
  func statements(of id: String, _ arguments: [Any?]) -> [String] {
    // Makes the table.
    dao.call("rows")
    return home.statements { dao.call(id, arguments) }.map(\.squeezed)
  }
}
