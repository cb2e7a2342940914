#if PostgreSQL
import Foundation
package import NacreEngine

// Parameters are numbered from 1 and columns from 0. Outside of a row, and beyond the last column, every value reads like
// NULL.
extension PostgresStatement: PreparedStatement {
  // MARK: Binding

  package func bind(_ value: Int64, at index: Int32) throws {
    try binding.bind(value, at: index)
  }

  package func bind(_ value: Double, at index: Int32) throws {
    try binding.bind(value, at: index)
  }

  /// Binds a text.
  ///
  /// - Throws: An error of kind `badStatement` for a text with a NUL, which the server can't hold.
  package func bind(text value: String, at index: Int32) throws {
    var value = value
    try value.withUTF8 { try binding.bind(text: UnsafeRawBufferPointer($0), at: index) }
  }

  package func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) throws {
    try binding.bind(blob: bytes, at: index)
  }

  /// Binds text as these bytes, which are copied.
  package func bind(unownedText bytes: UnsafeRawBufferPointer, at index: Int32) throws {
    try binding.bind(text: bytes, at: index)
  }

  /// Binds a blob, which is copied.
  package func bind(unownedBlob bytes: UnsafeRawBufferPointer, at index: Int32) throws {
    try binding.bind(blob: bytes, at: index)
  }

  package func bindNull(at index: Int32) throws { try binding.bindNull(at: index) }

  package func clearBindings() { binding.parameters.clear() }

  // MARK: Reading

  /// The value of a column of the current row.
  private func content(at index: Int32) -> Cell.Content {
    guard let row, columns.indices.contains(Int(index)), let bytes = row.bytes(at: index) else {
      return .null
    }
    let type = columns[Int(index)].type
    guard isBinary, let type else { return Cell.text(type, bytes, scratch) }
    return Cell.binary(type, bytes)
  }

  package func integer(at index: Int32) -> Int64? {
    if case .integer(let value) = content(at: index) { value } else { nil }
  }

  package func real(at index: Int32) -> Double? {
    if case .real(let value) = content(at: index) { value } else { nil }
  }

  package func string(at index: Int32) -> String? {
    if case .text(let bytes) = content(at: index) {
      String(decoding: bytes, as: UTF8.self)
    } else {
      nil
    }
  }

  package func bytes(at index: Int32) -> UnsafeRawBufferPointer? {
    if case .blob(let bytes) = content(at: index) { bytes } else { nil }
  }

  package func isNull(at index: Int32) -> Bool {
    if case .null = content(at: index) { true } else { false }
  }

  package func storageClass(at index: Int32) -> StorageClass {
    switch content(at: index) {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  // MARK: Reading with conversion

  package func int64(at index: Int32) -> Int64 {
    switch content(at: index) {
    case .null, .blob: 0
    case .integer(let value): value
    case .real(let value): Int64(exactly: value.rounded(.towardZero)) ?? 0
    case .text(let bytes): Int64(String(decoding: bytes, as: UTF8.self)) ?? 0
    }
  }

  package func double(at index: Int32) -> Double {
    switch content(at: index) {
    case .null, .blob: 0
    case .integer(let value): Double(value)
    case .real(let value): value
    case .text(let bytes): Double(String(decoding: bytes, as: UTF8.self)) ?? 0
    }
  }

  package func text(at index: Int32) -> String {
    switch content(at: index) {
    case .null: ""
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let bytes), .blob(let bytes): String(decoding: bytes, as: UTF8.self)
    }
  }

  package func blob(at index: Int32) -> UnsafeRawBufferPointer {
    switch content(at: index) {
    case .text(let bytes), .blob(let bytes): bytes
    case .null, .integer, .real: UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  package func byteCount(at index: Int32) -> Int { blob(at: index).count }
}
#endif
