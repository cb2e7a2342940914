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
    /// Where the values go: the columns that the class's maps say, or else the one of the property's name.
    let columns: [String]
  }

  private let rules: [Rule]
  var isEmpty: Bool { rules.isEmpty }

  init(_ module: DAOModule, _ models: ModelTable) {
    rules = module.crypts.compactMap { place in
      let mapped = module.maps.values.filter { $0.type == place.type }.flatMap { map in
        map.properties.filter { $0.value == place.property }.map(\.key)
      }
      return models.model(place.type).map {
        Rule(
          place: place,
          model: $0,
          columns: mapped.isEmpty ? [place.property] : Set(mapped).sorted()
        )
      }
    }
  }

  /// Where an object's property is sealed; a subclass's object is one of its superclass, too.
  func place(of property: String, in object: Any) -> Place? {
    rules.first { $0.place.property == property && $0.model.isInstance(object) }?.place
  }

  /// Whether a property of that name is sealed in some class.
  func mention(_ property: String) -> Bool { rules.contains { $0.place.property == property } }

  /// The columns to which a place's values go.
  func columns(of place: Place) -> [String] { rules.first { $0.place == place }?.columns ?? [] }

  /// The sealed properties of a class.
  func places(of model: ModelTable.Model) -> [String: Place] {
    let own = rules.filter { $0.model.type == model.type }
    return Dictionary(own.map { ($0.place.property, $0.place) }, uniquingKeysWith: { a, _ in a })
  }
}
