import NacreEngine

/// The rows of a statement, one object each.
public final class RowStream {
  @usableFromInline let reader: RowReader
  private let statement: any PreparedStatement
  private let batch: LoadedObjects?
  /// Whether the objects' children are to be loaded.
  @usableFromInline let hasBatch: Bool
  /// How many rows may still be read.
  @exclusivity(unchecked) private var remaining: Int

  /// Makes the stream of a statement's rows.
  ///
  /// - Parameters:
  ///   - statement: A statement that is ready to be stepped.
  ///   - reader: The reader of the statement's rows.
  ///   - batch: Collects the objects whose children are to be loaded; nil if there are none.
  ///   - limit: The maximal number of rows to read.
  init(
    _ statement: any PreparedStatement,
    _ reader: RowReader,
    into batch: LoadedObjects?,
    limit: Int = .max
  ) {
    self.statement = statement
    self.reader = reader
    self.batch = batch
    hasBatch = batch != nil
    remaining = limit
  }

  /// Goes on to the next row and reads its identity; returns false after the last row.
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
  /// This requirement has a single implementation, so that it is compiled where the class is, for
  /// that class alone. Generic code in the store's module would look up the type of every array and
  /// optional at every row.
  @inlinable
  public static func readObjects(from rows: RowStream) throws -> [Self] {
    var objects: [Self] = []
    while try rows.next() {
      let object = try Self(row: rows.reader)
      if rows.hasBatch { try rows.collect(object) }
      objects.append(consume object)
    }
    return objects
  }
}
