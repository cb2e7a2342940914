/// The columns that hold envelopes, which no condition may read.
struct SealedColumns {
  private var columns: Set<String> = []
  /// Another number whenever there are others.
  private(set) var version = 0

  mutating func insert(_ table: String, _ column: String) { set(table, column, true) }

  mutating func set(_ table: String, _ column: String, _ isSealed: Bool) {
    let name = "\(table).\(column)".lowercased()
    let isChanged = isSealed ? columns.insert(name).inserted : columns.remove(name) != nil
    if isChanged { version += 1 }
  }

  var isEmpty: Bool { columns.isEmpty }

  func contains(_ table: String, _ column: String) -> Bool {
    columns.contains("\(table).\(column)".lowercased())
  }
}
