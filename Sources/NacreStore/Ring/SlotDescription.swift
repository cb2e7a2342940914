import NacreEngine

/// A slot: one secret that unlocks the store.
public struct SlotDescription: Sendable {
  /// The slot's number.
  public let id: Int64
  /// The kind of secret: `secret` for 32 bytes, `passphrase`.
  public let kind: String

  /// Describes a slot.
  package init(id: Int64, kind: String) {
    self.id = id
    self.kind = kind
  }

  /// Returns every row of the table, including those of a kind that this version does not know.
  package static func all(on connection: any EngineConnection) throws -> [SlotDescription] {
    try connection.keptSlots().map { SlotDescription(id: $0.id, kind: text($0.kind)) }
  }

  /// Returns the name of a kind; somebody may have stored bytes in its place.
  private static func text(_ kind: Value) -> String {
    switch kind {
    case .text(let name): name
    case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
    default: ""
    }
  }
}
