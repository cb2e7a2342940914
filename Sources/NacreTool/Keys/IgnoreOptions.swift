#if Tool
import ArgumentParser
import NacreStore

/// Columns whose values don't keep the command from disabling or destroying the key that they name.
struct IgnoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Go on although somebody has planted values under the key in this column. Can be repeated.",
      valueName: "table.column"
    )
  )
  var ignore: [String] = []

  /// Finds the columns of the store that the options name.
  ///
  /// - Parameter store: the store.
  /// - Returns: the columns, in the order in which they were given.
  /// - Throws: ``NacreError``; `CommandFailure` for a text that names no column, or several.
  func columns(in store: Store) throws -> [StoredColumn] {
    if ignore.isEmpty { return [] }
    let known = try store.storedColumns()
    return try ignore.map { text in
      let found = known.filter { $0.description == text }
      guard let column = found.first, found.count == 1 else {
        throw CommandFailure(
          .usage,
          "--ignore \(text.visible) names \(found.isEmpty ? "no column" : "several columns")"
        )
      }
      return column
    }
  }

  /// Finds the columns, and prints them.
  func columnsShown(in store: Store) throws -> [StoredColumn] {
    let columns = try columns(in: store)
    Output.standard.show(columns.map { "Ignored: \($0.description.visible)." })
    return columns
  }
}
#endif
