#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A queue that releases children one after another instead of one inside another.
///
/// Releasing the head of a chain of 100,000 objects would nest 100,000 deinitialisers and overflow
/// the stack. So an entity's `deinit` gives its children to this queue, and the outermost `deinit`
/// empties it.
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

  /// Does nothing for a property that is not a child.
  @_disfavoredOverload
  @inlinable
  public static func take<V>(_ value: inout V) {}

  /// Queues objects and releases them, unless a `release` further up this thread's stack does so.
  ///
  /// - Parameter move: Puts the objects into the queue and keeps no reference to them. A reference
  ///   that outlived the loop below would be released after it, and so inside another deinitialiser
  ///   again.
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

    /// The queue that a `release` further up this thread's stack empties; unretained, because the
    /// queue outlives this reference.
    static var current: Queue? {
      get {
        pthread_getspecific(key).map { Unmanaged<Queue>.fromOpaque($0).takeUnretainedValue() }
      }
      set { pthread_setspecific(key, newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
    }
  }
}
