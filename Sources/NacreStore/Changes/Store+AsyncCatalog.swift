// The async twins of what holds the catalog against its MAC.

extension Store {
  /// Holds the catalog against its MAC, and says in what it differs.
  ///
  /// - Returns: what was found.
  /// - Throws: ``NacreError`` with code `storeLocked`, `noKeyRing` or `ringTampered`.
  public func reviewCatalog() async throws -> CatalogReview {
    try await Self.onThread { try self.reviewCatalog() }
  }

  /// Takes the catalog as it was reviewed for right, and gives it a MAC.
  ///
  /// - Parameter review: what ``reviewCatalog()`` has found.
  /// - Throws: ``NacreError`` with code `catalogTampered` where it was changed since the review; `storeLocked`, `noKeyRing`.
  public func acceptCatalog(_ review: CatalogReview) async throws {
    try await Self.onThread { try self.acceptCatalog(review) }
  }

  /// Puts the catalog back to what a holder of the store key wrote last, from the copy that the MAC covers.
  ///
  /// - Parameter review: what ``reviewCatalog()`` has found.
  /// - Throws: ``NacreError`` with code `catalogTampered` where it was changed since the review, or where nothing in the file
  ///   tells how it was; `foreignSchema`; `storeLocked`, `noKeyRing`.
  public func restoreCatalog(_ review: CatalogReview) async throws {
    try await Self.onThread { try self.restoreCatalog(review) }
  }
}
