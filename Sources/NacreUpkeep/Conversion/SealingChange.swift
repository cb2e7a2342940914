import NacreStore

/// A property whose rows must be converted, because it is to be sealed differently from the file.
public struct SealingChange: Sendable, Equatable, CustomStringConvertible {
  /// The entity.
  public let entity: String
  /// The property.
  public let property: String
  /// How the values are stored in the file, in words such as "plain".
  public let stored: String
  /// How the values should be stored, in words such as "sealed, searchable by 16 bits (exact)".
  public let wanted: String
  /// How many rows have been converted already.
  public let done: Int
  /// How many rows there are.
  public let total: Int

  /// The property, with its stored and its wanted form.
  public var description: String { "\(entity).\(property): \(stored) → \(wanted)" }
}

extension SealingChange {
  init(
    _ place: ConversionPlace,
    from old: ConversionForm,
    to new: ConversionForm,
    done: Int,
    total: Int
  ) {
    self.init(
      entity: place.entity,
      property: place.property,
      stored: CatalogProperty.storedForm(old.sealing),
      wanted: CatalogProperty.storedForm(new.sealing),
      done: done,
      total: total
    )
  }
}

/// The progress of a conversion.
public struct MigrationProgress: Sendable {
  /// The property that is converted, with its forms.
  public let change: SealingChange
  /// `converting`, `verifying` or `clearing`.
  public let phase: String
  /// How many rows are done in this phase.
  public let done: Int
  /// How many rows there are.
  public let total: Int
}
