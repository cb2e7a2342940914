/// Seals and opens the values of a store, or of one property.
///
/// An application installs its own in place of Nacre's to bring another cipher or a hardware
/// module. What it returns is stored as it is; the default's guarantees are then its own to give.
public protocol CryptProvider: Sendable {
  /// Seals a payload.
  ///
  /// - Parameters:
  ///   - payload: the type byte and the value.
  ///   - context: the store, the class, the property and the object.
  /// - Returns: what the column shall hold.
  /// - Throws: any error, which ends the save.
  func seal(_ payload: [UInt8], in context: SealingContext) throws -> [UInt8]

  /// Opens what `seal` returned.
  ///
  /// - Parameters:
  ///   - sealed: what the column holds.
  ///   - context: the store, the class, the property and the object.
  /// - Returns: the payload.
  /// - Throws: any error, which ends the fetch; a value that was altered must not come back.
  func open(_ sealed: [UInt8], in context: SealingContext) throws -> [UInt8]
}

/// The place of a value, as a provider is told.
public struct SealingContext: Sendable, Hashable {
  /// The store.
  public let storeID: StoreID
  /// The entity's name, or the class of the DAO.
  public let entity: String
  /// The property's name.
  public let property: String
  /// The 16 bytes of the objectID; zeros in the DAO, which has none.
  public let objectID: [UInt8]

  /// A place.
  ///
  /// - Parameters:
  ///   - storeID: the store.
  ///   - entity: the entity's name.
  ///   - property: the property's name.
  ///   - objectID: the 16 bytes of the objectID.
  public init(storeID: StoreID, entity: String, property: String, objectID: [UInt8]) {
    self.storeID = storeID
    self.entity = entity
    self.property = property
    self.objectID = objectID
  }

  init(_ context: borrowing FieldContext, objectID: ObjectIDBytes) {
    self.init(
      storeID: context.storeID,
      entity: context.entity,
      property: context.property,
      objectID: objectID.bytes
    )
  }
}

/// A provider made of two closures.
public struct HookProvider: CryptProvider {
  /// What seals or opens bytes at a place.
  public typealias Hook = @Sendable ([UInt8], SealingContext) throws -> [UInt8]

  private let sealHook: Hook
  private let openHook: Hook

  /// A provider from a closure for each direction.
  ///
  /// - Parameters:
  ///   - seal: turns a payload into what the column shall hold.
  ///   - open: turns what the column holds into the payload.
  public init(seal: @escaping Hook, open: @escaping Hook) {
    sealHook = seal
    openHook = open
  }

  /// Calls the closure for sealing.
  public func seal(_ payload: [UInt8], in context: SealingContext) throws -> [UInt8] {
    try sealHook(payload, context)
  }

  /// Calls the closure for opening.
  public func open(_ sealed: [UInt8], in context: SealingContext) throws -> [UInt8] {
    try openHook(sealed, context)
  }
}
