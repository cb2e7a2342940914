import Foundation
import NacreCrypto
package import NacreEngine
package import NacreStore

/// A codec that reads and makes the cells of one property in one form, as the catalog describes it.
package final class ConversionCodec {
  private let form: ConversionForm
  /// The sealed cells; nil if the form is plain.
  private let column: SealedColumn?
  private let database: Database
  private let provider: (any CryptSession)?

  /// Makes a codec.
  ///
  /// - Throws: `schemaMismatch` if a hook seals the values and is not installed here.
  package init(_ place: ConversionPlace, _ form: ConversionForm, on database: Database) throws {
    self.form = form
    self.database = database
    column = try form.sealing.map {
      SealedColumn(try place.context(in: database.home.storeID), $0)
    }
    let hook = database.home.provider(entity: place.entity, property: place.property)
    if form.isHooked && hook == nil {
      throw NacreError(
        .schemaMismatch,
        detail: "the application's own provider seals this property; convert it in the application"
      )
    }
    provider = form.isHooked ? hook?.session() : nil
  }

  /// Returns the value of a cell.
  package func value(_ row: any PreparedStatement, at column: Int32, _ identity: ObjectID) throws
    -> Value
  {
    let found = row.storageClass(at: column)
    if found == .null { return .null }
    if let sealed = self.column {
      return try sealed.value(row, at: column, of: identity, by: session())
    }
    if form.type != .blob && found != form.type.storageClass {
      throw ValueError.unexpected(found: found, expected: form.type.storageClass)
    }
    return row.value(at: column)
  }

  /// Returns the value of a cell of a sealed property.
  package func value(_ cell: Value, _ identity: ObjectID) throws -> Value {
    guard let column, cell != .null else { return cell }
    return try column.value(cell, of: identity, by: session())
  }

  /// Returns the cells that hold a value: the property's own, which is the value itself or its
  /// envelope, and that of the blind index if the form has one.
  package func cells(_ value: Value, _ identity: ObjectID) throws -> [Value] {
    let cell = try cell(value, identity)
    return form.index == nil ? [cell] : [cell, try token(value)]
  }

  private func cell(_ value: Value, _ identity: ObjectID) throws -> Value {
    guard let column, value != .null || form.hidesNil else {
      if value == .null && !form.acceptsNull {
        throw ValueError.unexpected(found: .null, expected: form.type.storageClass)
      }
      return value
    }
    return try column.seal(value, of: identity, by: session())
  }

  /// Returns the blind index of a value; NULL if there is none.
  func token(_ value: Value) throws -> Value {
    guard form.index != nil, value != .null || form.hidesNil,
      let column, let index = try column.index(in: database.home.keys.unlocked())
    else { return .null }
    return try column.payload(of: value) { .blob(Data(try index.token($0.type, $0.value))) }
  }

  private func session() throws -> any CryptSession { try provider ?? database.cryptSession() }
}
