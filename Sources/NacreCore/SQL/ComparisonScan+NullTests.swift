import NacreStore

extension ComparisonScan {
  /// Returns a text without plain questions whether one of some columns is NULL: they ask this of
  /// the objectID instead.
  ///
  /// The answer then is another, but all else that the text reads stays the same.
  static func askingNothing(of columns: Set<SQLName>, in text: String, _ table: String) -> String {
    let asked = ComparisonScan(text, of: table).nullTests.filter { columns.contains($0.column) }
    if asked.isEmpty { return text }
    var bytes = Array(text.utf8)
    for (_, range) in asked.reversed() { bytes.replaceSubrange(range, with: RowSQL.objectID.utf8) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The columns of which the text plainly asks whether they are NULL, and where it names them.
  private var nullTests: [(column: SQLName, range: Range<Int>)] {
    var found: [(column: SQLName, range: Range<Int>)] = []
    var places = Places()
    for index in pieces.indices {
      if places.isPlain(before: pieces[index]), let column = column(at: index),
        isNullTest(at: column.next)
      {
        found.append((SQLName(column.name), ranges[column.next - 1]))
      }
      places.pass(pieces[index])
    }
    return found
  }

  /// Returns whether `IS NULL`, `IS NOT NULL`, or another word for one of them, stands here alone.
  private func isNullTest(at index: Int) -> Bool {
    var next = index
    if take("ISNULL", &next) || take("NOTNULL", &next) { return isEnd(next) }
    if take("IS", &next) {
      _ = take("NOT", &next)
    } else if !take("NOT", &next) {
      return false
    }
    return take("NULL", &next) && isEnd(next)
  }
}
