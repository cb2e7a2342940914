import Foundation
import NacreEngine
import NacreStore
import NacreUpkeep

/// How ``Entity/populate(with:_:)-(JSONValue,_)`` treats unknown names and children.
public struct PopulateOptions: Sendable {
  /// The ways to treat a name that is not a property.
  public enum UnknownKeys: Sendable {
    /// Ignores the name.
    case ignore
    /// Throws an error, and nothing is set.
    case refuse
  }

  /// The ways to treat a dictionary that describes a child.
  public enum Children: Sendable {
    /// Populates the child with that `objectID`, or makes a new one, under that identifier if the
    /// dictionary has one.
    case update
    /// Always makes a new child, with an identifier of its own.
    case make
    /// Throws an error, and nothing is set.
    case refuse
  }

  /// The treatment of a name that is not a property.
  public var unknownKeys = UnknownKeys.ignore
  /// The treatment of a dictionary that describes a child.
  public var children = Children.update

  /// Ignores unknown keys, and updates or makes children.
  public init() {}
}

extension Entity {
  /// Sets properties by their names, converting each value to the property's type.
  ///
  /// A property whose name is missing keeps its value. Values are converted as
  /// ``setValue(_:forKey:)`` does. A child is given as a dictionary, nil or an object, and children
  /// as an array of these. For a single child, a dictionary without an `objectID` updates the child
  /// that is there. The object takes over a given `objectID` if it is not stored yet; otherwise the
  /// given one must be its own. If anything does not fit, nothing is set.
  ///
  /// - Parameters:
  ///   - members: values by the names of properties.
  ///   - options: what to do with unknown names and with children.
  /// - Throws: ``NacreError/Code/valueMismatch`` for a value that does not fit;
  ///   ``NacreError/Code/noSuchProperty`` for an unknown name if the options refuse it.
  public func populate(
    with members: [String: Any?],
    _ options: PopulateOptions = PopulateOptions()
  ) throws {
    var population = Population(options: options)
    try population.collect(members, for: self, 0)
    population.apply()
  }

  /// Sets properties from a JSON object, as ``populate(with:_:)-([String:Any?],_)`` does.
  ///
  /// - Parameters:
  ///   - json: an object.
  ///   - options: what to do with unknown names and with children.
  /// - Throws: ``NacreError/Code/valueMismatch``, also if the JSON is not an object;
  ///   ``NacreError/Code/noSuchProperty``.
  public func populate(
    with json: JSONValue,
    _ options: PopulateOptions = PopulateOptions()
  ) throws {
    guard case .object(let members) = json else {
      throw NacreError(
        .valueMismatch,
        entity: Self.entitySchema.name,
        detail: "the JSON is not an object"
      )
    }
    try populate(with: members, options)
  }
}

/// The steps that populate an object; all values are converted before any of them is set.
struct Population {
  let options: PopulateOptions
  private var steps: [() -> Void] = []
  /// The objects by identifier, so that an identifier that comes twice gives one object.
  private var met: [UUID: any Entity] = [:]

  init(options: PopulateOptions) { self.options = options }

  func apply() { for step in steps { step() } }

  mutating func collect(
    _ members: [String: Any?],
    for object: any Entity,
    _ depth: Int
  ) throws {
    let schema = type(of: object).entitySchema
    guard depth <= DictionaryWalk.depthLimit else { throw DictionaryWalk.tooDeep(schema) }
    let taken = try members["objectID"].flatMap { try newIdentity(of: object, $0, schema) }
    if let taken { steps.append { object.entityState.identity = ObjectID(taken) } }
    met[taken ?? object.objectID] = object
    // In the order of declaration, so that the first error does not depend on the dictionary's
    // hashing.
    for property in schema.properties {
      guard let given = members[property.name] else { continue }
      let value = try self.value(given, of: property, object, depth)
      let set = try schema.setter(of: property.name, value, object.entityState)
      steps.append { set(object) }
    }
    guard options.unknownKeys == .refuse else { return }
    for name in members.keys.sorted() where name != "objectID" { _ = try schema.known(name) }
  }

  /// Returns the identifier that an object takes over; nil if the object already has it.
  private func newIdentity(
    of object: any Entity,
    _ given: Any?,
    _ schema: EntitySchema
  ) throws -> UUID? {
    let wanted = try Population.identifier(given, schema)
    if object.entityState.hasIdentity && object.objectID == wanted { return nil }
    guard !object.isStored else {
      throw NacreError(
        .valueMismatch,
        entity: schema.name,
        objectID: object.objectID,
        detail: "the objectID belongs to another object"
      )
    }
    return wanted
  }

  /// Returns the value to set; it first turns the dictionaries of children into objects.
  private mutating func value(
    _ given: Any?,
    of property: Property,
    _ object: any Entity,
    _ depth: Int
  ) throws -> Any? {
    switch property.kind {
    case .value, .link, .links: return given
    case .child(let relationship):
      return try child(given, of: property, relationship.get(object), isAlone: true, depth)
    case .children(let relationship):
      let present = relationship.get(object)
      guard let elements = Population.elements(given) else { return given }
      return try elements.map {
        try child($0, of: property, present, isAlone: false, depth) ?? NSNull()
      }
    }
  }

  private mutating func child(
    _ given: Any?,
    of property: Property,
    _ present: [any Entity],
    isAlone: Bool,
    _ depth: Int
  ) throws -> Any? {
    guard var members = Population.members(given), let target = property.relationship?.target else {
      return given
    }
    if options.children == .refuse {
      throw NacreError(
        .valueMismatch,
        entity: target.entitySchema.name,
        property: property.name,
        detail: "these options do not take children from dictionaries"
      )
    }
    if options.children == .make { members["objectID"] = nil }
    let child = try self.object(members, target, present, isAlone: isAlone)
    try collect(members, for: child, depth + 1)
    return child
  }

  /// Returns the object that a dictionary describes: one that this population has already met, a
  /// present child, or a new one.
  private func object(
    _ members: [String: Any?],
    _ target: any Entity.Type,
    _ present: [any Entity],
    isAlone: Bool
  ) throws -> any Entity {
    if options.children == .make { return target.create() }
    guard let given = members["objectID"] else {
      return isAlone ? present.first ?? target.create() : target.create()
    }
    let wanted = try Population.identifier(given, target.entitySchema)
    if let known = met[wanted], type(of: known) == target { return known }
    return present.first { $0.objectID == wanted } ?? target.create(objectID: wanted)
  }

  private static func identifier(_ given: Any?, _ schema: EntitySchema) throws -> UUID {
    if let identifier = try? ValueConversion.uuid(given) { return identifier }
    throw NacreError(.valueMismatch, entity: schema.name, detail: "the objectID is not a UUID")
  }

  private static func members(_ given: Any?) -> [String: Any?]? {
    if case .object(let members) = given as? JSONValue { return members }
    return given as? [String: Any?]
  }

  private static func elements(_ given: Any?) -> [Any?]? {
    if case .array(let elements) = given as? JSONValue { return elements }
    return given as? [Any?]
  }
}
