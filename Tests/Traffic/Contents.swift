import Foundation
import NacreCore

/// The sealed values of a `Ledger`, a function of its objectID and version.
struct Contents: Equatable {
  let holder: String
  let number: String
  let note: String?
  let memo: String
  let amount: Int
}

extension Contents {
  init(of objectID: UUID, version: Int) {
    let identity = ObjectID(objectID)
    func draw(_ field: UInt64) -> UInt64 {
      var generator = SeededGenerator(seed: identity.high ^ UInt64(bitPattern: Int64(version)) << 8)
      generator.stir(identity.low)
      generator.stir(field)
      return generator.next()
    }
    func text(_ field: UInt64) -> String { String(draw(field), radix: 36) }
    // Each holder is one object's, so that a search finds exactly it.
    holder = "holder " + text(1) + text(2)
    number = "number " + text(3) + text(4)
    let size = draw(5)
    note = size % 4 == 0 ? nil : String(repeating: text(6), count: Int(size % 4))
    memo = String(repeating: text(7), count: Int(size >> 8 & 15))
    amount = Int(truncatingIfNeeded: draw(8))
  }
}

/// Something that must not be.
struct Deviation: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
