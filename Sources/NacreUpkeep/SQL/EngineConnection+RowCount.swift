package import NacreEngine
import NacreStore

extension EngineConnection {
  /// The number of rows of a table.
  package func rowCount(of table: String) throws -> Int {
    let count = try scalar("SELECT count(*) FROM \(SQLText.main(table))")
    return if case .integer(let count)? = count { Int(count.asRowCount) } else { 0 }
  }

  /// The number of rows of a table, or the limit if it has more.
  func rowCount(of table: String, upTo limit: Int) throws -> Int {
    let count = try scalar(AdoptionSQL.count(table: table), [.integer(Int64(limit))])
    return if case .integer(let count)? = count { Int(clamping: count) } else { 0 }
  }
}
