import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Rows as values of the caller's own types.
@Suite struct DecodeTests {
  private struct Place: Codable, Equatable {
    var x: Double
    var tags: [String]
  }

  private enum Color: String, Codable { case red, blue }

  private enum Gear: Int, Codable { case first = 1 }

  private struct Money: StorableValue, Codable, Equatable {
    var cents: Int64
    static var storageClass: StorageClass { .integer }
    var storedValue: Value { .integer(cents) }
    init(cents: Int64) { self.cents = cents }
    init(storedValue: Value) throws { cents = try Int64(storedValue: storedValue) }
  }

  private struct Everything: Codable {
    var number: Int
    var small: UInt8
    var real: Double
    var float: Float
    var flag: Bool
    var text: String
    var data: Data
    var date: Date
    var url: URL
    var id: UUID
    var amount: Decimal
    var money: Money
    var color: Color
    var gear: Gear?
    var place: Place
    var list: [Int]
    var otherPlace: Place?
    var note: String?
    var absent: String?

    enum CodingKeys: String, CodingKey {
      case number, small, real, float, flag, text, data, date, url, id, amount, money, color, gear
      case place, list, note, absent
      case otherPlace = "other_place"
    }
  }

  let test: TestStore

  init() throws { test = try TestStore() }

  private func decode<T: Decodable>(_ type: T.Type, _ sql: String) throws -> [T] {
    try test.store.read { try $0.decode(type, sql) }
  }

  @Test func `every form of a value is read from its column`() throws {
    let id = UUID()
    let sql = """
      SELECT 7 AS number, 255 AS small, 1.5 AS real, 0.25 AS float, 1 AS flag, 'it' AS text,
      x'0102' AS data, 86400.5 AS date, 'https://a.b/c' AS url, ? AS id, '0.10' AS amount,
      250 AS money, 'blue' AS color, 1 AS gear, '{"x":1.5,"tags":["a","b"]}' AS place,
      '[1,2]' AS list, NULL AS other_place, NULL AS note, 'unused' AS more
      """
    let all = try test.store.read { try $0.decode(Everything.self, sql, id) }
    let value = try #require(all.first)
    #expect(all.count == 1)
    #expect(value.number == 7 && value.small == 255 && value.real == 1.5 && value.float == 0.25)
    #expect(value.flag && value.text == "it" && value.data == Data([1, 2]) && value.id == id)
    #expect(value.date == Date(timeIntervalSince1970: 86_400.5))
    #expect(value.url == URL(string: "https://a.b/c") && value.amount == Decimal(string: "0.1"))
    #expect(value.money == Money(cents: 250) && value.color == .blue && value.gear == .first)
    #expect(value.place == Place(x: 1.5, tags: ["a", "b"]) && value.list == [1, 2])
    #expect(value.otherPlace == nil && value.note == nil && value.absent == nil)
  }

  private struct Pair: Decodable, Equatable {
    var a: Int
    var b: String?
  }

  @Test func `each row is decoded as a value`() throws {
    let pairs = try decode(Pair.self, "SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, NULL")
    #expect(pairs == [Pair(a: 1, b: "x"), Pair(a: 2, b: nil)])
    #expect(try decode(Pair.self, "SELECT 1 AS a WHERE 0").isEmpty)
    let named = try test.store.read { try $0.decode(Pair.self, "SELECT :a AS a", ["a": 3]) }
    #expect(named == [Pair(a: 3, b: nil)])
  }

  @Test func `a single column is read as a value`() throws {
    #expect(try decode(Int.self, "SELECT 1 UNION ALL SELECT 2") == [1, 2])
    #expect(try decode(Color.self, "SELECT 'red'") == [.red])
    #expect(try decode(Int?.self, "SELECT NULL") == [nil])
    expectError(.badStatement) { _ = try decode(Color.self, "SELECT 'red', 'blue'") }
    expectError(.badStatement) { _ = try decode(Int.self, "SELECT 1, 2") }
    expectError(.badStatement) { _ = try decode(Int?.self, "SELECT NULL, 2") }
    expectError(.badStatement) { _ = try decode(Money.self, "SELECT 1, 2") }
  }

  @Test(arguments: [
    ("SELECT 'MARKER' AS a", "a"), ("SELECT NULL AS a", "a"), ("SELECT 1.5 AS a", "a"),
    ("SELECT 1 AS a, 5 AS b", "b"), ("SELECT 1 AS a, x'00' AS b", "b"),
  ])
  func `a value that a property can't take is an error that names the column`(
    _ sql: String,
    _ column: String
  ) throws {
    let error = thrown(.valueMismatch) { _ = try decode(Pair.self, sql) }
    #expect(error?.detail == "column \(column)")
  }

  private struct Painted: Decodable {
    var color: Color
    var place: Place?
  }

  @Test func `no error quotes a value`() throws {
    for sql in [
      "SELECT 'MARKER' AS color", "SELECT 'red' AS color, '{\"MARKER\":1}' AS place",
      "SELECT 'red' AS color, 'MARKER' AS place",
    ] {
      expectError(.valueMismatch) { _ = try decode(Painted.self, sql) }
    }
    expectError(.valueMismatch) { _ = try decode(Color.self, "SELECT 'MARKER' AS a") }
    expectError(.valueMismatch) { _ = try decode(Int.self, "SELECT 'MARKER' AS a") }
    expectError(.valueMismatch) { _ = try decode([Int].self, "SELECT 'MARKER' AS a") }
  }

  @Test func `a missing column is an error that names it`() throws {
    let error = thrown(.noSuchColumn) { _ = try decode(Pair.self, "SELECT 'x' AS b") }
    #expect(error?.detail == "a")
  }
}
