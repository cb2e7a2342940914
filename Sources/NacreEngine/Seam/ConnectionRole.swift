/// The use of a connection.
///
/// It decides what the connection may do and which settings it gets.
package enum ConnectionRole: Sendable, Equatable {
  /// Finds a store in the database, or makes one there.
  ///
  /// It leaves the settings that the database keeps as they are, because the database may be none of ours. If there is
  /// no database, the home makes one, or throws unless `creates`.
  case founder(creates: Bool)
  /// Reads and writes the store.
  case writer
  /// Reads the store.
  case reader
  /// Reads a store that nobody has opened, also where nothing can be written.
  case inspector
}
