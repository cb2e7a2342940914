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
}
