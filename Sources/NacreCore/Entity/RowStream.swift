import NacreSQLite

/// The rows of a statement, one object each.
public final class RowStream {
  @usableFromInline let reader: RowReader
  private let statement: Statement
  private let batch: LoadedObjects?
  /// How many rows may still be read.
  @exclusivity(unchecked) private var remaining: Int

  /// - Parameters:
  ///   - statement: a statement that is ready to be stepped.
  ///   - reader: the reader of its rows.
  ///   - batch: what takes the objects whose children are to be loaded; nil where there are none.
  ///   - limit: how many rows to read at most.
  init(
    _ statement: Statement,
    _ reader: RowReader,
    into batch: LoadedObjects?,
    limit: Int = .max
  ) {
    self.statement = statement
    self.reader = reader
    self.batch = batch
    remaining = limit
  }

  /// Goes on to the next row; false after the last.
  @usableFromInline
  func next() throws -> Bool {
    guard remaining > 0, try statement.step() else { return false }
    remaining -= 1
    try reader.next()
    return true
  }

  /// Gives the current row's object to the loader of its children.
  @usableFromInline
  func collect(_ object: any Entity) throws { try batch?.append(object, reader) }
}

extension Entity {
  /// Makes an object of each row.
  ///
  /// A requirement with one implementation: so it is compiled where the class is, for that class alone. Generic code
  /// on the store's side would look up the type of every array and optional at every row.
  @inlinable
  public static func readObjects(from rows: RowStream) throws -> [Self] {
    var objects: [Self] = []
    while try rows.next() {
      let object = try Self(row: rows.reader)
      objects.append(object)
      try rows.collect(object)
    }
    return objects
  }
}
