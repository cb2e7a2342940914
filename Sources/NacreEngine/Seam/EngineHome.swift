/// One database as its engine keeps it: its place, its connections and their settings.
///
/// Any number of threads can use a home at once.
package protocol EngineHome: AnyObject, Sendable {
  /// Where the database is: the path of its file.
  var path: String { get }
  /// The features of this engine that not every engine has.
  var capabilities: EngineCapabilities { get }
  /// Keeps the slots of the key ring; nil if they are kept in the store's tables.
  var slotKeeper: (any SlotKeeping)? { get }
  /// Keeps leases among machines; nil if only one machine can use the database.
  var leaseKeeper: (any LeaseKeeping)? { get }

  // MARK: Connections

  /// Seals every page of the database from now on; called before the first connection.
  ///
  /// - Throws: `HomeError` if the engine can't seal pages.
  func seal(with sealer: any PageSealer) throws
  /// Opens a connection with the settings that were set last.
  ///
  /// The first one is a founder or an inspector.
  ///
  /// - Throws: `HomeError`, also if a writer or reader would get another file than the founder; an `EngineError`.
  func connect(_ role: ConnectionRole) throws -> any EngineConnection

  /// Begins to listen for commits of others, in this process or another; every one after the return is heard.
  ///
  /// The handler hears of a commit, and not what it has changed. It is also called each time that commits may have been
  /// missed, and may be called for nothing.
  ///
  /// - Parameter hear: Is called on a thread of the listener's own, which waits meanwhile.
  /// - Returns: The listener; nil if nobody tells of commits here.
  /// - Throws: `HomeError`; an `EngineError`.
  func listen(_ hear: @escaping @Sendable () -> Void) throws -> (any ChangeListening)?

  // MARK: The database

  /// The file that the founder opened; nil if there is none.
  var file: FileIdentity? { get }
  /// Whether there is a database.
  var exists: Bool { get }
  /// Deletes the database; nobody may have it open.
  ///
  /// - Throws: `HomeError`.
  func delete() throws
  /// Copies the state that a connection sees into a new database, while others read and write.
  ///
  /// - Throws: `HomeError` if there is a database at `path`, or can't be one; an `EngineError`.
  func backUp(_ connection: any EngineConnection, to path: String) throws
  /// Reads the raw bytes of a file, block by block; there are none if the file is not open.
  ///
  /// - Throws: An `EngineError`; the error of `body`.
  func readRaw(
    _ file: RawFile,
    under connection: any EngineConnection,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws

  /// Makes what seals the database's pages anew, by a connection of its own; nil if they are not sealed.
  ///
  /// - Throws: `HomeError`; an `EngineError`.
  func rekeying() throws -> (any PageRekeying)?
  /// Makes what opens every page of the database, by a connection of its own; nil if they are not sealed.
  ///
  /// - Throws: `HomeError`; an `EngineError`.
  func pageChecking() throws -> (any PageChecking)?

  // MARK: Settings

  /// The settings that were set last.
  var settings: any EngineSettings { get }
  /// Returns the settings that a connection has now, however they were set.
  func settings(of connection: any EngineConnection) throws -> any EngineSettings
  /// Applies settings to a connection, and to those that are opened from now on.
  ///
  /// - Throws: `HomeError` for another engine's settings; an `EngineError` if they can't be changed now.
  func set(_ settings: any EngineSettings, on connection: any EngineConnection) throws
  /// Applies the settings that were set last to a connection that has others.
  func applySettings(to connection: any EngineConnection) throws
  /// Takes over the settings that the caller's own SQL changed on a connection, and only those.
  func takeSettings(of connection: any EngineConnection) throws
  /// Returns in which way the database makes transactions atomic otherwise than was set; nil if it does as was set.
  func journalFault(on connection: any EngineConnection) throws -> String?
}

extension EngineHome {
  package func listen(_ hear: @escaping @Sendable () -> Void) throws -> (any ChangeListening)? {
    nil
  }
}
