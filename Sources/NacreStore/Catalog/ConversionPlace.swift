package import NacreCrypto

/// The property that a conversion converts.
package struct ConversionPlace: Equatable, Sendable {
  package let entity: String
  package let property: String

  package init(entity: String, property: String) {
    self.entity = entity
    self.property = property
  }

  /// Returns the context to which the property's sealed values are bound.
  ///
  /// - Throws: `lengthTooLarge` for a name that is too long.
  package func context(in storeID: StoreID) throws(CryptoError) -> FieldContext {
    try FieldContext(storeID: storeID, entity: entity, property: property)
  }
}
