import NacreStore

extension EntitySchema {
  /// Returns the links behind key paths.
  func links<Root>(_ paths: [PartialKeyPath<Root>]) throws -> [Property] {
    // Most calls name no link. For those, the type of the key paths is not looked up.
    if paths.count == 0 { return [] }
    return try paths.map { path in
      guard let property = property(path), case .link = property.kind else {
        throw error(.noSuchProperty, path, "is not a link to one object")
      }
      return property
    }
  }
}
