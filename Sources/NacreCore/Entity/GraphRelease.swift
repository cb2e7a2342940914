#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Releases children one after another instead of one inside another.
///
/// A chain of 100,000 objects that is let go at its head would end 100,000 deinitialisers deep and overflow the
/// stack. An entity's `deinit` gives its children to this queue, which the outermost one empties.
public enum GraphRelease {
  /// Takes a to-one child out of an object that is being deinitialised.
  @inlinable
  public static func take<C: Entity>(_ child: inout C?) {
    guard child != nil, C.entitySchema.isRecursive else { return }
    release { waiting in
      if let taken = child { waiting.append(taken) }
      child = nil
    }
  }

  /// Takes to-many children out of an object that is being deinitialised.
  @inlinable
  public static func take<C: Entity>(_ children: inout [C]) {
    guard !children.isEmpty, C.entitySchema.isRecursive else { return }
    release { waiting in
      for child in children { waiting.append(child) }
      children = []
    }
  }

  /// Passes over a property that is no child.
  @_disfavoredOverload
  @inlinable
  public static func take<V>(_ value: inout V) {}

  /// - Parameter move: puts the objects into the queue and keeps no reference to them: one that outlived the loop
  ///   below would be released after it, and so within another deinitialiser again.
  @usableFromInline
  static func release(_ move: (inout [AnyObject]) -> Void) {
    if let active = Queue.current { return move(&active.waiting) }
    let queue = Queue()
    Queue.current = queue
    move(&queue.waiting)
    while !queue.waiting.isEmpty { _ = queue.waiting.removeLast() }
    Queue.current = nil
  }

  /// The objects that wait for their release on one thread.
  private final class Queue {
    var waiting: [AnyObject] = []

    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }()

    /// The queue that a `release` further up this thread's stack empties; unretained, for it outlives the value.
    static var current: Queue? {
      get {
        pthread_getspecific(key).map { Unmanaged<Queue>.fromOpaque($0).takeUnretainedValue() }
      }
      set { pthread_setspecific(key, newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
    }
  }
}
