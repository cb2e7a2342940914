import NacreEngine
import NacreStore

/// Wraps an object with its children as a Codable value, for any encoder and decoder.
/// ```swift
/// let data = try JSONEncoder().encode(Coded(car))
/// let copy = try JSONDecoder().decode(Coded<Car>.self, from: data).object
/// ```
/// It encodes what ``Entity/toJSON(includesObjectID:)`` returns with identifiers included. A
/// decoded object is new: saving it is a constraint error if an object with that identifier is
/// already stored. In that case fetch the stored object and
/// ``Entity/populate(with:_:)-(JSONValue,_)`` it instead.
public struct Coded<E: Entity> {
  /// The object.
  public let object: E

  /// Wraps an object.
  public init(_ object: E) { self.object = object }
}

extension Coded: Encodable {
  /// Encodes the object with its children.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch``, or the encoder's error.
  public func encode(to encoder: any Encoder) throws {
    try object.toJSON(includesObjectID: true).encode(to: encoder)
  }
}

extension Coded: Decodable {
  /// Decodes an object with its children.
  ///
  /// - Throws: ``NacreError`` if a value does not fit, or the decoder's error.
  public init(from decoder: any Decoder) throws {
    object = E()
    try object.populate(with: JSONValue(from: decoder))
  }
}
