import Foundation
import NacreCore
@testable import TestSupport
import Testing

extension Value {
  fileprivate init(_ isTrue: Bool) { self = .integer(isTrue ? 1 : 0) }
}

/// Decimals in conditions and orders of the application's own.
@Suite struct DecimalOrderTests {
  /// Pupils whose fees are in another order as numbers than as texts.
  private func fees() throws -> TestStore {
    let test = try TestStore()
    try test.store.write { _ in
      for text in ["9", "10", "100.10", "-0.5"] {
        let pupil = Pupil.create()
        pupil.fee = try #require(Decimal(string: text))
        try pupil.save()
      }
    }
    return test
  }

  @Test func `a condition and an order compare decimals by their collation`() throws {
    let test = try fees()
    let nine = Decimal(9)
    try test.store.read { (_) throws in
      #expect(try Pupil.count(where: "fee COLLATE nacre_decimal > ?", nine) == 2)
      #expect(try Pupil.count(#Predicate { $0.fee > nine }) == 2)
      #expect(try Pupil.count(where: "fee COLLATE nacre_decimal BETWEEN ? AND ?", -1, nine) == 2)
      #expect(try Pupil.count(where: "fee COLLATE nacre_decimal = '9.0'") == 1)
      #expect(try Pupil.count(where: "fee = ?", nine) == 1)
      let ordered = try Pupil.all.ordered(by: "fee COLLATE nacre_decimal").fetchAll()
      #expect(ordered.map(\.fee.description) == ["-0.5", "9", "10", "100.1"])
      let page = try Pupil.all.ordered(by: "fee COLLATE nacre_decimal DESC").page(1, size: 3)
      #expect(page.items.map(\.fee.description) == ["-0.5"])
    }
    let deleted = try test.store.write { _ in
      try Pupil.deleteAll(where: "fee COLLATE nacre_decimal < ?", nine)
    }
    #expect(deleted == 1)
  }

  @Test(.sqliteOnly("a server compares decimals by their column, and has no such collation"))
  func `the collation orders decimals as Swift does`() throws {
    let texts = [
      "0", "-0", "0.0", "-0.000", "1", "1.0", "10", "9", "-9", "-10", "9.99", "9.990", "-9.99",
      "0.5",
      "00.5", "-0.5", "+0.5", ".5", "5.", "5e-1", "1e3", "1000", "999.999999999999999999",
      "999.9999999999999999999", "123456789012345678", "1234567890123456789",
      "1234567890123456789.000000000000000001", "0.000000000000000001", "0.0000000000000000001",
      "-123456789012345678.5", "12345678901234567890123456789012345678", "1E+20",
    ]
    let decimals = try texts.map { try #require(Decimal(string: $0), "\($0)") }
    let test = try TestStore()
    try test.store.read { database in
      for (text, a) in zip(texts, decimals) {
        for (other, b) in zip(texts, decimals) {
          let found = try database.query(
            "SELECT ?1 COLLATE nacre_decimal < ?2, ?1 COLLATE nacre_decimal = ?2",
            text,
            other
          )
          #expect(found == [[Value(a < b), Value(a == b)]], "\(text) \(other)")
        }
      }
    }
  }

  @Test(.sqliteOnly("a server compares decimals by their column, and has no such collation"))
  func `texts that are no numbers come behind all decimals, in text order`() throws {
    let test = try fees()
    let texts = try test.store.read { database in
      try database.query(
        """
        SELECT v FROM (SELECT 'b' AS v UNION ALL SELECT '1e3' UNION ALL SELECT '' UNION ALL \
        SELECT '20' UNION ALL SELECT '20.00' UNION ALL SELECT '-7' UNION ALL SELECT '9x') \
        ORDER BY v COLLATE nacre_decimal, length(v)
        """
      )
    }
    #expect(texts == [["-7"], ["20"], ["20.00"], ["1e3"], [""], ["9x"], ["b"]])
  }
}
