import Foundation
import NacreCore
import NacreDAO
import NacreOpen

/// A DAO's methods beside the bare loop over the same statements.
struct DAOWorks {
  private let values: [SampleValues]
  private let dao: DAO
  private let floor: FloorFile
  /// Selects of one row are done so many times a round.
  private let repeats = 10_000

  /// Lines for people.
  ///
  /// - Parameters:
  ///   - size: the number of rows that are stored.
  ///   - rounds: how often everything is done.
  /// - Returns: a line a work.
  /// - Throws: what a work throws.
  static func measure(size: Int, rounds: Int) throws -> [String] {
    try withBenchDirectory { directory in
      let store = try Store.open(directory + "/nacre.db")
      defer { try? store.close() }
      let models: [any Any.Type] = [Note.self, Sample.self]
      let works = try DAOWorks(
        values: SampleValues.make(count: size),
        dao: DAO(configuration: NoteConfiguration.xml, store: store, models: models),
        floor: FloorFile(directory: directory, schema: [NoteConfiguration.table])
      )
      return try SideBySide.lines(works.all(), against: "the floor", rounds: rounds)
    }
  }

  /// The selects find the rows that the inserts leave.
  private func all() throws -> [SideBySide] {
    let notes = values.map { Note($0) }
    let objects = notes.map { FloorNote($0) }
    return [
      try insert("entities", values.map { Sample.make($0) }, floor: objects) { $0.note },
      try insert("structs", notes, floor: notes) { $0 },
      try selectAll("structs", "notes", of: Note.self) { $0 },
      try selectAll("entities", "samples", of: Sample.self) { FloorNote($0) },
      try selectNote(),
      try selectName(),
      try find(),
    ]
  }

  // MARK: - Insert

  private func insert<Row>(
    _ name: String,
    _ models: [Any],
    floor rows: [Row],
    note: @escaping (Row) -> Note
  ) throws -> SideBySide {
    let statement = try floor.writer.prepare(NoteConfiguration.insert)
    return SideBySide(
      name: "DAO insert of \(name) by foreach",
      operations: models.count,
      prepare: {
        if let error = dao.call("clear").error { throw error }
        try floor.writer.execute(NoteConfiguration.clear)
      },
      nacre: {
        let result = dao.call("add", [models])
        if let error = result.error { throw error }
        return result.flags.count
      },
      other: {
        try floor.writer.transaction {
          for row in rows {
            note(row).bind(to: statement)
            try statement.run()
          }
        }
        return rows.count
      }
    )
  }

  // MARK: - Select

  private func selectAll<Model, Row>(
    _ name: String,
    _ method: String,
    of type: Model.Type,
    row: @escaping (Note) -> Row
  ) throws -> SideBySide {
    let statement = try floor.reader.prepare(NoteConfiguration.all)
    return SideBySide(
      name: "DAO select of all as \(name)",
      operations: values.count,
      nacre: { try dao.call(method).get(as: [Model].self).count },
      other: {
        var rows: [Row] = []
        while try statement.step() { rows.append(row(Note(statement))) }
        statement.reset()
        return rows.count
      }
    )
  }

  private func selectNote() throws -> SideBySide {
    try selectOne("a struct", NoteConfiguration.one) { key in
      try dao.call("note", [key]).get(as: Note.self).power > 0
    } other: {
      Note($0).power > 0
    }
  }

  private func selectName() throws -> SideBySide {
    try selectOne("a string", NoteConfiguration.name) { key in
      try !dao.call("name", [key]).get(as: String.self).isEmpty
    } other: {
      !$0.string(at: 0).isEmpty
    }
  }

  private func selectOne(
    _ name: String,
    _ sql: String,
    nacre: @escaping (_ key: Int) throws -> Bool,
    other: @escaping (_ row: FloorStatement) -> Bool
  ) throws -> SideBySide {
    let statement = try floor.reader.prepare(sql)
    return SideBySide(
      name: "DAO select of \(name) by key",
      operations: repeats,
      nacre: { try (0..<repeats).count { try nacre(key($0)) } },
      other: {
        try (0..<repeats).count {
          statement.bind(key($0), at: 1)
          defer { statement.reset() }
          return try statement.step() && other(statement)
        }
      }
    )
  }

  /// Two of three conditions, and a list of ten.
  private func find() throws -> SideBySide {
    let statement = try floor.reader.prepare(NoteConfiguration.found)
    return SideBySide(
      name: "DAO select with if, where and a foreach of ten",
      operations: repeats,
      nacre: {
        try (0..<repeats).count { index in
          let keys = (0..<10).map { key(index + $0) }
          return try dao.call("find", [60, 1950, nil, keys]).get(as: [String].self).count == 10
        }
      },
      other: {
        try (0..<repeats).count { index in
          statement.bind(60, at: 1)
          statement.bind(1950, at: 2)
          for offset in 0..<10 { statement.bind(key(index + offset), at: Int32(offset + 3)) }
          var names: [String] = []
          while try statement.step() { names.append(statement.string(at: 0)) }
          statement.reset()
          return names.count == 10
        }
      }
    )
  }

  private func key(_ index: Int) -> Int { 1 + index % values.count }
}
