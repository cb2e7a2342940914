// The async versions of the calls that compare the catalog with its MAC.

extension Store {
  /// Compares the catalog with its MAC, and reports the differences.
  ///
  /// - Returns: The review.
  /// - Throws: ``NacreError`` with code `storeLocked`, `noKeyRing` or `ringTampered`.
  public func reviewCatalog() async throws -> CatalogReview {
    try await Self.onThread { try self.reviewCatalog() }
  }

  /// Accepts the catalog as it was reviewed, and gives it a MAC.
  ///
  /// - Parameter review: The result of ``reviewCatalog()``.
  /// - Throws: ``NacreError`` with code `catalogTampered` if the catalog was changed since the
  ///   review; `storeLocked`, `noKeyRing`.
  public func acceptCatalog(_ review: CatalogReview) async throws {
    try await Self.onThread { try self.acceptCatalog(review) }
  }

  /// Restores the catalog that a holder of the store key wrote last, from the copy that the MAC
  /// covers.
  ///
  /// - Parameter review: The result of ``reviewCatalog()``.
  /// - Throws: ``NacreError`` with code `catalogTampered` if the catalog was changed since the
  ///   review, or if nothing in the file tells what it was; `foreignSchema`; `storeLocked`,
  ///   `noKeyRing`.
  public func restoreCatalog(_ review: CatalogReview) async throws {
    try await Self.onThread { try self.restoreCatalog(review) }
  }
}
