import NacreEngine
import NacreStore

extension EngineConnection {
  /// The number of rows of a table.
  func rowCount(of table: String) throws -> Int {
    let count = try scalar("SELECT count(*) FROM \(SQLText.main(table))")
    return if case .integer(let count)? = count { Int(count) } else { 0 }
  }
}
