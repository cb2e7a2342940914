import NacreCore

/// How a call of a DAO's method ended: its value, or the error that it failed with.
public struct DAOResult {
  /// What became of the statements for one element of `foreach`, or of the call where there is none.
  public enum Flag: Sendable, Equatable {
    /// They ran; of `<try>`, what stands first.
    case ran
    /// What stands in `<except>` ran.
    case excepted
    /// There was nothing to run, or `onVoid` said to quit.
    case void
    /// A `<step>` that may fail has failed.
    case failedStep
  }

  /// What a select gives; nil where it found no row, and for every other method.
  public var value: Any? { held is Absent ? nil : held }
  /// The value, or what there is none of: to copy an optional of anything costs several times as much.
  private let held: Any
  enum Absent { case value, row, null }
  /// The method that was called.
  var method: CompiledMethod?
  /// Why the call failed.
  public let error: (any Error)?
  /// For each element of `foreach` in order, or once, what became of it.
  public let flags: [Flag]
  /// The elements of `foreach` for which a resumable step failed.
  public let foreachFailedObjects: [Any]

  /// Whether the call did all that it was to do.
  public var succeeded: Bool { error == nil }
  /// Whether the call has changed no row; a table that it had to make or upgrade before stays.
  public var failed: Bool { error != nil }

  /// How a call without a loop ended.
  init(value: consuming Any? = nil, flag: Flag) {
    held = value ?? Absent.value
    error = nil
    flags = flag == .ran ? Self.ran : [flag]
    foreachFailedObjects = []
  }

  /// Made once, for nearly every call ends so.
  private static let ran = [Flag.ran]

  init(value: consuming Any? = nil, flags: [Flag] = [], failedObjects: [Any] = []) {
    held = value ?? Absent.value
    error = nil
    self.flags = flags
    foreachFailedObjects = failedObjects
  }

  init(error: any Error) {
    held = Absent.value
    self.error = error
    flags = []
    foreachFailedObjects = []
  }

  /// The value as a type; ask for an optional where there may be no row.
  ///
  /// - Parameter type: the type.
  /// - Returns: the value.
  /// - Throws: the error of a call that failed; ``NacreError`` with code `valueMismatch` for a value of another type.
  public func get<T>(as type: T.Type = T.self) throws -> T {
    if let error { throw error }
    // Not by a function that gives an optional: of a type that is known to the caller alone that costs a look-up.
    func open<V>(_ value: V) throws -> T {
      V.self == T.self ? unsafeBitCast(value, to: T.self) : try converted(to: type)
    }
    return try _openExistential(held, do: open)
  }

  private func converted<T>(to type: T.Type) throws -> T {
    if let value = Self.converted(value, to: type) { return value }
    let (found, advice) = finding(insteadOf: type)
    let error = NacreError.dao(
      .valueMismatch,
      "the method \(found), and \(type) was asked for",
      advice: advice
    )
    throw method.map { error.at(module: $0.module, method: $0.method.id) } ?? error
  }

  /// What there is where a value of a type was asked for, and what to do.
  private func finding(insteadOf type: any Any.Type) -> (String, advice: String) {
    switch held as? Absent {
    case .value: return ("gave no value", "Only a select with a `result` gives one.")
    case .row: return ("found no row", "Declare the result as \(type)?.")
    case .null: return ("gave NULL", "Declare the result as \(type)?.")
    case nil: break
    }
    if let array = type as? any ArrayType.Type, let elements = held as? [Any?],
      array.made(of: elements.filter { !DAOValue.isNil($0) }) != nil
    {
      return (
        "gave a NULL, or no row, among its elements",
        "Declare these as \(array.contentType)?."
      )
    }
    return ("gave \(Swift.type(of: held))", "Ask for what the configuration's `result` says.")
  }

  /// A value as a type, from its stored form where it is of another; nil where it can't be one.
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
}
