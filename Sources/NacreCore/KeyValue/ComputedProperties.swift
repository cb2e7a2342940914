/// A type whose computed properties can be read by their names, like stored ones.
///
/// Swift can list a type's stored properties, but not its computed ones, so the type names those.
/// ``Entity/value(forKey:)`` reads them, and the paths of a DAO's configuration.
/// ```swift
/// extension Author: ComputedProperties {
///   var fullName: String { first + " " + last }
///   static var computedProperties: [String: PartialKeyPath<Author>] { ["fullName": \.fullName] }
/// }
/// ```
/// A stored property of the same name comes first. Nothing seals a computed value: a statement that
/// binds one stores it as it is, even if it was made of a sealed property.
public protocol ComputedProperties {
  /// The computed properties by their names.
  static var computedProperties: [String: PartialKeyPath<Self>] { get }
}

extension ComputedProperties {
  /// Returns the value of a computed property; nil if the type names none like that.
  package func computedValue(_ name: String) -> Any? {
    Self.computedProperties[name].map { self[keyPath: $0] }
  }

  /// Returns whether the type names a computed property.
  package static func hasComputedProperty(_ name: String) -> Bool {
    computedProperties[name] != nil
  }
}
