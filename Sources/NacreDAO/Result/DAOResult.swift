import NacreCore

/// How a call of a DAO's method ended: its value, or the error that it failed with.
public struct DAOResult {
  /// The outcome for one element of `foreach`, or for the whole call if it has no `foreach`.
  public enum Flag: Sendable, Equatable {
    /// The statements ran; in a `<try>`, those before its `<except>`.
    case ran
    /// The statements in `<except>` ran.
    case excepted
    /// There was nothing to run, or `onVoid` said to quit.
    case void
    /// A `<step>` that may fail has failed.
    case failedStep
  }

  /// The result of a select; nil if it found no row, and for every other method.
  public var value: Any? { held is Absent ? nil : held }
  /// The value, or an `Absent` that says why there is none.
  ///
  /// It is no optional, because copying an optional of `Any` costs several times as much.
  private let held: Any
  enum Absent { case value, row, null }
  /// The method that was called.
  var method: MethodName?
  /// The flag of a call without a loop; nil if the call has none, or has details.
  private let flag: Flag?
  /// The parts that few calls have; the others need not copy them.
  private let details: Details?
  /// Why the call failed.
  public var error: (any Error)? { details?.error }
  /// The outcome for each element of `foreach`, in order; one flag if the call has no `foreach`.
  public var flags: [Flag] { details?.flags ?? flag.map { [$0] } ?? [] }
  /// The elements of `foreach` for which a resumable step failed.
  public var foreachFailedObjects: [Any] { details?.failedObjects ?? [] }
  /// How many rows the statements of the call changed together, without the changes of triggers; 0 for a select, and for
  /// a call that failed.
  public internal(set) var changedRowCount = 0
  /// The rowid of the row that the call inserted last; nil if it inserted none.
  public internal(set) var insertedRowID: Int64?

  /// Whether the call did everything that it had to do.
  public var succeeded: Bool { error == nil }
  /// Whether the call failed and changed no row; a table that it had to make or upgrade first stays.
  public var failed: Bool { error != nil }

  private final class Details {
    let flags: [Flag]
    let failedObjects: [Any]
    let error: (any Error)?

    init(flags: [Flag], failedObjects: [Any], error: (any Error)?) {
      (self.flags, self.failedObjects, self.error) = (flags, failedObjects, error)
    }
  }

  /// Makes the result of a call without a loop.
  init(value: consuming Any? = nil, flag: Flag) {
    held = value ?? Absent.value
    self.flag = flag
    details = nil
  }

  /// Makes the result of a call that has not ended yet.
  init() {
    held = Absent.value
    flag = nil
    details = nil
  }

  init(
    value: consuming Any? = nil,
    flags: [Flag] = [],
    failedObjects: [Any] = []
  ) {
    held = value ?? Absent.value
    flag = nil
    details =
      flags.isEmpty && failedObjects.isEmpty
      ? nil : Details(flags: flags, failedObjects: failedObjects, error: nil)
  }

  /// Makes the result of a call that failed.
  init(error: any Error) {
    held = Absent.value
    flag = nil
    details = Details(flags: [], failedObjects: [], error: error)
  }

  /// The value as a type; ask for an optional if there may be no row.
  ///
  /// - Parameter type: the type.
  /// - Returns: the value.
  /// - Throws: the error of a call that failed; ``NacreError`` with code `valueMismatch` for a value of another type.
  public func get<T>(as type: T.Type = T.self) throws -> T {
    if let error { throw error }
    // A function that returns an optional is not used here: if only the caller knows its type, the optional costs a
    // look-up.
    func open<V>(_ value: V) throws -> T {
      V.self == T.self ? unsafeBitCast(value, to: T.self) : try converted(to: type)
    }
    return try _openExistential(held, do: open)
  }

  private func converted<T>(to type: T.Type) throws -> T {
    if let value = DAOValue.converted(value, to: type) { return value }
    let (found, advice) = finding(insteadOf: type)
    let error = NacreError.dao(
      .valueMismatch,
      "the method \(found), and \(type) was asked for",
      advice: advice
    )
    throw method.map { error.at(module: $0.module, method: $0.id) } ?? error
  }

  /// Returns in words the result that the call gave instead of a value of the type, and the advice
  /// for the caller.
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
        "gave a NULL or a missing row among its elements",
        "Declare the elements as \(array.contentType)?."
      )
    }
    return ("gave \(Swift.type(of: held))", "Ask for what the configuration's `result` says.")
  }
}
