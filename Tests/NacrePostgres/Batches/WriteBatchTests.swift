#if PostgreSQL
import Foundation
import NacreEngine
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Rows that a connection gathers and writes by one statement.
@Suite struct WriteBatchTests {
  private let scene: BatchScene

  init() throws { scene = try BatchScene() }

  // MARK: Values

  @Test func `values of every type come back, NULL and empty ones too`() throws {
    try scene.connection.transaction(.deferred) {
      for number in 0..<30 {
        try scene.send(scene.insert, [BatchScene.id(number)] + scene.row(number))
      }
      #expect(scene.connection.session.group.rowCount == 29)
    }
    #expect(try scene.stored() == (0..<30).map(scene.row))
  }

  @Test func `rows that are written one by one have the same values`() throws {
    try scene.connection.transaction(.deferred) {
      for number in 0..<30 {
        try scene.send(scene.insert, [BatchScene.id(number)] + scene.row(number))
      }
    }
    var counts: [Int: Int] = [:]
    try scene.connection.transaction(.deferred) {
      for number in 0..<30 {
        let next = (number + 11) % 30
        // One row is not there, so the statement for all of them fails.
        let id = number == 17 ? 99 : number
        let values =
          [BatchScene.id(id), .integer(Int64(100 + number))] + scene.row(next).dropFirst()
        try scene.send(scene.update, values, .rows { counts[number] = $0 })
      }
      #expect(scene.connection.session.group.rowCount == 29)
    }
    #expect(counts == Dictionary(uniqueKeysWithValues: (0..<30).map { ($0, $0 == 17 ? 0 : 1) }))
    let expected = (0..<30).map { number -> [Value] in
      if number == 17 { return scene.row(17) }
      return [.integer(Int64(100 + number))] + scene.row((number + 11) % 30).dropFirst()
    }
    #expect(try scene.stored() == expected)
  }

  // MARK: Counts

  @Test func `every write learns how many rows it has changed, and the connection of all`() throws {
    var counts: [String] = []
    let before = scene.connection.totalChanges
    try scene.connection.transaction(.deferred) {
      for number in 0..<5 {
        try scene.send(
          scene.insert,
          [BatchScene.id(number)] + scene.row(number),
          .rows { counts.append("i\($0)") }
        )
      }
      for number in 0..<5 {
        try scene.send(
          scene.update,
          [BatchScene.id(number)] + scene.row(number),
          .rows { counts.append("u\($0)") }
        )
      }
      // A statement for many rows does not say which of them were there.
      for number in [1, 2, 77, 3] {
        try scene.send(
          "DELETE FROM \"T\" WHERE \"objectID\" = ?1",
          [BatchScene.id(number)],
          .rows { counts.append("d\($0)") }
        )
      }
      try scene.connection.takeAnswers()
    }
    let expected = Array(repeating: "i1", count: 5) + Array(repeating: "u1", count: 5)
    #expect(counts == expected + ["d1", "d1", "d0", "d1"])
    #expect(scene.connection.totalChanges - before == 13)
  }

  @Test func `no more rows and bytes wait than may`() throws {
    let insertBytes = "INSERT INTO \"T\" (\"objectID\", \"bytes\") VALUES (?1, ?2)"
    func id(_ number: Int) -> Value { UUID().storedValue }
    try scene.connection.transaction(.deferred) {
      for number in 0..<2400 { try scene.send(insertBytes, [id(number), .null]) }
      // The first one goes by itself, and is answered before the statement for many is there; then come a thousand twice.
      #expect(scene.connection.session.pending.entries.count == 2)
      #expect(scene.connection.session.group.rowCount == 399)
      try scene.connection.takeAnswers()
      let large = Value.blob(Data(repeating: 1, count: 600_000))
      for number in 0..<2 { try scene.send(insertBytes, [id(number), large]) }
      #expect(scene.connection.session.group.isEmpty && !scene.connection.session.pending.isEmpty)
      // Before more is sent, the answers are taken.
      for number in 0..<2 { try scene.send(insertBytes, [id(number), large]) }
      #expect(scene.connection.session.pending.entries.count == 1)
    }
    #expect(try scene.connection.values("SELECT count(*) FROM \"T\"") == [.integer(2404)])
  }

  // MARK: Order

  @Test func `an insert comes after the update that makes room for it`() throws {
    try scene.warmUp(
      (scene.insertNumber, [BatchScene.id(1), .integer(1)]),
      (scene.updateNumber, [BatchScene.id(1), .integer(1)])
    )
    try scene.connection.transaction(.deferred) {
      try scene.send(scene.insertNumber, [BatchScene.id(2), .integer(2)], scene.one(2))
      try scene.send(scene.updateNumber, [BatchScene.id(1), .integer(10)], scene.one(1))
      try scene.send(scene.insertNumber, [BatchScene.id(3), .integer(1)], scene.one(3))
      try scene.send(scene.updateNumber, [BatchScene.id(3), .integer(3)], scene.one(3))
    }
    let numbers = try scene.connection.values("SELECT \"number\" FROM \"T\" ORDER BY \"objectID\"")
    #expect(numbers == [.integer(10), .integer(2), .integer(3)])
  }

  @Test func `a row can be written twice, and the later values stay`() throws {
    try scene.warmUp(
      (scene.insertNumber, [BatchScene.id(1), .integer(1)]),
      (scene.updateNumber, [BatchScene.id(1), .integer(1)])
    )
    try scene.connection.transaction(.deferred) {
      for number in 2...5 {
        try scene.send(
          scene.updateNumber,
          [BatchScene.id(1), .integer(Int64(number))],
          scene.one(1)
        )
      }
    }
    #expect(try scene.connection.values("SELECT \"number\" FROM \"T\"") == [.integer(5)])
  }

  @Test func `a delete comes after the rows that it takes along`() throws {
    let (insertP, deleteP) = (
      "INSERT INTO \"P\" (\"objectID\") VALUES (?1)", "DELETE FROM \"P\" WHERE \"objectID\" = ?1"
    )
    let insertL = "INSERT INTO \"L\" (\"objectID\", \"p\") VALUES (?1, ?2)"
    for number in 1...5 { try scene.connection.run(insertP, [BatchScene.id(number)]) }
    try scene.warmUp(
      (insertP, [BatchScene.id(6)]),
      (insertL, [BatchScene.id(1), BatchScene.id(6)]),
      (deleteP, [BatchScene.id(6)])
    )
    try scene.connection.transaction(.deferred) {
      try scene.send(deleteP, [BatchScene.id(1)])
      try scene.send(insertL, [BatchScene.id(2), BatchScene.id(2)])
      try scene.send(deleteP, [BatchScene.id(2)])
      try scene.send(insertL, [BatchScene.id(3), BatchScene.id(3)])
    }
    #expect(try scene.connection.values("SELECT \"p\" FROM \"L\"") == [BatchScene.id(3)])
    #expect(try scene.connection.values("SELECT count(*) FROM \"P\"") == [.integer(3)])
  }

  @Test func `a statement of the caller's own sees the rows that were written before it`() throws {
    let raise = "UPDATE \"T\" SET \"number\" = \"number\" + ?1"
    try scene.warmUp((scene.insertNumber, [BatchScene.id(1), .integer(1)]), (raise, [.integer(0)]))
    try scene.connection.transaction(.deferred) {
      for number in 2...4 {
        try scene.send(scene.insertNumber, [BatchScene.id(number), .integer(Int64(number))])
      }
      #expect(scene.connection.session.group.rowCount == 3)
      // Without parameters, with them, and sent ahead.
      try scene.connection.execute("UPDATE \"T\" SET \"number\" = \"number\" + 10")
      for number in 5...6 {
        try scene.send(scene.insertNumber, [BatchScene.id(number), .integer(Int64(number))])
      }
      #expect(
        try scene.connection.values(
          "SELECT count(*) FROM \"T\" WHERE \"number\" > ?1",
          [.integer(0)]
        )
          == [.integer(6)]
      )
      for number in 7...8 {
        try scene.send(scene.insertNumber, [BatchScene.id(number), .integer(Int64(number))])
      }
      try scene.send(raise, [.integer(100)])
    }
    let numbers = try scene.connection.values("SELECT \"number\" FROM \"T\" ORDER BY \"number\"")
    #expect(numbers == [105, 106, 107, 108, 111, 112, 113, 114].map { .integer($0) })
  }

  @Test func `rows of a transaction that is rolled back never arrive`() throws {
    try scene.warmUp((scene.insertNumber, [BatchScene.id(1), .integer(1)]))
    struct Stop: Error {}
    for isNested in [false, true] {
      #expect(throws: Stop.self) {
        try scene.connection.transaction(.deferred) {
          for number in 2...4 {
            try scene.send(scene.insertNumber, [BatchScene.id(number), .integer(Int64(number))])
          }
          guard isNested else { throw Stop() }
          try? scene.connection.transaction(.deferred) {
            for number in 5...7 {
              try scene.send(scene.insertNumber, [BatchScene.id(number), .integer(5)])
            }
            throw Stop()
          }
          #expect(try scene.connection.values("SELECT count(*) FROM \"T\"") == [.integer(4)])
          throw Stop()
        }
      }
      #expect(scene.connection.session.group.isEmpty && scene.connection.session.pending.isEmpty)
    }
    try scene.connection.transaction(.deferred) {
      try scene.send(scene.insertNumber, [BatchScene.id(9), .integer(9)])
    }
    #expect(try scene.connection.values("SELECT count(*) FROM \"T\"") == [.integer(2)])
  }
}
#endif
