import NacreCore
import NacreOpen

/// The lines for models of four and of forty columns.
enum ModelLines {
  /// Lines for people.
  ///
  /// - Parameters:
  ///   - size: the number of rows that are stored, up to 10,000.
  ///   - rounds: how often everything is done.
  /// - Returns: a line a work.
  /// - Throws: what a work throws.
  static func measure(size: Int, rounds: Int) throws -> [String] {
    try withBenchDirectory { directory in
      let store = try Store.open(directory + "/nacre.db")
      defer { try? store.close() }
      let count = min(size, 10_000)
      let works =
        try ModelWorks(NarrowRow(), count, store).all() + ModelWorks(WideRow(), count, store).all()
      return try SideBySide.lines(works, against: "structs", rounds: rounds)
    }
  }
}
