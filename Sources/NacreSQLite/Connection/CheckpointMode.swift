/// How far a checkpoint goes to move the write-ahead log into the database
/// (sqlite.org/c3ref/wal_checkpoint_v2.html).
public enum CheckpointMode: Sendable {
  /// Moves as many frames as possible without waiting for anyone.
  case passive
  /// Waits for the writer, then moves every frame.
  case full
  /// Does the same as `full`, and waits for readers so that the next writer starts the log over.
  case restart
  /// Does the same as `restart`, and cuts the log file to zero bytes.
  case truncate
}
