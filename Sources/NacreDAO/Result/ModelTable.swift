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
  }

  private let models: [(names: [String], model: Model)]

  init(_ types: [any Any.Type]) {
    models = types.map { type in
      let full = String(reflecting: type).split(separator: ".").map(String.init)
      // `Outer.Message` is found under its whole name, without the module, and as `Message`.
      let names = full.indices.map { full[$0...].joined(separator: ".") }
      return (names, Model(type: type))
    }
  }

  /// The model of that name, with or without the names of what it stands in.
  func model(_ name: String) -> Model? {
    models.first { $0.names.contains(name) }?.model
  }
}

extension ModelTable {
  /// Compares a configuration with the models: notes every name that is no model, and every model that rows can't be
  /// made into.
  func check(_ module: DAOModule, _ issues: ConfigurationIssues) {
    for method in module.methods.values {
      switch method.result?.element {
      case .object(let name): checkResult(name, at: method.place, issues)
      case .map(let id):
        if let map = module.maps[id] { checkResult(map.type, at: method.place, issues) }
      default: break
      }
    }
    for (crypt, places) in module.cryptPlaces {
      guard let model = model(crypt.type) else {
        issues.note("<crypt> names “\(crypt.type)”, which is none of the models", at: places.type)
        continue
      }
      guard let entity = model.type as? any Entity.Type,
        entity.entitySchema.property(named: crypt.property) == nil
      else { continue }
      issues.note(
        "<crypt>: \(crypt.type) has no property “\(crypt.property)”",
        at: places.property
      )
    }
  }

  private func checkResult(
    _ name: String,
    at place: ConfigurationPlace,
    _ issues: ConfigurationIssues
  ) {
    guard let model = model(name) else {
      issues.note("“\(name)” is none of the models that the DAO was given", at: place)
      return
    }
    if model.type is any Entity.Type || model.type is any Decodable.Type { return }
    issues.note("rows can't be made into “\(name)”: it is no entity and not Decodable", at: place)
  }
}
