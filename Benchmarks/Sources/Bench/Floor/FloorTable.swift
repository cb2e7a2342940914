/// The loops over one table of samples, with statements that stay prepared.
struct FloorTable<Row: FloorSampleRow> {
  private let file: FloorFile
  private let cipher: FloorCipher
  private let insertOne: FloorStatement
  private let updateOne: FloorStatement
  private let selectAll: FloorStatement
  private let selectOne: FloorStatement

  init(_ file: FloorFile) throws {
    self.file = file
    cipher = try FloorCipher(properties: 2)
    insertOne = try file.writer.prepare(Row.insertSQL)
    updateOne = try file.writer.prepare(
      "UPDATE \"\(Row.table)\" SET \"\(Row.updated)\" = ? WHERE \"objectID\" = ?"
    )
    let select = "SELECT \(Row.selection("t")) FROM \"\(Row.table)\" t"
    selectAll = try file.reader.prepare(select)
    selectOne = try file.reader.prepare(select + " WHERE t.\"objectID\" = ?")
  }

  func insert(_ rows: [Row]) throws {
    try file.writer.transaction {
      for row in rows {
        try row.bind(to: insertOne, cipher)
        try insertOne.run()
      }
    }
  }

  func fetchAll() throws -> [Row] {
    var rows: [Row] = []
    while try selectAll.step() { rows.append(try Row(selectAll, cipher)) }
    selectAll.reset()
    return rows
  }

  /// A statement that is stepped outside a transaction reads in one of its own.
  func fetch(_ identifiers: [Identifier]) throws -> Checksum {
    var checksum = Checksum()
    for identifier in identifiers {
      selectOne.bind(identifier, at: 1)
      if try selectOne.step() { try Row(selectOne, cipher).add(to: &checksum) }
      selectOne.reset()
    }
    return checksum
  }

  func update(_ rows: [Row], vins: [String]) throws {
    try file.writer.transaction {
      for index in rows.indices {
        let row = rows[index]
        row.change(vin: vins.isEmpty ? "" : vins[index])
        try row.bindChange(to: updateOne, cipher)
        try updateOne.run()
      }
    }
  }
}
