import Foundation

/// A collection whose elements are in an order, so that a path can name one by its number.
protocol IndexedCollection: LoopCollection {
  var elementCount: Int { get }
  /// The element with a number from 0; it must be smaller than ``elementCount``.
  func element(at number: Int) -> Any
}

extension Array: IndexedCollection {
  var elementCount: Int { count }
  func element(at number: Int) -> Any {
    // Code that does not know the type would wrap the element in another `Any`.
    Element.self == Any.self ? unsafeBitCast(self, to: [Any].self)[number] : self[number]
  }
}

extension ArraySlice: IndexedCollection {
  var elementCount: Int { count }
  func element(at number: Int) -> Any { self[startIndex + number] }
}

extension NSArray: IndexedCollection {
  var elementCount: Int { count }
  func element(at number: Int) -> Any { object(at: number) }
}

extension DAOValue {
  /// The element of an array with a number from 0; nil if it is nil.
  ///
  /// - Throws: `Failure` if there is no such element, or the value is no array.
  static func element(
    at number: Int,
    of value: Any,
    named path: some CustomStringConvertible
  ) throws -> Any? {
    guard let list = value as? any IndexedCollection else {
      throw Failure(message: "“\(path)”: only the elements of an array have numbers")
    }
    guard number < list.elementCount else {
      throw Failure(message: "“\(path)”: there is no element \(number)")
    }
    return unwrapped(list.element(at: number))
  }
}
