import Foundation
import NacreCore

/// Answers questions about values whose types are known only in a call.
enum DAOValue {
  /// Says why a value can't be used as a template wants it; it names the path, never the value.
  struct Failure: Error, Equatable, Sendable {
    let message: String
    /// The index of the `<foreach>`'s element at which it happened.
    var element: Int?
  }

  /// Whether a value is nil, `NSNull`, or an optional that holds one of these.
  static func isNil(_ value: Any?) -> Bool { unwrapped(value) == nil }

  /// A value without the optionals around it; nil if there is none.
  static func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    // Comparing types costs next to nothing. Asking for a protocol or a class costs more, and makes an NSArray of an
    // array.
    let type = type(of: value)
    if type == Int.self || type == String.self || type == Bool.self || type == Double.self
      || type == Int64.self
    {
      return value
    }
    if type == NSNull.self { return nil }
    if let optional = value as? any AnyOptional { return unwrapped(optional.wrapped) }
    return value
  }

  /// Whether a value is a number, a text or the like, or a list of these, so that it holds no object.
  static func isPlain(_ value: Any?) -> Bool {
    guard let value else { return true }
    let type = type(of: value)
    if type == Int.self || type == String.self || type == Bool.self || type == Double.self
      || type == Date.self || type == Data.self
    {
      return true
    }
    let inner = ContainedType.innermost(type)
    return inner is any StorableValue.Type || inner is any RawRepresentable.Type
  }

  /// The elements of a collection; those of a set in no particular order.
  static func elements(of value: Any?, named path: ReferencePath) throws -> [Any?] {
    elements(of: try collection(value, named: path))
  }

  /// The elements of a collection, in its own order.
  static func elements(of collection: any LoopCollection) -> [Any?] {
    var elements: [Any?] = []
    collection.forEachElement { elements.append($0) }
    return elements
  }

  /// A value as a collection.
  static func collection(
    _ value: Any?,
    named name: some CustomStringConvertible
  ) throws -> any LoopCollection {
    if let collection = value as? any LoopCollection { return collection }
    if isNil(value) { throw Failure(message: "the collection “\(name)” is nil") }
    throw Failure(message: "“\(name)” is neither an array nor a set")
  }

  /// The pairs of a dictionary, in the order of their names.
  static func pairs(
    of value: Any?,
    named path: ReferencePath
  ) throws -> [(name: String, value: Any?)] {
    guard let value = unwrapped(value) else { return [] }
    if let members = members(of: value) { return members }
    throw Failure(message: "“\(path)” is not a dictionary whose keys are texts")
  }

  /// A value as an expression's operand.
  static func operand(_ value: Any?) -> Operand {
    guard let value = unwrapped(value) else { return .null }
    // A cast that fails costs more than all of these comparisons.
    let type = type(of: value)
    if type == Int.self, let number = value as? Int { return .integer(Int64(number)) }
    if type == String.self, let text = value as? String { return .text(text) }
    if type == Bool.self, let flag = value as? Bool { return .flag(flag) }
    if type == Double.self, let number = value as? Double { return .real(number) }
    if value is any LoopCollection { return .object }
    if let operand = otherOperand(value) { return operand }
    switch value {
    case let text as String: return .text(text)
    case let flag as Bool: return .flag(flag)
    case let value as any BinaryInteger:
      return Int64(exactly: value).map(Operand.integer) ?? .real(Double(value))
    case let number as Double: return .real(number)
    case let value as Float: return .real(Double(value))
    case let value as Decimal: return .real(NSDecimalNumber(decimal: value).doubleValue)
    case let value as Date: return .real(value.timeIntervalSince1970)
    case let value as any RawRepresentable: return operand(value.rawValue)
    default: return .object
    }
  }

  /// A value as a part of SQL, and whether it is a text that needs quotes.
  static func spliced(
    _ value: Any?,
    named path: ReferencePath
  ) throws -> (text: String, isText: Bool) {
    guard let value = unwrapped(value) else { throw unusable(path) }
    let type = type(of: value)
    if type == Int.self, let number = value as? Int { return (String(number), false) }
    if let text = value as? String { return (text, true) }
    if type == Bool.self, let flag = value as? Bool { return (flag ? "1" : "0", false) }
    if let text = otherText(value) { return (text, true) }
    switch try foundationValue(value) ?? (value as? any StorableValue)?.storedValue {
    case .integer(let number): return ("\(number)", false)
    case .real(let number) where number.isFinite: return ("\(number)", false)
    case .text(let text): return (text, true)
    default: throw unusable(path)
    }
  }

  /// A stored form as a Swift value; a flag has become a number by then.
  static func plain(_ value: Value) -> Any? {
    switch value {
    case .null: nil
    case .integer(let number): Int(truncatingIfNeeded: number)
    case .real(let number): number
    case .text(let text): text
    case .blob(let data): data
    }
  }

  /// A value as a type, converted through its stored form if it has another type; nil if it can't be converted.
  static func converted<T>(_ value: Any?, to type: T.Type) -> T? {
    guard let value else {
      return (T.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? T
    }
    if let value = value as? T { return value }
    if let stored = T.self as? any StorableValue.Type, let value = value as? any StorableValue {
      return try? stored.init(storedValue: value.storedValue) as? T
    }
    return (T.self as? any ContainerType.Type)?.made(of: value) as? T
  }

  private static func unusable(_ path: ReferencePath) -> Failure {
    Failure(message: "“\(path)” can't stand in SQL; write #{\(path)}")
  }
}
