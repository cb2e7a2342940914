// In a `#Predicate` these are written without `try`, and the store answers them.

extension Links {
  /// Whether a test is true of a stored element; elements are read until one is found.
  /// ```swift
  /// let bobs = try Car.fetchAll(#Predicate { $0.drivers.contains { $0.name == "Bob" } })
  /// ```
  ///
  /// - Parameter test: what is asked of an element, with its children.
  /// - Returns: whether there is such an element.
  /// - Throws: ``NacreError``, and what `test` throws.
  @available(*, noasync, message: "It reads one element after another; use `fetchAll(where:)`")
  public func contains(where test: (Target) throws -> Bool) throws -> Bool {
    let cursor = try cursor()
    defer { cursor.close() }
    while let element = try cursor.next() {
      if try test(element) { return true }
    }
    return false
  }

  /// Whether a test is true of every stored element; elements are read until one fails it.
  ///
  /// - Parameter test: what is asked of an element, with its children.
  /// - Returns: whether all have it; true where there are no elements.
  /// - Throws: ``NacreError``, and what `test` throws.
  @available(*, noasync, message: "It reads one element after another; use `fetchAll(where:)`")
  public func allSatisfy(_ test: (Target) throws -> Bool) throws -> Bool {
    try !contains { try !test($0) }
  }

  /// The stored elements that a test is true of.
  ///
  /// In a predicate, this is how elements are counted.
  /// ```swift
  /// let shared = #Predicate<Car> { $0.drivers.filter { _ in true }.count > 1 }
  /// ```
  ///
  /// - Parameter test: what is asked of an element, with its children.
  /// - Returns: the elements, in the order in which they were made.
  /// - Throws: ``NacreError``, and what `test` throws.
  @available(*, noasync, message: "It reads one element after another; use `fetchAll(where:)`")
  public func filter(_ test: (Target) throws -> Bool) throws -> [Target] {
    try fetch(FetchRequest()).filter(test)
  }
}
