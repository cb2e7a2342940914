/// An object with its children as a Codable value, for any encoder and decoder.
/// ```swift
/// let data = try JSONEncoder().encode(Coded(car))
/// let copy = try JSONDecoder().decode(Coded<Car>.self, from: data).object
/// ```
/// What it encodes is what ``Entity/toJSON(includesObjectID:)`` says, identifiers included. What it decodes is new: saving
/// it where an object of that identifier is stored is a constraint error; fetch that one and ``Entity/populate(with:_:)-(JSONValue,_)`` it instead.
public struct Coded<E: Entity> {
  /// The object.
  public let object: E

  /// Wraps an object.
  public init(_ object: E) { self.object = object }
}

extension Coded: Encodable {
  /// Encodes the object with its children.
  ///
  /// - Throws: ``NacreError/Code/valueMismatch``, or what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try object.toJSON(includesObjectID: true).encode(to: encoder)
  }
}

extension Coded: Decodable {
  /// Decodes an object with its children.
  ///
  /// - Throws: ``NacreError`` where something does not fit; what the decoder throws.
  public init(from decoder: any Decoder) throws {
    object = E()
    try object.populate(with: JSONValue(from: decoder))
  }
}
