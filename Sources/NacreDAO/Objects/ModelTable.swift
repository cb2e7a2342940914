import NacreCore

/// The classes and structs that a configuration can name.
struct ModelTable: Sendable {
  /// One of them.
  struct Model: Sendable {
    let type: any Any.Type

    /// Whether a value is of this type, or of a subclass of it.
    func isInstance(_ value: Any) -> Bool {
      func check<T>(_: T.Type) -> Bool { value is T }
      return _openExistential(type, do: check)
    }

    /// Whether a type is this one, or a subclass of it.
    func includes(_ other: any Any.Type) -> Bool {
      func check<T>(_: T.Type) -> Bool { other is T.Type }
      return other == type || _openExistential(type, do: check)
    }

    /// Whether a name is one of an entity's properties, or one of a Decodable type's coding keys; nil if only a value
    /// can tell.
    func hasProperty(_ name: String) -> Bool? {
      if let entity = type as? any Entity.Type {
        return entity.entitySchema.property(named: name) != nil
      }
      return (type as? any Decodable.Type).flatMap { CodingKeyProbe.hasKey(name, $0) }
    }
  }

  private let models: [(names: [String], model: Model)]

  init(_ types: [any Any.Type]) {
    var known: Set<ObjectIdentifier> = []
    models = types.filter { known.insert(ObjectIdentifier($0)).inserted }.map { type in
      let full = String(reflecting: type).split(separator: ".").map(String.init)
      // `Outer.Message` is found both under its whole name without the module and as `Message`.
      let names = full.indices.map { full[$0...].joined(separator: ".") }
      return (names, Model(type: type))
    }
  }

  /// The model with that name, with or without the names of the types and module around it; nil if there is none, or
  /// several.
  func model(_ name: String) -> Model? {
    let found = models.filter { $0.names.contains(name) }
    return found.count == 1 ? found.first?.model : nil
  }

  /// The whole names of the models that a name can mean.
  private func wholeNames(_ name: String) -> [String] {
    models.filter { $0.names.contains(name) }.compactMap(\.names.first)
  }
}

extension ModelTable {
  /// Compares a configuration with the models.
  ///
  /// It notes every name that belongs to no model or to several, every model that rows can't be made into, and every
  /// property that a model does not have.
  func check(_ module: DAOModule, _ issues: ConfigurationIssues) {
    for method in module.methods.values {
      switch method.result?.element {
      case .object(let name):
        if isAmbiguous(name, at: method.place, issues) { continue }
        checkResult(name, at: method.place, issues)
      case .map(let id):
        // A name that means several models is noted once, where the map uses it.
        guard let map = module.maps[id], wholeNames(map.type).count < 2 else { continue }
        checkResult(map.type, at: method.place, issues)
      default: break
      }
    }
    for map in module.maps.values { check(map, issues) }
    for (crypt, places) in module.cryptPlaces {
      if isAmbiguous(crypt.type, at: places.type, issues) { continue }
      guard let model = model(crypt.type) else {
        issues.note("<crypt> names “\(crypt.type)”, which is none of the models", at: places.type)
        continue
      }
      check(crypt.property, of: model, crypt.type, at: places.property, issues)
    }
  }

  private func check(_ map: DAOModule.ResultMap, _ issues: ConfigurationIssues) {
    if isAmbiguous(map.type, at: map.places.type, issues) { return }
    // A name that belongs to no model is noted where the map is used.
    guard let model = model(map.type) else { return }
    for (column, place) in map.places.properties {
      guard let property = map.properties[column] else { continue }
      check(property, of: model, map.type, at: place, issues)
    }
  }

  private func check(
    _ property: String,
    of model: Model,
    _ name: String,
    at place: ConfigurationPlace,
    _ issues: ConfigurationIssues
  ) {
    guard model.hasProperty(property) == false else { return }
    let what = model.type is any Entity.Type ? "property" : "coding key"
    issues.note("“\(name)” has no \(what) “\(property)”", at: place)
  }

  private func isAmbiguous(
    _ name: String,
    at place: ConfigurationPlace,
    _ issues: ConfigurationIssues
  ) -> Bool {
    let names = wholeNames(name)
    guard names.count > 1 else { return false }
    let list = names.map { "“\($0)”" }.joined(separator: " and ")
    issues.note("“\(name)” can be \(list); write the one that is meant", at: place)
    return true
  }

  private func checkResult(
    _ name: String,
    at place: ConfigurationPlace,
    _ issues: ConfigurationIssues
  ) {
    guard let model = model(name) else {
      issues.note(
        "“\(name)” is none of the models that the DAO was given; single values are "
          + ResultType.scalars,
        at: place
      )
      return
    }
    if model.type is any Entity.Type || model.type is any Decodable.Type { return }
    issues.note("rows can't be made into “\(name)”: it is no entity and not Decodable", at: place)
  }
}
