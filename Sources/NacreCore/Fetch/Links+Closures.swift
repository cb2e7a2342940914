// In a `#Predicate`, these calls are written without `try`, and the store answers them.

extension Links {
  /// Returns whether a test is true of a stored element; reads elements until one is found.
  /// ```swift
  /// let bobs = try Car.fetchAll(#Predicate { $0.drivers.contains { $0.name == "Bob" } })
  /// ```
  ///
  /// - Parameter test: Tests an element, with its children.
  /// - Returns: Whether there is such an element.
  /// - Throws: ``NacreError``, and the errors of `test`.
  @available(*, noasync, message: "It reads one element after another; use `fetchAll(where:)`")
  public func contains(where test: (Target) throws -> Bool) throws -> Bool {
    let cursor = try cursor()
    defer { cursor.close() }
    while let element = try cursor.next() {
      if try test(element) { return true }
    }
    return false
  }

  /// Returns whether a test is true of every stored element; reads elements until one fails it.
  ///
  /// - Parameter test: Tests an element, with its children.
  /// - Returns: Whether all elements pass; true if there are none.
  /// - Throws: ``NacreError``, and the errors of `test`.
  @available(*, noasync, message: "It reads one element after another; use `fetchAll(where:)`")
  public func allSatisfy(_ test: (Target) throws -> Bool) throws -> Bool {
    try !contains { try !test($0) }
  }

  /// Returns the stored elements that a test is true of.
  ///
  /// Use it in a predicate to count elements.
  /// ```swift
  /// let shared = #Predicate<Car> { $0.drivers.filter { _ in true }.count > 1 }
  /// ```
  ///
  /// - Parameter test: Tests an element, with its children.
  /// - Returns: The elements, in the order of their objectIDs.
  /// - Throws: ``NacreError``, and the errors of `test`.
  @available(*, noasync, message: "It reads one element after another; use `fetchAll(where:)`")
  public func filter(_ test: (Target) throws -> Bool) throws -> [Target] {
    try fetch(FetchRequest()).filter(test)
  }
}
