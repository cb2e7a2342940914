import NacreCore

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
        issues.note(
          "<crypt> names “\(crypt.type)”, which is not one of the models",
          at: places.type
        )
        continue
      }
      check(crypt.property, of: model, crypt.type, at: places.property, issues)
    }
  }

  private func check(_ map: DAOModule.ResultMap, _ issues: ConfigurationIssues) {
    if isAmbiguous(map.type, at: map.place, issues) { return }
    // A name that belongs to no model is noted where the map is used.
    guard let model = model(map.type) else { return }
    for property in map.properties.values {
      check(property.name, of: model, map.type, at: property.place, issues)
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
    issues.note("“\(name)” can mean \(list); write the full name of the right one", at: place)
    return true
  }

  private func checkResult(
    _ name: String,
    at place: ConfigurationPlace,
    _ issues: ConfigurationIssues
  ) {
    guard let model = model(name) else {
      issues.note(
        "“\(name)” is not one of the models that the DAO was given; the types of single values are "
          + ResultType.scalars,
        at: place
      )
      return
    }
    if model.type is any Entity.Type || model.type is any Decodable.Type { return }
    issues.note(
      "rows can't be made into “\(name)”: it is neither an entity nor Decodable",
      at: place
    )
  }
}
