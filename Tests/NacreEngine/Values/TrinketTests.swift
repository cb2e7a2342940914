import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// SQPersist's testSQLiteTypes.
@Suite struct TrinketTests {
  private func makeTrinket() throws -> Trinket {
    let trinket = Trinket.create()
    trinket.text = "it's a string"
    trinket.number = Double(Float.greatestFiniteMagnitude)
    trinket.decimal = Decimal(string: "3467374639467936.3746374639")
    trinket.date = Date(timeIntervalSince1970: 1_732_183_456.75)
    trinket.data = Data("data".utf8)
    trinket.image = try PNGImage(Picture.large)
    trinket.url = URL(string: "https://example.org/?q=1")
    trinket.int = .max
    trinket.double = .greatestFiniteMagnitude
    trinket.long = .max
    trinket.longLong = .max
    trinket.short = .max
    trinket.float = .greatestFiniteMagnitude
    trinket.flag = true
    trinket.ignored = "not stored"
    return trinket
  }

  @Test func `an object with a property of each type is fetched as it was saved`() throws {
    let test = try TestStore(isSealed: false)
    let trinket = try makeTrinket()
    let found = try test.store.write { _ in
      try trinket.save()
      return try #require(try Trinket.fetch(id: trinket.objectID))
    }
    #expect(found !== trinket && found.text == trinket.text && found.number == trinket.number)
    #expect(found.decimal == trinket.decimal && found.data == trinket.data)
    #expect(found.date == Date(timeIntervalSince1970: 1_732_183_456))
    #expect(found.image?.width == 3 && found.image?.height == 2 && found.image == trinket.image)
    #expect(found.url == trinket.url && found.int == .max && found.long == .max)
    #expect(found.double == .greatestFiniteMagnitude && found.longLong == .max)
    #expect(found.short == .max && found.float == .greatestFiniteMagnitude && found.flag)
    #expect(found.amount == 13 && found.ignored == nil)
    try test.store.write { (database) throws in
      let columns = try database.query("SELECT name FROM pragma_table_info('Trinket')")
      #expect(columns.count == 16 && !columns.contains(["ignored"]))
      try Trinket.deleteAll(where: "1")
      #expect(try Trinket.count() == 0)
    }
  }

  @Test func `a property without a value is NULL and is fetched as nil`() throws {
    let test = try TestStore(isSealed: false)
    try test.store.write { (database) throws in
      try Trinket.create().save()
      let row = try database.query(
        "SELECT text, number, decimal, date, data, image, url, flag FROM Trinket"
      )
      #expect(row == [Array(repeating: .null, count: 7) + [0]])
      let found = try #require(try Trinket.fetchOne())
      #expect(found.text == nil && found.number == nil && found.decimal == nil && found.date == nil)
      #expect(found.data == nil && found.image == nil && found.url == nil)
    }
  }
}
