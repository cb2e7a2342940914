import Foundation
import NacreCrypto

/// How a property is stored in its rows, before or after a conversion.
///
/// The journal holds the form as JSON, so that a conversion can go on without the class.
package struct ConversionForm: Codable, Equatable, Sendable {
  /// The type of the values, whether sealed or not.
  package enum ColumnType: String, Codable {
    case integer = "INTEGER", real = "REAL", text = "TEXT", blob = "BLOB"

    /// The class of the values.
    package var storageClass: StorageClass {
      switch self {
      case .integer: .integer
      case .real: .real
      case .text: .text
      case .blob: .blob
      }
    }
  }
  /// The index of a plain column.
  package enum PlainIndex: String, Codable { case none, indexed, unique }

  package var type: ColumnType
  package var acceptsNull = true
  package var isSealed = false
  var bits: Int?
  var normalizer: String?
  var isUnique = false
  package var hidesNil = false
  var padding: String?
  var suite: UInt8?
  package var isHooked = false
  package var plainIndex = PlainIndex.none

  /// The blind index; nil if there is none.
  package var index: SealedForm.Index? {
    guard isSealed, let bits else { return nil }
    let normalizer = normalizer.flatMap(Normalizer.init(rawValue:)) ?? .exact
    return SealedForm.Index(bits: bits, normalizer: normalizer, isUnique: isUnique)
  }

  /// The sealing that the catalog has for values of this form; nil if they are plain.
  package var sealing: CatalogProperty.Sealing? {
    guard isSealed else { return nil }
    var sealing = CatalogProperty.Sealing(form: SealedForm(index: index, hidesNil: hidesNil))
    sealing.padding = padding.flatMap(Padding.init(rawValue:)) ?? .none
    sealing.suite = suite.flatMap(Suite.init(rawValue:))
    sealing.isHooked = isHooked
    return sealing
  }

  /// - Throws: `schemaMismatch` for a property that is no value.
  package init(_ property: CatalogProperty, plainIndex: PlainIndex = .none) throws {
    guard property.kind == "value", let type = ColumnType(rawValue: property.type) else {
      throw NacreError(
        .schemaMismatch,
        property: property.name,
        detail: "only a property that holds a value can be sealed"
      )
    }
    self.type = type
    acceptsNull = property.isOptional ?? true
    self.plainIndex = plainIndex
    guard let sealing = property.sealing else { return }
    isSealed = true
    bits = sealing.form.index?.bits
    normalizer = sealing.form.index?.normalizer.rawValue
    isUnique = sealing.form.index?.isUnique ?? false
    hidesNil = sealing.form.hidesNil
    padding = sealing.padding.rawValue
    suite = sealing.suite?.rawValue
    isHooked = sealing.isHooked
  }

  // MARK: JSON

  package var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

  /// - Throws: `schemaMismatch` for a text that this version has not written, or with words that it
  ///   does not know. If it used defaults for those, the rows would get another form than was asked
  ///   for.
  package init(json: String) throws {
    do {
      self = try JSONDecoder().decode(ConversionForm.self, from: Data(json.utf8))
    } catch {
      throw ConversionForm.unknown("form")
    }
    if let bits, !(1...256).contains(bits) { throw ConversionForm.unknown("width of an index") }
    if let normalizer, Normalizer(rawValue: normalizer) == nil {
      throw ConversionForm.unknown("normalizer")
    }
    if let padding, Padding(rawValue: padding) == nil { throw ConversionForm.unknown("padding") }
    if let suite, Suite(rawValue: suite) == nil { throw ConversionForm.unknown("suite") }
  }

  private static func unknown(_ what: String) -> NacreError {
    NacreError(
      .schemaMismatch,
      detail: "the journal holds a conversion with a \(what) that this version does not know"
    )
  }
}
