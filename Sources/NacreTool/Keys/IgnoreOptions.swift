import ArgumentParser
import NacreCore

/// Columns that the command ignores, although they name a key that it disables or destroys.
struct IgnoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Do so although this column holds values under the key, which somebody has planted there; may be given again.",
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
          status: .usage,
          message:
            "--ignore \(text.visible) is the name of \(found.isEmpty ? "no column" : "several columns")"
        )
      }
      return column
    }
  }
}
