import Foundation
import NacreEngine
import NacreStore

extension Entity {
  /// Returns the object's properties by name, with their values as they are in memory and `NSNull`
  /// for nil.
  ///
  /// A child becomes a dictionary, children an array of dictionaries, and a link its target's
  /// `UUID`; `Links` are left out. An object that comes up a second time is written as its objectID
  /// alone. Sealed properties are included like the others, in plaintext.
  ///
  /// - Parameter includesObjectID: whether each object's `objectID` is in it.
  /// - Returns: the dictionary.
  /// - Throws: ``NacreError/Code/valueMismatch`` if the graph is over 500 levels deep.
  public func toDictionary(includesObjectID: Bool = false) throws -> [String: Any] {
    var walk = DictionaryWalk(includesObjectID: includesObjectID)
    return try walk.members(of: self, 0) { property, object in
      let value = property.access.get(object)
      return (value as? any AnyLink)?.objectID ?? value
    }
  }

  /// Returns the object's properties by name, as JSON.
  ///
  /// It works like ``toDictionary(includesObjectID:)`` but writes JSON values: a date as seconds
  /// since 1970, a URL, UUID or Decimal as text, bytes as Base64, an enum as its raw value.
  /// ``populate(with:_:)-(JSONValue,_)`` reads all of them back.
  ///
  /// - Parameter includesObjectID: whether each object's `objectID` is in it.
  /// - Returns: an object.
  /// - Throws: ``NacreError/Code/valueMismatch`` for a number that is not finite, and for a graph
  ///   over 500 levels deep, or over 255 if every level is an array of children.
  public func toJSON(includesObjectID: Bool = false) throws -> JSONValue {
    var walk = DictionaryWalk(includesObjectID: includesObjectID)
    let members = try walk.members(of: self, 0) { try $0.json(of: $1) }
    do {
      return try JSONValue(any: members)
    } catch {
      throw NacreError.wrap(error, at: Self.entitySchema, identity: entityState.identity)
    }
  }
}

/// Walks from an object down to its children and writes each object out once.
struct DictionaryWalk {
  /// How many levels of children a graph may have.
  ///
  /// `JSONValue` allows 511 levels of arrays and objects. A child takes one of them, and an element
  /// of children two. If a graph of such elements takes too many, making the JSON throws.
  static let depthLimit = 500
  let includesObjectID: Bool
  private var met: Set<ObjectIdentifier> = []

  init(includesObjectID: Bool) { self.includesObjectID = includesObjectID }

  /// Makes the members of an object's dictionary; `value` returns a member that is a value or a
  /// link.
  mutating func members(
    of object: any Entity,
    _ depth: Int,
    _ value: (Property, any Entity) throws -> Any?
  ) throws -> [String: Any] {
    let schema = type(of: object).entitySchema
    guard depth <= Self.depthLimit else { throw Self.tooDeep(schema) }
    var members: [String: Any] = [:]
    let isNew = met.insert(ObjectIdentifier(object)).inserted
    if includesObjectID || !isNew { members["objectID"] = object.objectID.uuidString }
    guard isNew else { return members }
    for property in schema.properties {
      switch property.kind {
      case .value, .link: members[property.name] = try value(property, object) ?? NSNull()
      case .child(let relationship):
        let child = relationship.get(object).first
        members[property.name] =
          try child.map { try self.members(of: $0, depth + 1, value) } ?? NSNull()
      case .children(let relationship):
        members[property.name] = try relationship.get(object).map {
          try self.members(of: $0, depth + 1, value)
        }
      case .links: break
      }
    }
    return members
  }

  static func tooDeep(_ schema: EntitySchema) -> NacreError {
    NacreError(
      .valueMismatch,
      entity: schema.name,
      detail: "the graph is more than \(depthLimit) levels deep"
    )
  }
}

extension Property {
  /// Returns the value or link in the form that JSON uses.
  fileprivate func json(of object: any Entity) throws -> Any? {
    guard case .value(let kind) = kind else {
      return (access.get(object) as? any AnyLink)?.objectID.uuidString
    }
    do {
      let value = access.type == Date.self ? try date(of: object) : try kind.get(object)
      switch value {
      case .integer(let number) where access.type == Bool.self: return number != 0
      case .real(let number) where !number.isFinite:
        // JSON has no infinity.
        throw ValueError.outOfRange(type: "\(access.type)")
      case .text where access.isJSON: return try JSONValue(storedValue: value)
      case .blob where access.type == UUID.self: return try UUID(storedValue: value).uuidString
      default: return JSONValue(value)
      }
    } catch {
      let (schema, state) = (Swift.type(of: object).entitySchema, object.entityState)
      throw NacreError.wrap(error, at: schema, property: index, identity: state.identity)
    }
  }

  private func date(of object: any Entity) throws -> Value {
    try (access.get(object) as? Date)?.storedValue ?? .null
  }
}
