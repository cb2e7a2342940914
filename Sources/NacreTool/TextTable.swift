/// Rows of text in aligned columns.
struct TextTable {
  private var rows: [[String]] = []

  mutating func add(_ cells: String...) { rows.append(cells) }

  /// The rows, each indented and its cells two blanks apart.
  func lines(indent: Int) -> [String] {
    let columnCount = rows.map(\.count).max() ?? 0
    let widths = (0..<columnCount).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = String(repeating: " ", count: indent)
      for (cell, width) in zip(row, widths) {
        line += cell + String(repeating: " ", count: width - cell.count + 2)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
