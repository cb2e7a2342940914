/// The loops over one table of samples, with statements that stay prepared.
struct FloorTable<Row: FloorSampleRow> {
  private let file: FloorFile
  private var cipher: FloorCipher
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

  /// Reads, opens, seals and updates row by row, in transactions of 500.
  mutating func rotate(sealed columns: [String]) throws {
    let next = try FloorCipher(properties: columns.count)
    let names = columns.map { "\"\($0)\"" }
    let select = try file.writer.prepare(
      "SELECT \"objectID\", \(names.joined(separator: ", ")) FROM \"\(Row.table)\" "
        + "WHERE \"objectID\" > ?1 ORDER BY \"objectID\" LIMIT 500"
    )
    let terms = names.enumerated().map { "\($1) = ?\($0 + 2)" }
    let update = try file.writer.prepare(
      "UPDATE \"\(Row.table)\" SET \(terms.joined(separator: ", ")) WHERE \"objectID\" = ?1"
    )
    var cursor = Identifier(high: 0, low: 0)
    var isDone = false
    while !isDone {
      isDone = true
      try file.writer.transaction {
        select.bind(cursor, at: 1)
        while try select.step() {
          isDone = false
          cursor = try select.identifier(at: 0)
          update.bind(cursor, at: 1)
          for property in columns.indices {
            let index = Int32(property + 1)
            let text = try cipher.string(from: select, at: index, property: property, of: cursor)
            try next.bind(text, property: property, of: cursor, to: update, at: index + 1)
          }
          try update.run()
        }
        select.reset()
      }
    }
    cipher = next
  }
}
