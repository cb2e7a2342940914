import Foundation
import NacreCore

/// Reads properties of objects whose types are not known in advance: one step of a path.
enum ObjectAccess {
  /// The value of a property.
  ///
  /// An entity has its properties, a dictionary its members, an array its elements by their indices, and a collection
  /// `count`. Anything else has the properties that its Codable conformance encodes and, if nothing in it is sealed, its
  /// stored properties. An object also has the computed properties that its type names.
  ///
  /// - Throws: `DAOValue.Failure` if there is no such property.
  static func value(
    of name: String,
    in object: Any,
    _ path: ReferencePath,
    _ crypts: CryptRules
  ) throws -> Any? {
    if let index = ReferencePath.index(name) {
      return try DAOValue.element(at: index, of: object, named: path)
    }
    // The commonest dictionary comes first: a cast to another one copies and converts all members.
    if let members = exact(object, [String: Any].self) {
      if let value = members[name] { return DAOValue.unwrapped(value) }
      return name == "count" ? members.count : nil
    }
    if let entity = asEntity(object) { return try entity.value(forKey: name) }
    switch object {
    case let members as [String: Any?]:
      if let value = members[name] { return DAOValue.unwrapped(value) }
      return name == "count" ? members.count : nil
    case let members as NSDictionary:
      if let value = members.object(forKey: name) { return DAOValue.unwrapped(value) }
      return name == "count" ? members.count : nil
    case let list as NSArray where name == "count": return list.count
    case let set as NSSet where name == "count": return set.count
    case let collection as any Collection where name == "count": return collection.count
    default: break
    }
    switch try field(name, of: object, path, crypts) {
    case .value(let value): return DAOValue.plain(value)
    case .object(let value): return DAOValue.unwrapped(value)
    case .missing:
      if let value = (object as? any ComputedProperties)?.computedValue(name) {
        return DAOValue.unwrapped(value)
      }
      let isCount = object is any LoopCollection && ["size", "length"].contains(name)
      let hint = isCount ? "; the number of elements is “count”" : ""
      throw DAOValue.Failure(message: "“\(path)”: there is no property “\(name)”\(hint)")
    }
  }

  /// The stored form that an entity defines for a property; nil if the object is no entity, and for children and links.
  ///
  /// - Throws: `DAOValue.Failure` for a property that the entity seals, if it is not to be sealed here.
  static func form(
    of name: String,
    in object: Any,
    _ path: ReferencePath?,
    isSealed: Bool
  ) throws -> Value? {
    guard let entity = asEntity(object),
      let property = type(of: entity).entitySchema.property(named: name)
    else { return nil }
    if property.isSealed, !isSealed { throw unsealed(path, name, of: type(of: entity)) }
    return try property.stored(of: entity)
  }

  /// Whether an object's entity seals a property.
  static func isSealed(_ name: String, in object: Any) -> Bool {
    guard let entity = asEntity(object) else { return false }
    return type(of: entity).entitySchema.property(named: name)?.isSealed ?? false
  }

  /// Makes the error for a property that an entity seals and that would be bound unsealed.
  static func unsealed(
    _ path: ReferencePath?,
    _ name: String,
    of type: any Any.Type
  ) -> DAOValue.Failure {
    DAOValue.Failure(
      message:
        "“\(path?.description ?? name)” would be stored unsealed, although \(type) seals "
        + "“\(name)”; add <crypt class=\"\(type)\" property=\"\(name)\"/> to the configuration"
    )
  }

  private static func field(
    _ name: String,
    of object: Any,
    _ path: ReferencePath,
    _ crypts: CryptRules
  ) throws -> Field {
    let sealed = crypts.isEmpty ? [] : crypts.names(of: object)
    let mirror = { Mirror(reflecting: object) }
    guard let value = object as? any Encodable else {
      try crypts.checkNames(sealed, of: object, path) { mirror().stored($0) }
      return mirror().stored(name)
    }
    let capture = FieldCapture(sealed.contains(name) ? sealed : sealed + [name])
    try capture.capture(value)
    try crypts.checkNames(sealed, of: object, path, capture.field)
    let field = capture.field(name)
    guard case .missing = field else { return field }
    // A stored property may be encoded, and sealed, under another name; if it is nil, there is nothing to seal.
    let stored = mirror().stored(name)
    if case .object(.some) = stored, !sealed.isEmpty { return .missing }
    return stored
  }
}
