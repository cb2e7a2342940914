import Foundation

/// A list of values packed into one blob, so that a list of any length needs only one SQL text and
/// one argument.
///
/// The blob has the end offset of each item in 4 bytes. Then come the items, each with a byte for
/// the storage class and the content. The blob is never stored.
package struct PackedValues {
  /// The values.
  package let values: [Value]

  /// Packs values.
  package init(values: [Value]) { self.values = values }

  /// The number of values.
  package var count: Value { .integer(Int64(values.count)) }

  /// The blob.
  package var packed: Value {
    var ends = Data(capacity: values.count * 4)
    var items = Data()
    for value in values {
      items.append(UInt8(truncatingIfNeeded: PackedValues.tag(value)))
      switch value {
      case .null: break
      case .integer(let integer): items.append(contentsOf: PackedValues.bytes(integer))
      case .real(let real): items.append(contentsOf: PackedValues.bytes(real.bitPattern))
      case .text(let text): items.append(contentsOf: text.utf8)
      case .blob(let blob): items.append(blob)
      }
      ends.append(contentsOf: PackedValues.bytes(UInt32(truncatingIfNeeded: items.count)))
    }
    return .blob(ends + items)
  }

  /// An item of a packed list; its bytes are part of the list.
  package enum Item {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)
  }

  /// Returns one item of a packed list; null if there is no such item.
  package static func item(at index: Int, of count: Int, in list: UnsafeRawBufferPointer) -> Item {
    func end(_ index: Int) -> Int {
      index < 0
        ? count * 4
        : count * 4 + Int(list.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
    }
    guard index >= 0, index < count, count * 4 <= list.count else { return .null }
    let start = end(index - 1)
    let stop = end(index)
    guard start < stop, stop <= list.count else { return .null }
    let content = UnsafeRawBufferPointer(rebasing: list[(start + 1)..<stop])
    switch list[start] {
    case 1 where content.count == 8: return .integer(content.loadUnaligned(as: Int64.self))
    case 2 where content.count == 8:
      return .real(Double(bitPattern: content.loadUnaligned(as: UInt64.self)))
    case 3: return .text(content)
    case 4: return .blob(content)
    default: return .null
    }
  }

  private static func tag(_ value: Value) -> Int {
    switch value {
    case .null: 0
    case .integer: 1
    case .real: 2
    case .text: 3
    case .blob: 4
    }
  }

  private static func bytes<T: BitwiseCopyable>(_ value: T) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }
}
