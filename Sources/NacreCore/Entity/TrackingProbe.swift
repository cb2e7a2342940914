#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
public import Observation

/// A probe that finds out whether Observation tracks the current thread's reads.
///
/// Observation has no call that tells. A registrar for each object that is read would cost more
/// than half as much as fetching the object. So each thread keeps one spare registrar and notes a
/// read in it. If reads are tracked, Observation puts the key path of that read into a set. It
/// hashes the key path for that, and the key path notices. Then the spare registrar becomes the
/// object's, and the thread gets another.
@usableFromInline
final class TrackingProbe: Observable {
  /// A part of the probe's key path that notices when it is hashed.
  private final class Mark: Hashable {
    var isHashed: Bool

    init(isHashed: Bool) { self.isHashed = isHashed }

    static func == (left: Mark, right: Mark) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
      isHashed = true
      hasher.combine(ObjectIdentifier(self))
    }
  }

  private let registrar = ObjectRegistrar()
  private let mark: Mark
  private let path: KeyPath<TrackingProbe, Void>

  private init(isHashed: Bool) {
    let mark = Mark(isHashed: isHashed)
    self.mark = mark
    path = \TrackingProbe[mark]
  }

  private subscript(mark: Mark) -> Void { () }

  /// Whether the probe notices a tracked read, which it does today.
  ///
  /// If Observation should keep its key paths in another way one day, every object that is read
  /// gets a registrar, which is slower but correct.
  private static let isReliable: Bool = {
    let probe = TrackingProbe(isHashed: false)
    withObservationTracking {
      probe.registrar.access(probe, probe.path)
    } onChange: {
    }
    // End the tracking, which would keep the probe alive.
    probe.registrar.willSet(probe, probe.path)
    return probe.mark.isHashed
  }()

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { pointer in
      #if canImport(Glibc)
      guard let pointer else { return }
      #endif
      Unmanaged<TrackingProbe>.fromOpaque(pointer).release()
    }
    return key
  }()

  /// Returns a registrar for an object whose property is being read, or nil if nobody tracks the
  /// read.
  @usableFromInline
  static func registrarIfTracked() -> ObjectRegistrar? {
    guard let pointer = pthread_getspecific(key) else {
      renew()
      return registrarIfTracked()
    }
    let known = Unmanaged<TrackingProbe>.fromOpaque(pointer)
    return known._withUnsafeGuaranteedRef { probe in
      probe.registrar.base.access(probe, keyPath: probe.path)
      guard probe.mark.isHashed else { return nil }
      let registrar = probe.registrar
      renew()
      known.release()
      return registrar
    }
  }

  /// Gives the thread a new probe.
  @inline(never)
  private static func renew() {
    let probe = TrackingProbe(isHashed: !isReliable)
    pthread_setspecific(key, Unmanaged.passRetained(probe).toOpaque())
  }
}
