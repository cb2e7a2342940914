#if PostgreSQL
import Foundation
import NacreEngine

/// Binds values to parameters in the form of the type that the server has found for each.
///
/// A value that its parameter's type can't hold exactly is refused: the server would round a real for a column of
/// integers, and nothing like that is to happen unseen. A text that is a number is taken for one, as SQLite does.
struct Binding {
  let parameters: Parameters
  /// The server's number of each parameter, from 1; nil for one that the text does not have.
  let numbers: [Int?]
  /// The type of each of the server's parameters; nil for one that is bound as text.
  let types: [WireType?]
  let sql: String

  /// The longest value, in bytes; the server takes less than a gibibyte for a whole row.
  private static let maximumByteCount = 1 << 30

  /// Returns the place of a parameter in those that the server has; nil for one that it does not have.
  private func place(_ index: Int32) throws(PostgresError) -> Int? {
    guard numbers.indices.contains(Int(index) - 1) else {
      throw PostgresError(.badStatement, "there is no parameter \(index)", sql: sql)
    }
    return numbers[Int(index) - 1].map { $0 - 1 }
  }

  private func refuse(_ index: Int32, _ what: String) -> PostgresError {
    let type = numbers[Int(index) - 1].flatMap { types[$0 - 1] }
    let words = type.map { "\($0)" } ?? "another type"
    return PostgresError(
      .badStatement,
      "parameter \(index) is of the type \(words), and takes no \(what)",
      sql: sql
    )
  }

  func bindNull(at index: Int32) throws(PostgresError) {
    if let place = try place(index) { parameters.setNull(at: place) }
  }

  func bind(_ value: Int64, at index: Int32) throws(PostgresError) {
    guard let place = try place(index) else { return }
    switch types[place] {
    case .bigint: parameters.set(value, at: place)
    case .integer: parameters.set(try narrow(value, index) as Int32, at: place)
    case .smallint: parameters.set(try narrow(value, index) as Int16, at: place)
    case .oid: parameters.set(try narrow(value, index) as UInt32, at: place)
    case .doublePrecision: parameters.set(Double(value).bitPattern, at: place)
    case .real: parameters.set(Float(value).bitPattern, at: place)
    case .bool:
      guard value == 0 || value == 1 else { throw refuse(index, "integer but 0 and 1") }
      parameters.set(UInt8(value), at: place)
    case .any: withUnsafeBytes(of: value.bigEndian) { bindAny(.integer, $0, place) }
    case .bytea, .uuid, .uuidArray: throw refuse(index, "integer")
    case .numeric, .text, .varchar, .bpchar, .name, .unknown, .json, nil:
      parameters.set(text: String(value), at: place)
    }
  }

  private func narrow<T: FixedWidthInteger>(_ value: Int64, _ index: Int32) throws(PostgresError)
    -> T
  {
    guard let narrow = T(exactly: value) else { throw refuse(index, "integer as large as this") }
    return narrow
  }

  func bind(_ value: Double, at index: Int32) throws(PostgresError) {
    guard let place = try place(index) else { return }
    switch types[place] {
    case .doublePrecision: parameters.set(value.bitPattern, at: place)
    case .real: parameters.set(Float(value).bitPattern, at: place)
    case .bigint, .integer, .smallint, .oid, .bool:
      guard let integer = Int64(exactly: value) else {
        throw refuse(index, "number with a fraction")
      }
      try bind(integer, at: index)
    case .any: withUnsafeBytes(of: value.bitPattern.bigEndian) { bindAny(.real, $0, place) }
    case .bytea, .uuid, .uuidArray: throw refuse(index, "number")
    case .numeric, .text, .varchar, .bpchar, .name, .unknown, .json, nil:
      parameters.set(text: Self.text(value), at: place)
    }
  }

  /// Returns a number as the server reads it.
  private static func text(_ value: Double) -> String {
    value.isNaN ? "NaN" : value.isFinite ? "\(value)" : value < 0 ? "-Infinity" : "Infinity"
  }

  /// Why a text with a NUL is not sent.
  static let nulRefusal = "PostgreSQL can't hold a text with a NUL"

  /// Binds a text in UTF-8.
  func bind(text bytes: UnsafeRawBufferPointer, at index: Int32) throws(PostgresError) {
    guard let place = try place(index) else { return }
    guard !bytes.contains(0) else {
      throw PostgresError(.badValue, Self.nulRefusal, sql: sql)
    }
    guard bytes.count < Self.maximumByteCount else { throw tooLarge(index) }
    switch types[place] {
    case .text, .varchar, .bpchar, .name, .unknown, .json: parameters.set(bytes, at: place)
    case .numeric, nil: parameters.set(bytes, at: place, isText: true)
    case .any: bindAny(.text, bytes, place)
    case .bigint, .smallint, .integer, .oid, .real, .doublePrecision:
      try bind(numberIn: bytes, at: index)
    case .bool, .bytea, .uuid, .uuidArray: throw refuse(index, "text")
    }
  }

  /// Binds the number that a text is.
  private func bind(numberIn bytes: UnsafeRawBufferPointer, at index: Int32) throws(PostgresError) {
    let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines
    )
    if let integer = Int64(text) { return try bind(integer, at: index) }
    guard let number = Double(text), number.isFinite else {
      throw refuse(index, "text but a number")
    }
    try bind(number, at: index)
  }

  func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) throws(PostgresError) {
    guard let place = try place(index) else { return }
    guard bytes.count < Self.maximumByteCount else { throw tooLarge(index) }
    switch types[place] {
    case .bytea: parameters.set(bytes, at: place)
    case .uuid:
      guard bytes.count == 16 else { throw refuse(index, "blob of \(bytes.count) bytes") }
      parameters.set(bytes, at: place)
    case .uuidArray: try bindIdentifiers(bytes, place, index)
    case .any: bindAny(.blob, bytes, place)
    default: throw refuse(index, "blob")
    }
  }

  private func tooLarge(_ index: Int32) -> PostgresError {
    PostgresError(.tooLarge, "the value of parameter \(index) is larger than a gibibyte", sql: sql)
  }

  /// Binds a list of identifiers, which come one after another in one blob.
  private func bindIdentifiers(
    _ bytes: UnsafeRawBufferPointer,
    _ place: Int,
    _ index: Int32
  ) throws(PostgresError) {
    let count = bytes.count / 16
    guard bytes.count == count * 16 else { throw refuse(index, "blob of \(bytes.count) bytes") }
    // An array's header: the number of dimensions, whether it has NULLs, the type of its items; and for each dimension
    // its length and its first index (array_recv in PostgreSQL's sources).
    let header: [Int32] =
      [count == 0 ? 0 : 1, 0, Int32(WireType.uuid.rawValue)]
      + (count == 0 ? [] : [Int32(clamping: count), 1])
    let target = parameters.set(at: place, byteCount: header.count * 4 + count * 20, isText: false)
    for (index, word) in header.enumerated() {
      target.storeBytes(of: word.bigEndian, toByteOffset: index * 4, as: Int32.self)
    }
    var offset = header.count * 4
    for item in 0..<count {
      target.storeBytes(of: Int32(16).bigEndian, toByteOffset: offset, as: Int32.self)
      let bytes = UnsafeRawBufferPointer(rebasing: bytes[(item * 16)..<(item * 16 + 16)])
      UnsafeMutableRawBufferPointer(rebasing: target[(offset + 4)...]).copyMemory(from: bytes)
      offset += 20
    }
  }

  /// Binds a value of the composite type whose fields are NULL but one (record_recv in PostgreSQL's sources).
  private func bindAny(_ field: AnyField, _ bytes: UnsafeRawBufferPointer, _ place: Int) {
    let count = 4 + AnyField.count * 8 + bytes.count
    let target = parameters.set(at: place, byteCount: count, isText: false)
    target.storeBytes(of: Int32(AnyField.count).bigEndian, as: Int32.self)
    var offset = 4
    for number in 0..<AnyField.count {
      let type = AnyField(rawValue: number)?.type ?? .text
      let isSet = number == field.rawValue
      target.storeBytes(of: type.rawValue.bigEndian, toByteOffset: offset, as: UInt32.self)
      let length = isSet ? Int32(clamping: bytes.count) : -1
      target.storeBytes(of: length.bigEndian, toByteOffset: offset + 4, as: Int32.self)
      offset += 8
      guard isSet else { continue }
      UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: bytes)
      offset += bytes.count
    }
  }
}
#endif
