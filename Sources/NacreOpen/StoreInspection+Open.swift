public import NacreCrypto
import NacreSQLite
public import NacreStore
public import NacreUpkeep

extension StoreInspection {
  /// Opens a store for reading; never creates the file, tables or a key ring.
  ///
  /// - Parameters:
  ///   - path: the file of a store, or with the trait PostgreSQL the URL of its database.
  ///   - unlock: where the secret comes from; without it, sealed values stay sealed and the ring stays unverified.
  ///   - options: the settings of the connection.
  ///   - anchor: the anchor that the file must not be older than, as for
  ///     ``Store/open(_:unlock:options:expecting:)-(_,Unlock?,_,_)``.
  /// - Throws: ``NacreError``: `cannotOpen` if there is no file, `notAStore`, `halfMade`, `newerFormat`, `wrongSecret`,
  ///   `ringTampered`, and `noKeyRing` if a secret is given for a store that has no ring; with an anchor also
  ///   `otherStore`, `olderThanAnchor`, `ringOlderThanAnchor`, `anchorTampered` and `storeLocked`.
  public convenience init(
    path: String,
    unlock: Unlock? = nil,
    options: StoreOptions = StoreOptions(),
    expecting anchor: Anchor? = nil
  ) throws {
    #if PostgreSQL
    if let home = try Store.postgresHome(path, options) {
      try self.init(home, unlock: unlock, expecting: anchor)
      return
    }
    #endif
    let home = try SQLiteHome.ofStore(
      path,
      unlock: unlock,
      options: options,
      creates: false
    )
    try self.init(home, unlock: unlock, expecting: anchor)
  }
}
