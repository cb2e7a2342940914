import Foundation
import GRDB
import NacreCore
import NacreOpen
import NacreRecords

/// What Nacre and GRDB do in ways of their own, for which a bare loop would be a choice among many: side by side, in
/// turns, the median of the rounds.
struct Comparisons {
  private let values: [SampleValues]
  private let rounds: Int
  private var size: Int { values.count }
  private let store: Store
  private let pool: DatabasePool
  private let table = NacreRecords.Table<BenchRecord>("BenchRecord")

  /// Lines for people.
  ///
  /// - Parameters:
  ///   - size: the number of rows that are stored.
  ///   - rounds: how often everything is done.
  /// - Returns: a line a work.
  /// - Throws: what a work throws.
  static func measure(size: Int, rounds: Int) throws -> [String] {
    try withBenchDirectory { directory in
      let comparisons = try Comparisons(SampleValues.make(count: size), rounds, in: directory)
      defer { try? comparisons.store.close() }
      return try comparisons.lines()
    }
  }

  private init(_ values: [SampleValues], _ rounds: Int, in directory: String) throws {
    (self.values, self.rounds) = (values, rounds)
    store = try Store.open(directory + "/nacre.db")
    try store.makeDefault()
    _ = try Sample.count()
    try table.create()
    let schema = try store.read { database in
      try database.query(
        "SELECT sql FROM sqlite_schema WHERE tbl_name IN ('Sample', 'BenchRecord')"
      )
    }
    // The same tables, to the letter.
    let statements = schema.compactMap { row in
      if case .text(let sql) = row.first { sql } else { nil }
    }
    pool = try GRDBFile.open(directory, "grdb", schema: statements)
  }

  private func lines() throws -> [String] {
    try fill()
    let records = records()
    return try SideBySide.lines(
      [bulkInsert(records), upsert(records), page(), find(), findByPredicate()],
      against: "GRDB",
      rounds: rounds
    )
      + SideBySide.lines([predicate()], against: "the same condition as a string", rounds: rounds)
  }

  private func fill() throws {
    try store.write { _ in for values in values { try Sample.make(values).save() } }
    try pool.write { database in
      for values in values { try MappedSample(values).insert(database) }
    }
  }

  // MARK: - Works

  private func records() -> [BenchRecord] {
    values.enumerated().map { index, values in
      var record = BenchRecord()
      record.code = "R\(index)"
      (record.power, record.weight, record.color) = (values.power, values.weight, values.color)
      return record
    }
  }

  private func bulkInsert(_ records: [BenchRecord]) -> SideBySide {
    let mapped = records.map { GRDBRecord($0) }
    return SideBySide(
      name: "insert of structs in one transaction",
      operations: size,
      nacre: {
        try table.truncate()
        return try table.insert(contentsOf: records)
      },
      other: {
        try pool.write { database in
          _ = try GRDBRecord.deleteAll(database)
          for var record in mapped { try record.insert(database) }
          return mapped.count
        }
      }
    )
  }

  private func upsert(_ records: [BenchRecord]) -> SideBySide {
    // Half of them are there, half are new.
    let changed = records.enumerated().map { index, record in
      var record = record
      record.code = index % 2 == 0 ? record.code : "N\(index)"
      record.power += 1
      return record
    }
    let mapped = changed.map { GRDBRecord($0) }
    return SideBySide(
      name: "upsert by a unique column",
      operations: size,
      nacre: {
        try store.write { _ in
          for var record in changed { try table.upsert(&record, by: \.code, keepsNil: true) }
          return changed.count
        }
      },
      other: {
        try pool.write { database in
          for var record in mapped {
            _ = try record.upsertAndFetch(database, onConflict: ["code"])
          }
          return mapped.count
        }
      }
    )
  }

  private func page() -> SideBySide {
    SideBySide(
      name: "a page of 20 and the count of all",
      operations: 50,
      nacre: {
        try (0..<50).count { index in
          try Sample.all.ordered(by: "objectID").page(index, size: 20).items.count == 20
        }
      },
      other: {
        try (0..<50).count { index in
          try pool.read { database in
            let request = MappedSample.order(Column("objectID"))
            let count = try MappedSample.fetchCount(database)
            let items = try request.limit(20, offset: index * 20).fetchAll(database)
            return count == size && items.count == 20
          }
        }
      }
    )
  }

  private func findByPredicate() -> SideBySide {
    SideBySide(
      name: "twenty objects by a #Predicate of two terms",
      operations: 500,
      nacre: {
        try (0..<500).count { index in
          let power = 60 + index % 100
          let isRed = #Predicate<Sample> { $0.power > power && $0.color == "red" }
          return try Sample.where(isRed).limit(20).fetchAll().count == 20
        }
      },
      other: { try findMapped() }
    )
  }

  /// One object a query, so that little but the conditions is measured.
  private func predicate() -> SideBySide {
    SideBySide(
      name: "one object by a #Predicate of three terms",
      operations: 5_000,
      nacre: {
        try (0..<5_000).count { index in
          let power = 60 + index % 100
          let isRed = #Predicate<Sample> {
            $0.power > power && $0.color == "red" && $0.year > 1900
          }
          return try Sample.where(isRed).limit(1).fetchAll().count == 1
        }
      },
      other: {
        try (0..<5_000).count { index in
          try Sample.where(
            "power > ? AND color = ? AND year > ?",
            60 + index % 100,
            "red",
            1900
          )
          .limit(1).fetchAll().count == 1
        }
      }
    )
  }

  private func findMapped() throws -> Int {
    try (0..<500).count { index in
      try pool.read { database in
        try MappedSample.filter(Column("power") > 60 + index % 100 && Column("color") == "red")
          .limit(20).fetchAll(database).count == 20
      }
    }
  }

  private func find() -> SideBySide {
    SideBySide(
      name: "twenty objects by a condition of two terms",
      operations: 500,
      nacre: {
        try (0..<500).count { index in
          try Sample.where("power > ? AND color = ?", 60 + index % 100, "red").limit(20)
            .fetchAll().count == 20
        }
      },
      other: { try findMapped() }
    )
  }
}
