import Foundation
import NacreCore
import Testing
@testable import TestSupport

// What an application writes to have a type of its own stored, as the documentation of `StorableValue` shows it.
private struct Money: StorableValue {
  var cents: Int64
  static var storageClass: StorageClass { .integer }
  var storedValue: Value { .integer(cents) }
  init(storedValue: Value) throws { cents = try Int64(storedValue: storedValue) }
}

extension Money: Equatable {
  fileprivate init(cents: Int64) { self.cents = cents }
}

private enum OfMoney: Filling {
  static let storedAs = "integer"
  static let samples = [Money(cents: 0), Money(cents: -1), Money(cents: .max)]
}

/// Types that an application brings along.
@Suite struct OwnValueTests {
  @Test func `an application stores its own type with three members`() throws {
    let test = try TestStore()
    try ValueType(OfMoney.self).keep(test.store)
    try test.store.read { (_) throws in
      let found = try Holder<OfMoney>.fetchAll(where: "plain > ?", Money(cents: 5))
      #expect(found.map(\.plain) == [Money(cents: .max)])
    }
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let declaration = try #require(source.split(separator: "private struct Money").last)
    let lines = declaration.prefix { $0 != "}" }.split(separator: "\n")
    #expect(lines.count < 10)
  }

  @Test func `an own type's mismatch is named like any other`() throws {
    let test = try TestStore()
    let (_, objectID, found) = try ValueType(OfMoney.self).spoil(test.store)
    let error = thrown(.valueMismatch, property: "plain", objectID: objectID) {
      try ValueType(OfMoney.self).fetch(test.store)
    }
    #expect(error?.cause as? ValueError == .unexpected(found: found, expected: .integer))
  }
}
