import NacreCore

/// Reads the same properties of one object after the other.
///
/// What is to be known of a type is found out at the first object of it; a loop's elements are mostly of one type.
final class FieldReader {
  private enum Plan {
    case entity([Property?])
    case coded(FieldCapture)
    case other
  }

  private let names: [String]
  private let crypts: CryptRules
  private var type: ObjectIdentifier?
  private var plan = Plan.other
  private var object: Any = ()
  /// Which of the properties are sealed.
  private(set) var sealing: [CryptRules.Place?]

  init(_ names: [String], _ crypts: CryptRules) {
    self.names = names
    self.crypts = crypts
    sealing = Array(repeating: nil, count: names.count)
  }

  /// Goes on to another object.
  func point(at object: Any) throws {
    self.object = object
    let type = Swift.type(of: object)
    if ObjectIdentifier(type) != self.type {
      self.type = ObjectIdentifier(type)
      sealing = names.map { crypts.place(of: $0, in: object) }
      plan = Self.plan(for: object, names)
    }
    if case .coded(let capture) = plan, let object = object as? any Encodable {
      try capture.take(object)
    }
  }

  private static func plan(for object: Any, _ names: [String]) -> Plan {
    if let entity = object as? any Entity {
      let schema = Swift.type(of: entity).entitySchema
      return .entity(names.map { schema.property(named: $0) })
    }
    if object is [String: Any?] || object is any LoopCollection { return .other }
    return object is any Encodable ? .coded(FieldCapture(names)) : .other
  }

  /// The property of that index among the names.
  func field(_ slot: Int, _ path: ReferencePath) throws -> Field {
    switch plan {
    case .entity(let properties):
      if let property = properties[slot], let entity = object as? any Entity,
        let value = try property.stored(of: entity)
      {
        return .value(value)
      }
    case .coded(let capture):
      if case .missing = capture.fields[slot] {} else { return capture.fields[slot] }
    case .other: break
    }
    return .object(try ObjectAccess.value(of: names[slot], in: object, path))
  }
}
