import Foundation
import NacreCrypto
import NacreEngine
import NacreStore

/// Makes the objectIDs of the rows of one foreign table from their keys.
///
/// ADOPT.md fixes how a key becomes an objectID, so that an adoption of another file, or of a later version, can refer to
/// the same objects.
struct AdoptedIdentity {
  /// The first 48 bits of every objectID that is made of an integer, the version 8 and ten bits more.
  private let prefix: UInt64
  private let seed: [UInt8]
  private let form: AdoptedKey.Form

  /// - Parameters:
  ///   - table: the table's name, in any case.
  ///   - form: how its keys become objectIDs.
  ///   - namespace: the space of the mapping.
  /// - Throws: ``CryptoError`` if libcrypto fails.
  init(table: String, form: AdoptedKey.Form, namespace: UUID?) throws {
    let space = namespace.map { Array(ObjectID($0).data) } ?? Array(repeating: 0, count: 16)
    let name = Array(SQLName(table).text.utf8)
    seed = try SHA256.digest(Array("nacre adoption 1".utf8) + space + name)
    let head = AdoptedIdentity.integer(seed[..<8])
    prefix = head & 0xFFFF_FFFF_FFFF_0FFC | 0x8000
    self.form = form
  }

  /// Makes the objectID of a row.
  ///
  /// - Parameter key: the values of the key's columns, none of them NULL.
  /// - Returns: the objectID; nil if none can be made of the key.
  /// - Throws: ``CryptoError`` if libcrypto fails.
  func objectID(_ key: [Value]) throws -> ObjectID? {
    if form == .uuid { return key.count == 1 ? AdoptedForm.readUUID(key[0]) : nil }
    var cells: [Value] = []
    for value in key {
      guard let cell = AdoptedIdentity.plain(value) else { return nil }
      cells.append(cell)
    }
    if cells.count == 1, case .integer(let number) = cells[0] { return objectID(number) }
    let digest = try SHA256.digest(seed + cells.flatMap(AdoptedIdentity.bytes))
    return ObjectID(
      high: AdoptedIdentity.integer(digest[..<8]) & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
      low: AdoptedIdentity.integer(digest[8..<16]) & (1 << 62 - 1) | 1 << 63
    )
  }

  /// Returns the objectID of an integer, in which all its bits are.
  ///
  /// So different integers have different objectIDs, and these sort as the integers do: rows arrive in key order.
  private func objectID(_ number: Int64) -> ObjectID {
    let bits = UInt64(bitPattern: number) ^ 1 << 63
    return ObjectID(high: prefix | bits >> 62, low: bits & (1 << 62 - 1) | 1 << 63)
  }

  /// Returns a key's value in the one form that stands for all equal to it; nil if it can be no key.
  ///
  /// A column of type TEXT holds the integers of another table as texts, and one of type REAL as fractions.
  private static func plain(_ value: Value) -> Value? {
    switch value {
    case .integer, .blob: return value
    case .real(let number): return Int64(exactly: number).map(Value.integer)
    case .text(let text):
      guard let number = Int64(text), String(number).hasSameBytes(as: text) else { return value }
      return .integer(number)
    case .null: return nil
    }
  }

  /// Returns the bytes of a value of a key, with its kind and length before them.
  private static func bytes(_ value: Value) -> [UInt8] {
    switch value {
    case .integer(let number): [1] + bigEndian(UInt64(bitPattern: number))
    case .text(let text): [2] + bigEndian(UInt64(text.utf8.count)) + Array(text.utf8)
    case .blob(let data): [3] + bigEndian(UInt64(data.count)) + Array(data)
    case .real, .null: []
    }
  }

  private static func bigEndian(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
