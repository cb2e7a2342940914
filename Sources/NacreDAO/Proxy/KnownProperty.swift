import NacreCore

/// What a type alone says of a property that a path names.
enum KnownProperty {
  /// No value of the type has it.
  case missing
  /// There is one, of that type where that is known; and whether its entity seals it.
  case found((any Any.Type)?, isSealed: Bool)
  /// Only a value can tell: what a Codable type stores and does not encode is found in none but a value.
  case unknown

  /// Looks for a property as `ObjectAccess` does in a value.
  init(_ name: String, of type: any Any.Type) {
    guard let entity = type as? any Entity.Type, name != "objectID" else {
      self = .unknown
      return
    }
    guard let property = entity.entitySchema.property(named: name) else {
      self = .missing
      return
    }
    let type = unwrapped(property.valueType)
    // A link is no object, and anything else is what its stored form is.
    let isKnown = type is any Entity.Type || property.isJSON
    self = .found(isKnown ? type : nil, isSealed: property.isSealed)
  }
}
