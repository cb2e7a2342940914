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
  func wholeNames(_ name: String) -> [String] {
    models.filter { $0.names.contains(name) }.compactMap(\.names.first)
  }
}
