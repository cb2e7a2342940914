/// A slot of a key ring as it is kept, whatever somebody else may have made of it.
package struct KeptSlot: Sendable, Equatable {
  /// The slot's number.
  package let id: Int64
  /// A text that names the kind of secret.
  package let kind: Value
  /// A text with the parameters of the key derivation.
  package let parameters: Value
  /// A blob with the sealed store key.
  package let sealed: Value

  /// Makes a slot.
  package init(id: Int64, kind: Value, parameters: Value, sealed: Value) {
    self.id = id
    self.kind = kind
    self.parameters = parameters
    self.sealed = sealed
  }
}

/// Keeps the slots of a key ring outside of the store's tables, such as in the header of a file whose pages are sealed.
package protocol SlotKeeping: AnyObject, Sendable {
  /// Whether slots are kept before the store has a key ring.
  var precedesRing: Bool { get }
  /// Returns all slots by their ids, as the connection's transaction sees them.
  func slots(on connection: any EngineConnection) throws -> [KeptSlot]
  /// Keeps a slot in place of the one that has its id, if the connection's transaction is committed.
  func put(_ slot: KeptSlot, on connection: any EngineConnection) throws
  /// Removes a slot, if the connection's transaction is committed.
  func remove(_ id: Int64, on connection: any EngineConnection) throws
}
