/// A type whose values hold values of another type.
protocol ContainerType {
  static var contentType: any Any.Type { get }
  /// A container of this type with the same contents, each converted to ``contentType``; nil if one can't be converted.
  static func made(of value: Any) -> Any?
}

extension ContainerType {
  static func made(of value: Any) -> Any? { nil }
}

extension Optional: ContainerType {
  static var contentType: any Any.Type { Wrapped.self }
  static func made(of value: Any) -> Any? { DAOValue.converted(value, to: Wrapped.self) }
}

protocol ArrayType: ContainerType {}

extension Array: ArrayType {
  static var contentType: any Any.Type { Element.self }

  static func made(of value: Any) -> Any? {
    guard let values = value as? [Any?] else { return nil }
    var made: [Element] = []
    made.reserveCapacity(values.count)
    for value in values {
      guard let element = DAOValue.converted(DAOValue.unwrapped(value), to: Element.self) else {
        return nil
      }
      made.append(element)
    }
    return made
  }
}

extension ArraySlice: ContainerType {
  static var contentType: any Any.Type { Element.self }
}

extension Set: ContainerType {
  static var contentType: any Any.Type { Element.self }
}

/// A dictionary by names, such as a row's columns.
protocol NamedValues {}

extension Dictionary: NamedValues where Key == String {}

/// A dictionary of any keys and values.
protocol AnyDictionary {}

extension Dictionary: AnyDictionary {}

enum ContainedType {
  /// The type that is left when all containers around it are removed.
  static func innermost(_ type: any Any.Type) -> any Any.Type {
    (type as? any ContainerType.Type).map { innermost($0.contentType) } ?? type
  }
}
