import NacreCrypto
import NacreSQLite

/// The result of comparing the catalog with its MAC; the catalog says whether, where and how values
/// are sealed.
public struct CatalogReview: Sendable {
  /// The authenticity of the catalog.
  public enum State: String, Sendable, Codable {
    /// It is as a holder of the store key wrote it.
    case authentic
    /// It never had a MAC, which an older version of Nacre does not write.
    case unmarked
    /// It was changed by somebody who did not write its MAC: an older version of Nacre, or one without the key. What was
    /// written can be put back.
    case changed
    /// It has had a MAC that holds no more, so that nobody can tell what was changed: as after a rewrap by an older version.
    case unverifiable
  }

  /// The authenticity of the catalog.
  public let state: State
  /// In what it differs from what was written; where it can't be verified, or was never, all that it says.
  public let differences: [CatalogDifference]
  /// The catalog as it was looked at.
  let catalog: [UInt8]
}

extension Store {
  /// Holds the catalog against its MAC, and says in what it differs.
  ///
  /// ```swift
  /// let review = try store.reviewCatalog()
  /// for difference in review.differences { print(difference) }
  /// if theyAreMine { try store.acceptCatalog(review) } else { try store.restoreCatalog(review) }
  /// ```
  /// - Returns: the review.
  /// - Throws: ``NacreError`` with code `storeLocked`, `noKeyRing` or `ringTampered`.
  public func reviewCatalog() throws -> CatalogReview {
    try read { database in
      let found = try CatalogTable.read(on: database.connection)
      let nothing = CatalogRecord(entities: [], properties: [])
      var (state, written) = (CatalogReview.State.authentic, found)
      switch try database.catalogTrust() {
      case .authentic, .former: break
      case .unmarked: (state, written) = (.unmarked, nothing)
      case .changed(let former): (state, written) = (.changed, former)
      case .lost: (state, written) = (.unverifiable, nothing)
      }
      return CatalogReview(
        state: state,
        differences: CatalogDifference.all(from: written, to: found),
        catalog: try found.bytes()
      )
    }
  }

  /// Takes the catalog as it was reviewed for right, and gives it a MAC: from then on the store is used as it says.
  ///
  /// Somebody who could change the catalog then decides how values are sealed. Accept only changes
  /// that an older version of Nacre, or you yourself, have made.
  ///
  /// - Parameter review: what ``reviewCatalog()`` has found.
  /// - Throws: ``NacreError`` with code `catalogTampered` where it was changed since the review; `storeLocked`, `noKeyRing`;
  ///   `transactionState` inside `read` or `write`.
  public func acceptCatalog(_ review: CatalogReview) throws {
    try checkRingCanChange()
    try write { database in
      try database.acceptCatalog(review.catalog)
      try loadSealedColumns(database)
    }
  }

  /// Puts the catalog back to what a holder of the store key wrote last, from the copy that the MAC covers.
  ///
  /// Entities, properties and how they are sealed are then as before the change, whoever made it; no table, value or key
  /// is touched, so that what an older version of Nacre has made of them since is not undone: ``verify(_:onBadCell:progress:)``
  /// names what does not fit. Make a backup before.
  ///
  /// - Parameter review: what ``reviewCatalog()`` has found.
  /// - Throws: ``NacreError`` with code `catalogTampered` where it was changed since the review, or where its state is
  ///   `unmarked` or `unverifiable`: nothing in the file tells then how it was, and a backup is the way back;
  ///   `foreignSchema`; `storeLocked`, `noKeyRing`; `transactionState` inside `read` or `write`.
  public func restoreCatalog(_ review: CatalogReview) throws {
    try checkRingCanChange()
    try write { database in
      try database.restoreCatalog(review.catalog)
      try database.noteDAOChange()
      // Classes are compared with it anew.
      database.undo.onCommit { [keys] in keys.touch() }
    }
  }
}
