public import Foundation

/// What went wrong in a store: which kind of failure, at which entity, property and object, and what to do.
///
/// It never holds a value, a plaintext or a byte of a key.
public struct NacreError: Error, Sendable {
  /// The kind of failure.
  public let code: Code
  /// The entity at which it happened, where there is one.
  public package(set) var entity: String?
  /// The property at which it happened, where there is one.
  public package(set) var property: String?
  /// The object at which it happened, where there is one.
  public package(set) var objectID: UUID?
  /// The place, from 0, in the list of records that was given, or among the elements of a DAO's `foreach`, where there is
  /// one.
  public package(set) var index: Int?
  /// What exactly was found, such as the path of a file or a key's id.
  public let detail: String?
  /// The error of the database or of the crypto room underneath, where there is one.
  public let cause: (any Error)?
  /// What to do, where it is not what the code says.
  private let ownAdvice: String?

  package init(
    _ code: Code,
    entity: String? = nil,
    property: String? = nil,
    objectID: UUID? = nil,
    detail: String? = nil,
    advice: String? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.entity = entity
    self.property = property
    self.objectID = objectID
    self.detail = detail
    ownAdvice = advice
    self.cause = cause
  }

  /// What to do.
  package var advice: String { ownAdvice ?? code.advice }

  /// A kind of failure.
  ///
  /// More can come in later versions, so that a `switch` over codes needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, which never changes.
    public let description: String
    let sentence: String
    fileprivate let advice: String

    init(_ name: String, _ sentence: String, _ advice: String) {
      description = name
      self.sentence = sentence
      self.advice = advice
    }

    /// Codes are equal when their names are.
    public static func == (a: Code, b: Code) -> Bool { a.description == b.description }

    /// Codes hash by their names.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
  }
}

extension NacreError: CustomStringConvertible, LocalizedError {
  /// What happened, where, and what to do.
  public var description: String { description(advising: advice) }

  /// The same with other words on what to do, as of a program that is no library.
  package func description(advising advice: String) -> String {
    var text = code.sentence
    if let place { text += " at \(place)" }
    if let detail { text += ": \(detail)" }
    if let cause { text += " (\(cause))" }
    return text + ". " + advice
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  private var place: String? {
    guard let entity else { return nil }
    var text = entity
    if let property { text += ".\(property)" }
    if let objectID { text += " of \(objectID.uuidString)" }
    if let index { text += " of record \(index) of the list" }
    return text
  }
}
