import NacreCrypto
import NacreEngine

/// The result of comparing the catalog with its MAC; the catalog says whether, where and how values
/// are sealed.
public struct CatalogReview: Sendable {
  /// The authenticity of the catalog.
  public enum State: String, Sendable, Codable {
    /// It is as a holder of the store key wrote it.
    case authentic
    /// It never had a MAC, because an older version of Nacre wrote it.
    case unmarked
    /// It was changed by somebody who did not write its MAC: an older version of Nacre, or somebody
    /// without the key. The catalog as it was written can be restored.
    case changed
    /// It had a MAC that is no longer valid, as after a rewrap by an older version, or the review
    /// read the file as it was before a rewrap. Nobody can tell what was changed.
    case unverifiable
  }

  /// The authenticity of the catalog.
  public let state: State
  /// The differences from the catalog as it was written; the whole content if it can't be verified
  /// or never had a MAC.
  public let differences: [CatalogDifference]
  /// The catalog's bytes at the time of the review.
  let catalog: [UInt8]
}

extension Store {
  /// Compares the catalog with its MAC, and reports the differences.
  ///
  /// ```swift
  /// let review = try store.reviewCatalog()
  /// for difference in review.differences { print(difference) }
  /// if theyAreMine { try store.acceptCatalog(review) } else { try store.restoreCatalog(review) }
  /// ```
  /// - Returns: The review.
  /// - Throws: ``NacreError`` with code `storeLocked`, `noKeyRing` or `ringTampered`.
  public func reviewCatalog() throws -> CatalogReview {
    try read { database in
      let found = try CatalogTable.read(on: database.connection)
      let nothing = CatalogRecord(entities: [], properties: [])
      var (state, written) = (CatalogReview.State.authentic, found)
      switch try database.catalogTrust() {
      case .authentic: break
      case .unmarked: (state, written) = (.unmarked, nothing)
      case .changed(let former): (state, written) = (.changed, former)
      case .lost, .former: (state, written) = (.unverifiable, nothing)
      }
      return CatalogReview(
        state: state,
        differences: CatalogDifference.all(from: written, to: found),
        catalog: try found.bytes()
      )
    }
  }

  /// Compares the catalog with its MAC, and reports the differences.
  ///
  /// - Returns: The review.
  /// - Throws: ``NacreError`` with code `storeLocked`, `noKeyRing` or `ringTampered`.
  public func reviewCatalog() async throws -> CatalogReview {
    try await Self.onThread { try self.reviewCatalog() }
  }

  /// Accepts the catalog as it was reviewed, and gives it a MAC; from then on the store follows it.
  ///
  /// If somebody else changed the catalog, they then decide how values are sealed. Accept only
  /// changes that an older version of Nacre, or you yourself, have made.
  ///
  /// - Parameter review: The result of ``reviewCatalog()``.
  /// - Throws: ``NacreError`` with code `catalogTampered` if the catalog was changed since the
  ///   review; `storeLocked`, `noKeyRing`; `transactionState` inside `read` or `write`.
  public func acceptCatalog(_ review: CatalogReview) throws {
    try checkRingCanChange()
    try write { database in
      try database.acceptCatalog(review.catalog)
      try loadSealedColumns(database)
    }
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
  /// Entities, properties and their sealing are then as before the change, whoever made it. No
  /// table, value or key is touched. So if an older version of Nacre has changed tables or values
  /// since, that is not undone: ``verify(_:onBadCell:progress:)`` reports what does not fit. Make a
  /// backup first.
  ///
  /// - Parameter review: The result of ``reviewCatalog()``.
  /// - Throws: ``NacreError`` with code `catalogTampered` if the catalog was changed since the
  ///   review, or if its state is `unmarked` or `unverifiable`. In these two states nothing in the
  ///   file tells what the catalog was; restore a backup instead. `foreignSchema`; `storeLocked`,
  ///   `noKeyRing`; `transactionState` inside `read` or `write`.
  public func restoreCatalog(_ review: CatalogReview) throws {
    try checkRingCanChange()
    try write { database in
      try database.restoreCatalog(review.catalog)
      try database.noteDAOChange()
      // Makes classes compare themselves with the catalog again.
      database.undo.onCommit { [keys] in keys.touch() }
    }
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
