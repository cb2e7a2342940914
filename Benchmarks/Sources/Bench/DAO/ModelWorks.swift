import NacreCore
import NacreDAO

/// A DAO's methods with dictionaries as models, beside the same methods with structs.
struct ModelWorks<Row: Codable> {
  private let store: Store
  private let dao: DAO
  private let row: Row
  private let members: [String: Any]
  private let size: Int

  init(_ row: Row, _ size: Int, _ store: Store) throws {
    (self.row, self.size, self.store) = (row, size, store)
    let pairs = Mirror(reflecting: row).children.compactMap { child in
      child.label.map { ($0, child.value) }
    }
    members = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    let xml = Self.configuration(columns: pairs.map(\.0), limit: size)
    dao = try DAO(configuration: xml, store: store, models: [Row.self])
  }

  private static func configuration(columns: [String], limit: Int) -> String {
    let name = "\(Row.self)"
    let list = columns.joined(separator: ", ")
    let values = columns.map { "#{model.\($0)}" }.joined(separator: ", ")
    return """
      <module name="\(name)" tableName="\(name)" initializer="make">
        <update id="make">CREATE TABLE IF NOT EXISTS ${T} (\(list))</update>
        <update id="clear">DELETE FROM ${T}</update>
        <map id="struct" result="\(name)"/>
        <insert id="addAll" arguments="models" foreach="models.model">
          INSERT INTO ${T} (\(list)) VALUES (\(values))
        </insert>
        <insert id="add" arguments="model">INSERT INTO ${T} (\(list)) VALUES (\(values))</insert>
        <select id="structs" result="[:struct]">SELECT \(list) FROM ${T} LIMIT \(limit)</select>
        <select id="dictionaries" result="[{}]">SELECT \(list) FROM ${T} LIMIT \(limit)</select>
      </module>
      """
  }

  /// The selects find the rows that the inserts leave.
  func all() -> [SideBySide] {
    let columns = "dictionaries of \(members.count) columns"
    return [
      SideBySide(
        name: "DAO insert of \(columns) by foreach",
        operations: size,
        prepare: clear,
        nacre: { try addAll(Array(repeating: members, count: size)) },
        other: { try addAll(Array(repeating: row, count: size)) }
      ),
      SideBySide(
        name: "DAO insert of \(columns), one a call",
        operations: size,
        prepare: clear,
        nacre: { try addEach(members) },
        other: { try addEach(row) }
      ),
      SideBySide(
        name: "DAO select of all as \(columns)",
        operations: size,
        nacre: { try dao.call("dictionaries").get(as: [[String: Any]].self).count },
        other: { try dao.call("structs").get(as: [Row].self).count }
      ),
    ]
  }

  private func clear() throws {
    if let error = dao.call("clear").error { throw error }
  }

  private func addAll(_ models: [Any]) throws -> Int {
    let result = dao.call("addAll", [models])
    if let error = result.error { throw error }
    return result.flags.count
  }

  /// In one transaction, because a commit takes far longer than a call.
  private func addEach(_ model: Any) throws -> Int {
    try store.write { _ in
      for _ in 0..<size {
        if let error = dao.call("add", [model]).error { throw error }
      }
      return size
    }
  }
}
