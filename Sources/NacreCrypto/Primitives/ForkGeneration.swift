internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A count that goes up in every child of `fork`, so that a pool notices the fork without a system call.
final class ForkGeneration: Sendable {
  private let count = Atomic<UInt64>(0)

  /// The one counter of the process.
  static let shared: ForkGeneration = {
    let generation = ForkGeneration()
    current.store(
      UInt(bitPattern: Unmanaged.passRetained(generation).toOpaque()),
      ordering: .releasing
    )
    // In the child the handler runs before `fork` returns, while the child has only one thread.
    _ = pthread_atfork(nil, nil, { ForkGeneration.advance() })
    return generation
  }()

  /// The address of `shared`, which the child reads instead of the lazy global.
  ///
  /// If another thread was initialising the lazy global at the fork, the child would wait for it for ever.
  private static let current = Atomic<UInt>(0)

  /// The present generation.
  var value: UInt64 { count.load(ordering: .relaxed) }

  private static func advance() {
    let address = current.load(ordering: .acquiring)
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
    let generation = Unmanaged<ForkGeneration>.fromOpaque(pointer).takeUnretainedValue()
    generation.count.add(1, ordering: .relaxed)
  }
}
