import Foundation
import NacreCore

/// Says which properties of which classes `<crypt>` seals.
struct CryptRules: Sendable {
  private struct Rule: Sendable {
    let place: SealedProperty
    let model: ModelTable.Model
    /// The columns that the values go to.
    ///
    /// These are the columns that the class's maps name for the property, or else the column with the property's name,
    /// and also those that the maps of its subclasses name.
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
    // A superclass's rule comes first, both for sealing and for opening.
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
      return Set(maps.flatMap { $0.properties.filter { $0.value.name == property }.keys })
    }
    let hasOwn = !mapped { $0.type == model.type }.isEmpty
    return mapped { model.includes($0.type) }.union(hasOwn ? [] : [property]).sorted()
  }

  /// The class and property of the rule that seals an object's property; nil if no rule does.
  ///
  /// A superclass's rule also applies to objects of its subclasses.
  func place(of property: String, in object: Any) -> SealedProperty? {
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

  /// Throws if an object lacks one of these sealed properties.
  ///
  /// The object's code may give the value under another name, which would be stored unsealed. If its stored property is
  /// nil, there is nothing to seal.
  func checkNames(
    _ names: [String],
    of object: Any,
    _ path: ReferencePath,
    _ field: (String) -> Field
  ) throws {
    for name in names {
      guard case .missing = field(name) else { continue }
      if case .object(.none) = Mirror(reflecting: object).stored(name) { continue }
      throw DAOValue.Failure(
        message:
          "“\(path)”: \(type(of: object)) encodes nothing under the name “\(name)”, which "
          + "<crypt> seals; use a name that the type encodes"
      )
    }
  }

  /// Whether a value has a class with sealed properties, or holds such a value, down to a depth.
  ///
  /// The properties may be sealed by a rule or by the value's entity. The depth is limited because a value that refers
  /// to itself has no end.
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
      if let entity = asEntity(value),
        type(of: entity).entitySchema.properties.contains(where: \.isSealed)
      {
        return true
      }
      // A value of another type may hold such a value in its properties.
      return !(value is any StorableValue)
        && Mirror(reflecting: value).levels.contains { level in
          level.children.contains { isInside($0.value, depth: depth - 1) }
        }
    }
  }

  /// Whether an entity's property may have a class with sealed properties, or hold such a value.
  func mayBeInside(_ property: Property) -> Bool {
    if isEmpty { return false }
    let type = property.valueType
    let isSingle = type is any StorableValue.Type || type is any RawRepresentable.Type
    return property.isJSON || !isSingle || rules.contains { $0.model.includes(type) }
  }

  /// Whether any class has a sealed property with that name.
  func mention(_ property: String) -> Bool { rules.contains { $0.place.property == property } }

  /// The class and property of the rule that seals a property in every object of a type; nil if no rule does.
  func place(of property: String, inType type: any Any.Type) -> SealedProperty? {
    rules.first { $0.place.property == property && $0.model.includes(type) }?.place
  }

  /// The columns of sealed values, each with a place whose values go there.
  var columns: [SQLName: SealedProperty] {
    let all = rules.flatMap { rule in rule.columns.map { (SQLName($0), rule.place) } }
    return Dictionary(all, uniquingKeysWith: { first, _ in first })
  }

  /// The columns that a place's values go to.
  func columns(of place: SealedProperty) -> [String] {
    rules.first { $0.place == place }?.columns ?? []
  }

  /// The sealed properties of a class and its superclasses.
  func places(of model: ModelTable.Model) -> [String: SealedProperty] {
    let own = rules.filter { $0.model.includes(model.type) }
    return Dictionary(own.map { ($0.place.property, $0.place) }, uniquingKeysWith: { a, _ in a })
  }
}
