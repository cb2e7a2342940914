public import NacreCrypto
public import NacreStore

/// The result of a conversion of a store's file.
public struct FileConversionReport: Sendable {
  /// The store, which keeps its id.
  public let storeID: StoreID
  /// The parts of the file that lie sealed now.
  public let seals: StoreOptions.Seals
  /// Whether the file was converted; false if it had this format already.
  public internal(set) var wasConverted = false
  /// A new anchor, if the store had one before: it refuses every copy from before the conversion.
  public internal(set) var anchor: Anchor?
  /// The duration in seconds.
  public internal(set) var duration = 0.0

  init(storeID: StoreID, seals: StoreOptions.Seals) {
    self.storeID = storeID
    self.seals = seals
  }
}
