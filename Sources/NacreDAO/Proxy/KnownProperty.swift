import NacreCore

/// What a type alone says of a property that a path names.
enum KnownProperty {
  /// No value of the type has it.
  case missing
  /// There is one, of that type where that is known; and whether its entity seals it.
  case found((any Any.Type)?, isSealed: Bool)
  /// Only a value can tell.
  case unknown

  /// Looks for a property as `ObjectAccess` does in a value.
  init(_ name: String, of type: any Any.Type) {
    if let entity = type as? any Entity.Type {
      self = Self.find(name, in: entity)
    } else if name == "count" || !Self.hasFieldsAlone(type) {
      self = .unknown
    } else if let type = type as? any (Decodable & Encodable).Type {
      self = Self.find(name, in: type)
    } else {
      self = .unknown
    }
  }

  private static func find(_ name: String, in entity: any Entity.Type) -> KnownProperty {
    if name == "objectID" { return .unknown }
    guard let property = entity.entitySchema.property(named: name) else { return .missing }
    let type = unwrapped(property.valueType)
    // A link is no object, and anything else is what its stored form is.
    let isKnown = type is any Entity.Type || property.isJSON
    return .found(isKnown ? type : nil, isSealed: property.isSealed)
  }

  /// Whether all that a value of a type has are the fields of a struct: an object may be of a subclass, which has others.
  private static func hasFieldsAlone(_ type: any Any.Type) -> Bool {
    !(type is AnyClass) && !(type is any StorableValue.Type) && !(type is any LoopCollection.Type)
      && !(type is any Collection.Type) && !(type is any NamedValues.Type)
      && !(type is any RawRepresentable.Type) && !ProxyLookup.isExistential(type)
  }

  private static func find(
    _ name: String,
    in type: any (Decodable & Encodable).Type
  ) -> KnownProperty {
    let fields = StoredFields.of(type)
    // A value may have a stored property that is no coding key, or encode what it does not store: then its keys are
    // somebody's own.
    guard !fields.isEmpty,
      fields.allSatisfy({ CodingKeyProbe.hasKey($0.name, type) == true })
    else { return .unknown }
    if let field = fields.first(where: { $0.name == name }) {
      return .found(field.type, isSealed: false)
    }
    return CodingKeyProbe.hasKey(name, type) == false ? .missing : .unknown
  }
}

/// The stored properties of a type, as `Mirror` finds them in a value.
enum StoredFields {
  static func of(_ type: any Any.Type) -> [(name: String, type: any Any.Type)] {
    (0..<fieldCount(type)).compactMap { index in
      var field = Field()
      let type = fieldType(type, index: index, field: &field)
      defer { field.free?(field.name) }
      return field.name.map { (String(cString: $0), type) }
    }
  }

  /// What the runtime says of a stored property, in its own layout.
  fileprivate struct Field {
    var name: UnsafePointer<CChar>?
    var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVariable = false
  }
}

// The functions of Swift's runtime by which `Mirror` does it, which has no call for a type without a value.

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_: any Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldType(
  _: any Any.Type,
  index: Int,
  field: UnsafeMutablePointer<StoredFields.Field>
) -> any Any.Type
