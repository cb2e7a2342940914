import CBenchPostgres

/// The floor's works on samples.
final class FloorTable {
  let connection: FloorConnection
  private let table: OpaquePointer
  private let isSealed: Bool
  private var rows = bench_samples()
  private var fetched = bench_samples()
  /// Those that are saved each in a transaction of its own.
  private var singles = bench_samples()

  /// Prepares the statements of a table that is there.
  init(url: String, isSealed: Bool, _ values: [SampleValues], singles: [SampleValues]) throws {
    connection = try FloorConnection(url: url)
    self.isSealed = isSealed
    guard let table = bench_table_open(connection.handle, isSealed) else {
      throw BenchError(description: String(cString: bench_error(connection.handle)))
    }
    self.table = table
    for value in values { FloorTable.add(value, isSealed, to: &rows) }
    for value in singles { FloorTable.add(value, isSealed, to: &self.singles) }
  }

  deinit {
    bench_samples_free(&rows)
    bench_samples_free(&fetched)
    bench_samples_free(&singles)
    bench_table_close(table)
  }

  private static func add(_ value: SampleValues, _ isSealed: Bool, to list: inout bench_samples) {
    bench_samples_add(
      &list,
      value.objectID.high,
      value.objectID.low,
      value.name,
      value.color,
      Int64(value.power),
      value.weight,
      Int64(value.year),
      isSealed ? value.vin : nil,
      isSealed ? value.plate : nil,
      isSealed ? value.nextVIN : nil
    )
  }

  // MARK: Works

  func insert(_ insertion: bench_insertion) throws {
    try connection.check(bench_table_insert(table, &rows, insertion))
  }

  func fetchAll() throws { try connection.check(bench_table_fetch_all(table, &fetched)) }

  func fetch(_ identifiers: [Identifier]) throws {
    for identifier in identifiers {
      try connection.check(
        bench_table_fetch(table, identifier.high, identifier.low, &fetched)
      )
    }
  }

  func update() throws { try connection.check(bench_table_update(table, &rows)) }

  func rotate() throws { try connection.check(bench_table_rotate(table)) }

  func saveSingles() throws {
    for index in 0..<singles.count {
      try connection.check(bench_table_save(table, singles.items + index))
    }
  }

  func delete() throws { try connection.check(bench_table_delete(table, &rows)) }

  /// What the last fetch gave, which is then let go.
  func takeChecksum() -> Checksum {
    var checksum = Checksum()
    for row in UnsafeBufferPointer(start: fetched.items, count: fetched.count) {
      checksum.add(row)
    }
    bench_samples_free(&fetched)
    return checksum
  }
}

extension Checksum {
  /// Adds a row that the floor has read.
  mutating func add(_ row: bench_sample) {
    add(
      power: Int(row.power),
      color: row.color.map { String(cString: $0) },
      name: row.name.map { String(cString: $0) } ?? "",
      vin: row.vin.map { String(cString: $0) },
      plate: row.plate.map { String(cString: $0) }
    )
  }
}
