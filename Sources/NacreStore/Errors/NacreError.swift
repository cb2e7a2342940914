public import Foundation
import NacreCrypto
import NacreEngine

/// An error of a store: the kind of failure, the entity, property and object where it happened, and what to do.
///
/// It never holds a value, a plaintext or a byte of a key.
public struct NacreError: Error, Sendable {
  /// The kind of failure.
  public let code: Code
  /// The entity where it happened, if any.
  public package(set) var entity: String?
  /// The property where it happened, if any.
  public package(set) var property: String?
  /// The object where it happened, if any.
  public package(set) var objectID: UUID?
  /// The index, from 0, in the given list of records or among the elements of a DAO's `foreach`, if any.
  public package(set) var index: Int?
  /// The details of what was found, such as the path of a file or a key's id.
  public package(set) var detail: String?
  /// The underlying error of the database or the crypto module, if any.
  public package(set) var cause: (any Error)?
  /// The advice of this error, if it differs from the code's.
  package let ownAdvice: String?

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

  /// The advice: what the caller can do.
  package var advice: String { ownAdvice ?? code.advice }

  /// The detail, or else the message of the underlying error; nil if there is neither.
  package var finding: String? {
    detail ?? (cause as? CryptoError)?.message ?? (cause as? any EngineError)?.message
  }

  /// A kind of failure.
  ///
  /// Later versions can add codes, so a `switch` over codes needs a `default`.
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

    /// Codes are equal if their names are equal.
    public static func == (a: Code, b: Code) -> Bool { a.description == b.description }

    /// Codes hash by their names.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
  }
}

extension NacreError: CustomStringConvertible, LocalizedError {
  /// The failure, its place, and the advice, in sentences.
  public var description: String { description(advising: advice) }

  /// The same text with other advice, such as that of a program.
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
