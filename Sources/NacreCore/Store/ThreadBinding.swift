#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The connections that the current thread works on, the innermost last.
///
/// Through it `car.save()` inside `store.write { }` joins that transaction without being handed the connection.
enum ThreadBinding {
  private final class Stack {
    // Unchecked, for it is one thread's own, and looked at by every call.
    @exclusivity(unchecked) var databases: [Database] = []
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { pointer in
      #if canImport(Glibc)
        guard let pointer else { return }
      #endif
      Unmanaged<Stack>.fromOpaque(pointer).release()
    }
    return key
  }()

  private static var stack: Stack {
    if let pointer = pthread_getspecific(key) {
      return Unmanaged<Stack>.fromOpaque(pointer).takeUnretainedValue()
    }
    let stack = Stack()
    pthread_setspecific(key, Unmanaged.passRetained(stack).toOpaque())
    return stack
  }

  static var innermost: Database? { last { _ in true } }

  /// The innermost connection that fits.
  @inline(__always)
  private static func last(where fits: (Database) -> Bool) -> Database? {
    guard let pointer = pthread_getspecific(key) else { return nil }
    return Unmanaged<Stack>.fromOpaque(pointer).takeUnretainedValue().databases.last(where: fits)
  }

  /// The connection of `store` that this thread works on, or nil.
  static func database(of store: Store) -> Database? { last { $0.store === store } }

  /// The reading connection of `store` that this thread works on, or nil.
  static func reader(of store: Store) -> Database? { last { $0.store === store && !$0.isWriter } }

  /// The writing connection of `store` that this thread works on, or nil.
  static func writer(of store: Store) -> Database? { last { $0.store === store && $0.isWriter } }

  static func push(_ database: Database) { stack.databases.append(database) }

  static func pop(_ database: Database) {
    let stack = stack
    if stack.databases.last === database {
      stack.databases.removeLast()
    } else if let index = stack.databases.lastIndex(where: { $0 === database }) {
      stack.databases.remove(at: index)
    }
    // What a query or a cursor has set; where the connection can't say, it is asked again after its next use.
    try? database.home.settings.follow(database)
    // What is left open would go on reading a state that the next user of the connection must not see.
    if !database.cursors.isEmpty && !stack.databases.contains(where: { $0 === database }) {
      database.cursors.end()
    }
  }
}
