/// The property that a conversion converts.
package struct ConversionPlace: Equatable, Sendable {
  package let entity: String
  package let property: String

  package init(entity: String, property: String) {
    self.entity = entity
    self.property = property
  }
}
