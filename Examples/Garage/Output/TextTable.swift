/// A small table, its columns as wide as they need to be.
struct TextTable {
  enum Alignment { case left, right }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[String]] = []

  init(_ columns: (String, Alignment)...) {
    self.columns = columns.map { (title: $0.0, alignment: $0.1) }
  }

  /// Adds a row, which has as many cells as the table has columns.
  mutating func add(_ cells: String...) { rows.append(cells) }

  /// Writes the table.
  func write() {
    let lines = [columns.map(\.title)] + rows
    let widths = columns.indices.map { column in
      lines.map { $0[column].count }.max() ?? 0
    }
    write(lines[0], widths)
    write(widths.map { String(repeating: "-", count: $0) }, widths)
    for row in rows { write(row, widths) }
  }

  private func write(_ cells: [String], _ widths: [Int]) {
    let padded = cells.indices.map { column in
      Self.padded(cells[column], to: widths[column], columns[column].alignment)
    }
    var line = padded.joined(separator: "   ")
    while line.last == " " { line.removeLast() }
    Page.line(line)
  }

  static func padded(_ text: String, to width: Int, _ alignment: Alignment) -> String {
    let space = String(repeating: " ", count: max(width - text.count, 0))
    return alignment == .left ? text + space : space + text
  }
}
