#if Tool
/// Rows of text in aligned columns.
struct TextTable {
  private var rows: [[String]] = []
  private let rightAligned: Set<Int>

  /// An empty table.
  ///
  /// - Parameter rightAligned: the columns, from 0, that hold numbers.
  init(rightAligned: Set<Int> = []) { self.rightAligned = rightAligned }

  mutating func add(_ cells: String...) { rows.append(cells) }

  mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The rows as lines, each indented, with two blanks between cells.
  func lines(indent: Int) -> [String] {
    let columnCount = rows.map(\.count).max() ?? 0
    let widths = (0..<columnCount).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = String(repeating: " ", count: indent)
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += (rightAligned.contains(column) ? padding + cell : cell + padding) + "  "
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
#endif
