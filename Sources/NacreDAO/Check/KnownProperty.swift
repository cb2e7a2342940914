import NacreCore

/// The facts about a property that a path names, as far as a type alone tells them.
enum KnownProperty {
  /// No value of the type has it.
  case missing
  /// The type has the property, with this type if that is known; `isSealed` says whether its entity seals it.
  case found((any Any.Type)?, isSealed: Bool)
  /// Only a value can tell: only in a value can properties be found that a Codable type stores and does not encode.
  case unknown

  /// Looks for a property as `ObjectAccess` does in a value.
  init(_ name: String, of type: any Any.Type) {
    if ReferencePath.index(name) != nil {
      if let array = type as? any ArrayType.Type {
        self = .found(array.contentType, isSealed: false)
      } else {
        self = .unknown
      }
      return
    }
    guard let entity = type as? any Entity.Type, name != "objectID" else {
      self = .unknown
      return
    }
    guard let property = entity.entitySchema.property(named: name) else {
      let isComputed = (type as? any ComputedProperties.Type)?.hasComputedProperty(name) ?? false
      self = isComputed ? .found(nil, isSealed: false) : .missing
      return
    }
    let type = unwrapped(property.valueType)
    // A link is no object, and a value of any other type is whatever its stored form is.
    let isKnown = type is any Entity.Type || property.isJSON
    self = .found(isKnown ? type : nil, isSealed: property.isSealed)
  }
}
