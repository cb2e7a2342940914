import Foundation
import NacreEngine
import Synchronization

/// The right to rotate or convert a store on a server, which one process has at a time among all machines.
///
/// It runs out, because nobody can tell whether a process on another machine still lives. A holder that was away for too
/// long does no harm: every transaction of a rotation writes the journal, which renews the lease first, and fails where
/// somebody else has taken it (``RotationJournal/write(on:)``).
final class RotationLease: Sendable {
  private static let name = "rotation"
  /// How long a rotation that was killed keeps the next one waiting.
  private static let duration = Duration.seconds(30)

  private let keeper: any LeaseKeeping
  private let number: Int64
  private let renewed = Mutex(ContinuousClock.now)

  /// Takes the lease.
  ///
  /// - Throws: `rotationHeld`, which names the holder.
  init(_ keeper: any LeaseKeeping, of store: Store) throws {
    self.keeper = keeper
    let holder = RotationLock.ownName
    number = try store.write { database in
      let connection = database.connection
      let number = try keeper.take(Self.name, by: holder, for: Self.duration, on: connection)
      guard let number else { throw try Self.held(keeper, on: connection) }
      return number
    }
  }

  /// Returns a text that names the holder; nil if there is none.
  static func holder(_ keeper: any LeaseKeeping, on connection: any EngineConnection) throws
    -> String?
  {
    // Whoever runs the server can write anything there.
    try keeper.holder(of: name, on: connection).map(RotationLock.shown)
  }

  private static func held(
    _ keeper: any LeaseKeeping,
    on connection: any EngineConnection
  ) throws -> NacreError {
    NacreError(.rotationHeld, detail: try holder(keeper, on: connection) ?? "another process")
  }

  /// Renews the lease in a transaction of the rotation.
  ///
  /// - Throws: `rotationHeld` if somebody else has taken it.
  func renew(on connection: any EngineConnection) throws {
    guard try keeper.renew(Self.name, number, for: Self.duration, on: connection) else {
      throw try Self.held(keeper, on: connection)
    }
    renewed.withLock { $0 = .now }
  }

  /// Whether so much of its time is gone that it should be renewed although there is nothing to write.
  var isDue: Bool { renewed.withLock { .now - $0 > Self.duration / 3 } }

  /// Gives the lease up.
  func release(_ store: Store) {
    // If that fails, it runs out by itself.
    _ = try? store.write { try keeper.release(Self.name, number, on: $0.connection) }
  }
}

extension Store {
  /// Renews the lease of the rotation that this process runs on a server, if it runs one.
  ///
  /// - Throws: `rotationHeld` if somebody else has taken it.
  func renewLease(on connection: any EngineConnection) throws {
    try rotationLease.withLock { $0 }?.renew(on: connection)
  }

  /// Keeps the right to rotate while there is nothing to write.
  package func keepRotating() {
    guard let lease = rotationLease.withLock({ $0 }), lease.isDue else { return }
    // If it is lost, the next transaction of the rotation says so.
    _ = try? write { try lease.renew(on: $0.connection) }
  }
}
