import Foundation
import NacreEngine
import NacreStore

/// A parameter of a condition, and the column that it is plainly compared with.
///
/// SQLite converts a number to a text for a column of texts, and a text that is a number to a
/// number for a column of numbers. It leaves every other value as it is. Such a value has another
/// type and is never equal, so the condition finds nothing, or with `<>` everything.
struct ComparedArgument: Sendable {
  /// The form of the values that a column can hold.
  enum Form: Sendable {
    case identity, number(StorageClass), text, decimal, blob
  }

  /// The parameter's number, from 1.
  let number: Int
  /// The property's name, or the name of the column that holds the objectID.
  let name: String
  let form: Form

  /// Makes the compared argument, or nil if every value can be equal to one of the column's.
  init?(_ number: Int, _ property: Property?) {
    self.number = number
    name = property?.name ?? "objectID"
    switch property?.kind {
    case nil, .child, .link: form = .identity
    case .children, .links: return nil
    case .value(let kind):
      if kind.takesAnyClass || kind.sealing != nil { return nil }
      switch kind.storageClass {
      case .integer, .real: form = .number(kind.storageClass)
      case .text: form = kind.isDecimal ? .decimal : .text
      case .blob: form = .blob
      case .null: return nil
      }
    }
  }

  /// Throws if an argument can't be equal to anything that the column holds.
  ///
  /// - Throws: `unequalArgument`.
  func check(_ arguments: [Value], _ schema: RowSchema) throws {
    // Too few arguments are an error of their own.
    guard arguments.indices.contains(number - 1), !takes(arguments[number - 1]) else { return }
    throw NacreError(
      .unequalArgument,
      entity: schema.name,
      property: name,
      detail: "argument \(number) is \(words(arguments[number - 1].storageClass))",
      advice: advice
    )
  }

  private func takes(_ value: Value) -> Bool {
    switch (form, value) {
    case (_, .null), (.text, .text), (.identity, .blob), (.blob, .blob): true
    case (.number, .integer), (.number, .real): true
    // SQLite makes texts of them.
    case (.text, .integer), (.text, .real), (.decimal, .integer), (.decimal, .real): true
    case (.number, .text(let text)): ComparedArgument.isNumber(text)
    case (.decimal, .text(let text)): Decimal.isNumber(text.utf8[...])
    default: false
    }
  }

  /// Returns whether a column of numbers makes a number of a text
  /// (sqlite.org/datatype3.html#type_affinity).
  private static func isNumber(_ text: String) -> Bool {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || 0x09...0x0d ~= $0 }
    let inner = text.utf8.drop(while: isBlank)
    guard let end = inner.lastIndex(where: { !isBlank($0) }) else { return false }
    return Decimal.isNumber(inner[...end])
  }

  private func words(_ found: StorageClass) -> String {
    switch (found, form) {
    case (.text, .number), (.text, .decimal): "a text that is not a number"
    case (.text, _): "a text"
    case (.blob, _): "a BLOB"
    case (.integer, _), (.real, _): "a number"
    case (.null, _): "NULL"
    }
  }

  private var advice: String {
    switch form {
    case .identity: "Pass the object's objectID as a UUID."
    case .number(.real): "Pass a number, or a Date if the property is one."
    case .number: "Pass a number, or a value of the property's own type."
    case .decimal: "Pass a Decimal, or a text that holds one."
    case .text: "Pass a text, or a value of the property's own type."
    case .blob: "Pass a value of the property's own type, such as a UUID or Data."
    }
  }
}

extension RowSchema {
  /// The names of the table's columns that conditions and orders can name.
  var columnNames: NamedColumns {
    let names =
      properties.flatMap { [$0.hasColumn ? $0.column : nil, $0.indexColumn].compactMap { $0 } }
      + (hasObjectID ? ["objectID"] : []) + (detectsConflicts ? [VersionSQL.name] : [])
    return NamedColumns(names, decimals: properties.filter(\.holdsDecimals).map(\.column))
  }

  /// Returns the parameters of a condition that are plainly compared with one of the entity's
  /// columns.
  func comparedArguments(_ comparisons: [PlainComparison]) -> [ComparedArgument] {
    comparisons.flatMap { comparison -> [ComparedArgument] in
      let property = property(inColumn: comparison.column)
      if property == nil && SQLName(comparison.column) != SQLName("objectID") { return [] }
      return comparison.operands.compactMap { operand in
        guard case .parameter(let number) = operand else { return nil }
        return ComparedArgument(number, property)
      }
    }
  }

  /// Returns the property that a column of the table stores, by the column's name in any case; nil
  /// if there is none.
  func property(inColumn column: String) -> Property? {
    let name = SQLName(column)
    return properties.first { $0.hasColumn && SQLName($0.column) == name }
  }
}
