// An empty list or dictionary never makes a statement affect more rows, unless its configuration says so.

extension TemplateRendering {
  /// Notes that a list or dictionary is empty, and that its configuration has no `empty` for it.
  ///
  /// - Parameters:
  ///   - path: the list, or the dictionary.
  ///   - rest: the SQL that remains without elements, such as `()`.
  ///   - prefix: the SQL that would stand before it.
  mutating func noteAbsence(
    of path: ReferencePath,
    leaving rest: String,
    behind prefix: String = ""
  ) {
    absent.append(path)
    guard droppedCondition == nil, rest.trimmed.isEmpty, sql.state() == .plain else { return }
    if SQLConditions(sql.text + " " + prefix).isOpen { droppedCondition = path }
  }

  /// Refuses a statement that would affect more rows because something is empty.
  ///
  /// An empty text is not run, and affects no rows.
  func refuseAbsence(in text: String) throws {
    if text.isEmpty { return }
    if let path = droppedCondition {
      throw DAOValue.Failure(
        message:
          "“\(path)” is empty, so a condition would be missing; give the SQL for this case in "
          + "empty=\"…\", such as empty=\"1 = 0\" if no row is meant"
      )
    }
    guard SQLConditions(text).hasNegatedEmptyList else { return }
    let paths = absent.map { "“\($0)”" }.joined(separator: ", ")
    throw DAOValue.Failure(
      message:
        "\(paths) is empty, and NOT IN () holds for every row; give the SQL for this case in "
        + "empty=\"…\", such as empty=\"()\" if every row is meant"
    )
  }
}
