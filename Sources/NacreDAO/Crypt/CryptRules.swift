import Foundation
import NacreCore

/// Which properties of which classes `<crypt>` seals.
struct CryptRules: Sendable {
  /// A sealed property: what a crypt method is told.
  struct Place: Hashable, Sendable {
    let type: String
    let property: String
  }

  private struct Rule: Sendable {
    let place: Place
    let model: ModelTable.Model
    /// Where the values go: the columns that the class's maps say, or else the one of the property's name, and those that
    /// the maps of its subclasses say.
    let columns: [String]
  }

  private let rules: [Rule]
  var isEmpty: Bool { rules.isEmpty }

  init(_ module: DAOModule, _ models: ModelTable) {
    let rules = module.crypts.compactMap { place in
      models.model(place.type).map { model in
        Rule(
          place: place,
          model: model,
          columns: Self.columns(of: place.property, in: model, module, models)
        )
      }
    }
    // A superclass's rule comes first, on the way in and on the way out.
    let depths = rules.map { rule in rules.count { $0.model.includes(rule.model.type) } }
    self.rules = zip(rules, depths).sorted { $0.1 < $1.1 }.map(\.0)
  }

  private static func columns(
    of property: String,
    in model: ModelTable.Model,
    _ module: DAOModule,
    _ models: ModelTable
  ) -> [String] {
    func mapped(_ isMeant: (ModelTable.Model) -> Bool) -> Set<String> {
      let maps = module.maps.values.filter { models.model($0.type).map(isMeant) ?? false }
      return Set(maps.flatMap { $0.properties.filter { $0.value == property }.keys })
    }
    let hasOwn = !mapped { $0.type == model.type }.isEmpty
    return mapped { model.includes($0.type) }.union(hasOwn ? [] : [property]).sorted()
  }

  /// Where an object's property is sealed; a subclass's object is one of its superclass, too.
  func place(of property: String, in object: Any) -> Place? {
    rules.first { $0.place.property == property && $0.model.isInstance(object) }?.place
  }

  /// The names of an object's sealed properties, each once.
  func names(of object: Any) -> [String] {
    var names: [String] = []
    for rule in rules where !names.contains(rule.place.property) && rule.model.isInstance(object) {
      names.append(rule.place.property)
    }
    return names
  }

  /// Refuses an object that gives no sealed property of one of these names.
  ///
  /// What it gives in place of it would be stored under another name, as it is. Where its stored property is nil there is
  /// nothing to seal.
  func checkNames(
    _ names: [String],
    of object: Any,
    _ path: ReferencePath,
    _ field: (String) -> Field
  ) throws {
    for name in names {
      guard case .missing = field(name) else { continue }
      if case .object(.none) = ObjectAccess.stored(name, of: Mirror(reflecting: object)) {
        continue
      }
      throw DAOValue.Failure(
        message: "“\(path)”: \(type(of: object)) gives no “\(name)”, which <crypt> "
          + "seals; its names are those that it encodes"
      )
    }
  }

  /// Whether a value is of a class with sealed properties, be it by a rule or its entity's own, or holds one that is, down
  /// to a depth: what refers to itself has no end.
  func isInside(_ value: Any?, depth: Int = 8) -> Bool {
    guard depth > 0, let value = DAOValue.unwrapped(value) else { return false }
    switch value {
    case is Int, is String, is Bool, is Double, is Data, is Date: return false
    case let members as [String: Any]:
      return members.values.contains { isInside($0, depth: depth - 1) }
    case let collection as any LoopCollection:
      struct Found: Error {}
      do {
        try collection.forEachElement { if isInside($0, depth: depth - 1) { throw Found() } }
        return false
      } catch {
        return true
      }
    default:
      if rules.contains(where: { $0.model.isInstance(value) }) { return true }
      if let entity = value as? any Entity,
        type(of: entity).entitySchema.properties.contains(where: \.isSealed)
      {
        return true
      }
      // A value of another type may hold one in its properties.
      return !(value is any StorableValue)
        && Mirror(reflecting: value).levels.contains { level in
          level.children.contains { isInside($0.value, depth: depth - 1) }
        }
    }
  }

  /// Whether an entity's property may be of a class with sealed properties, or hold one that is.
  func mayBeInside(_ property: Property) -> Bool {
    if isEmpty { return false }
    let type = property.valueType
    let isSingle = type is any StorableValue.Type || type is any RawRepresentable.Type
    return property.isJSON || !isSingle || rules.contains { $0.model.includes(type) }
  }

  /// Whether a property of that name is sealed in some class.
  func mention(_ property: String) -> Bool { rules.contains { $0.place.property == property } }

  /// Where a property is sealed in every object of a type.
  func place(of property: String, inType type: any Any.Type) -> Place? {
    rules.first { $0.place.property == property && $0.model.includes(type) }?.place
  }

  /// The columns of sealed values, in small letters, each with a place whose values go there.
  var columns: [String: Place] {
    let all = rules.flatMap { rule in rule.columns.map { ($0.lowercased(), rule.place) } }
    return Dictionary(all, uniquingKeysWith: { first, _ in first })
  }

  /// The columns to which a place's values go.
  func columns(of place: Place) -> [String] { rules.first { $0.place == place }?.columns ?? [] }

  /// The sealed properties of a class, and those of its superclasses.
  func places(of model: ModelTable.Model) -> [String: Place] {
    let own = rules.filter { $0.model.includes(model.type) }
    return Dictionary(own.map { ($0.place.property, $0.place) }, uniquingKeysWith: { a, _ in a })
  }
}
