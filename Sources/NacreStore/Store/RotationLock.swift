import Foundation
import NacreEngine
import Synchronization

/// The right to rotate or convert a store, which one holder has at a time until it releases it or dies.
///
/// For a file it is the kernel's lock on a file beside the store, among all processes of the machine; on a server it is a
/// ``RotationLease``, among all machines; in memory it is a flag.
package final class RotationLock {
  private enum Holding {
    case file(RotationLockFile)
    case flag(of: Store)
    case lease(RotationLease, of: Store)
  }

  private var holding: Holding?

  /// Takes the lock of an open store.
  ///
  /// - Throws: `rotationHeld`, which names the holder; `readOnly` if the file can't be created.
  package init(of store: Store) throws {
    if let keeper = store.engine.leaseKeeper {
      let lease = try RotationLease(keeper, of: store)
      store.rotationLease.withLock { $0 = lease }
      holding = .lease(lease, of: store)
    } else if !store.isInMemory {
      holding = .file(try RotationLockFile(ofStoreAt: store.path))
    } else if !store.isBeingRotated.exchange(true, ordering: .acquiringAndReleasing) {
      holding = .flag(of: store)
    } else {
      throw NacreError(.rotationHeld, detail: "this process")
    }
  }

  deinit { release() }

  /// Releases the lock; a second call does nothing.
  package func release() {
    defer { holding = nil }
    switch holding {
    case .file(let file): file.release()
    case .flag(let store): store.isBeingRotated.store(false, ordering: .releasing)
    case .lease(let lease, let store):
      store.rotationLease.withLock { $0 = nil }
      lease.release(store)
    case nil: break
    }
  }

  /// Returns a text that names the process that is rotating or converting the database of a connection; nil if there is
  /// none.
  ///
  /// - Throws: The engine's error.
  package static func holder(_ path: String, on connection: any EngineConnection) throws -> String?
  {
    guard let keeper = connection.home?.leaseKeeper else {
      return RotationLockFile.holder(ofStoreAt: path)
    }
    return try RotationLease.holder(keeper, on: connection)
  }

  /// Words for people that name this process and its host, and say since when it has the lock.
  static var ownName: String {
    "process \(getpid()) on host \(host) since \(Date().formatted(.iso8601))"
  }

  /// Returns what somebody has written as a name, without what would change the line or the terminal on which it is shown.
  static func shown(_ name: String) -> String {
    String(
      name.prefix(512).filter { character in
        !character.isNewline
          && !character.unicodeScalars.contains { $0.properties.generalCategory == .control }
      }
    )
  }

  private static var host: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 257) { name in
      // The last byte stays 0, because gethostname cuts a long name without a NUL.
      name.initialize(repeating: 0)
      guard let start = name.baseAddress, gethostname(start, 256) == 0 else { return "unknown" }
      return String(cString: start)
    }
  }
}
