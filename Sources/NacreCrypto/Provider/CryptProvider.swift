/// Seals and opens the values of a store, or of one property.
///
/// An application installs its own provider instead of Nacre's to use another cipher or a hardware module. Nacre stores
/// the provider's result as it is; the provider then has to give the guarantees that the default one gives.
public protocol CryptProvider: Sendable {
  /// Seals a payload.
  ///
  /// - Parameters:
  ///   - payload: The type byte and the value.
  ///   - context: The store, the class, the property and the object.
  /// - Returns: The content of the column.
  /// - Throws: Any error, which ends the save.
  func seal(_ payload: [UInt8], in context: SealingContext) throws -> [UInt8]

  /// Opens the result of `seal`.
  ///
  /// - Parameters:
  ///   - sealed: The content of the column.
  ///   - context: The store, the class, the property and the object.
  /// - Returns: The payload.
  /// - Throws: Any error, which ends the fetch; it must throw for an altered value.
  func open(_ sealed: [UInt8], in context: SealingContext) throws -> [UInt8]
}

/// The place of a value, for a provider.
public struct SealingContext: Sendable, Hashable {
  /// The store.
  public let storeID: StoreID
  /// The entity's name, or the class of the DAO.
  public let entity: String
  /// The property's name.
  public let property: String
  /// The 16 bytes of the objectID; zeros in the DAO, which has no objectID.
  public let objectID: [UInt8]

  /// Makes a place.
  ///
  /// - Parameters:
  ///   - storeID: The store.
  ///   - entity: The entity's name.
  ///   - property: The property's name.
  ///   - objectID: The 16 bytes of the objectID.
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
  /// A closure that seals or opens bytes at a place.
  public typealias Hook = @Sendable ([UInt8], SealingContext) throws -> [UInt8]

  private let sealHook: Hook
  private let openHook: Hook

  /// Makes a provider from a closure for each direction.
  ///
  /// - Parameters:
  ///   - seal: Turns a payload into the content of the column.
  ///   - open: Turns the content of the column into the payload.
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
