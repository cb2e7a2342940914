import CSQLite
import Synchronization

/// Stops what a connection is doing, from any thread, and outlives the connection safely.
package final class InterruptHandle: Sendable {
  // The bits of the pointer, because pointers are not Sendable; 0 once the connection is closed.
  private let connection: Mutex<UInt>

  init(_ connection: OpaquePointer) {
    self.connection = Mutex(UInt(bitPattern: connection))
  }

  /// Makes running statements fail with SQLITE_INTERRUPT; does nothing if none is running.
  package func interrupt() {
    // This runs under the lock because the connection must not close during the call.
    connection.withLock { bits in
      guard let connection = OpaquePointer(bitPattern: bits) else { return }
      sqlite3_interrupt(connection)
    }
  }

  func invalidate() {
    connection.withLock { $0 = 0 }
  }

  func validate(_ pointer: OpaquePointer) {
    let bits = UInt(bitPattern: pointer)
    connection.withLock { $0 = bits }
  }
}
