import Foundation
import NacreCore
import TestSupport
import Testing

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

  @Test func `what is no number comes behind all decimals, in the order of the text`() throws {
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
