import NacreEngine

/// Reads lists of values that are packed into one argument.
enum ListFunctions {
  /// Returns one item of a packed list; the arguments are the list, the index and the number of items.
  static let item = ScalarFunction("nacre_item", argumentCount: 3) { arguments in
    let item = PackedValues.item(
      at: Int(arguments.int64(at: 1)),
      of: Int(arguments.int64(at: 2)),
      in: arguments.blob(at: 0)
    )
    return switch item {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let bytes): .text(bytes)
    case .blob(let bytes): .blob(bytes)
    }
  }
}
