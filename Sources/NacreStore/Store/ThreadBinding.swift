#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The connections that the current thread works on, the innermost last.
///
/// Because of it, `car.save()` inside `store.write { }` joins that transaction without being passed
/// the connection.
package enum ThreadBinding {
  private final class Stack {
    // Unchecked, because the stack belongs to one thread and every call accesses it. Unretained,
    // because the code that pushes a connection owns it until it pops it.
    @exclusivity(unchecked) var databases: [Unmanaged<Database>] = []
    /// How many busy timeouts the thread waits for a connection.
    var patience = 1
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { pointer in
      #if canImport(Glibc)
      guard let pointer else { return }
      #endif
      let stack = Unmanaged<Stack>.fromOpaque(pointer)
      let databases = stack._withUnsafeGuaranteedRef { $0.databases }
      if databases.isEmpty { return stack.release() }
      // Set the stack again while the connections are given back; pthread calls this destructor
      // once more afterwards.
      pthread_setspecific(ThreadBinding.key, pointer)
      // No other thread can end what this thread began, and every writer would wait for it.
      for database in databases.reversed() { database.takeUnretainedValue().abandon() }
      stack._withUnsafeGuaranteedRef { $0.databases = [] }
    }
    return key
  }()

  /// Passes `body` this thread's stack.
  @inline(__always)
  private static func withStack<T>(_ body: (Stack) -> T) -> T {
    if let pointer = pthread_getspecific(key) {
      return Unmanaged<Stack>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
    }
    let stack = Stack()
    pthread_setspecific(key, Unmanaged.passRetained(stack).toOpaque())
    return body(stack)
  }

  /// The state of this thread in a store: outside, or inside a read or a write.
  enum Place {
    case outside
    /// Inside a read, and inside no write.
    case reading
    /// Inside a write, on this connection.
    case writing(Database)
  }

  /// Returns where this thread is in `store`, in one pass over the stack.
  static func place(in store: Store) -> Place {
    guard let pointer = pthread_getspecific(key) else { return .outside }
    let databases = Unmanaged<Stack>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.databases }
    var place = Place.outside
    for bound in databases.reversed() {
      let database = bound.takeUnretainedValue()
      guard database.home === store else { continue }
      if database.isWriter { return .writing(database) }
      place = .reading
    }
    return place
  }

  /// How many busy timeouts this thread waits for a connection.
  static var patience: Int { withStack(\.patience) }

  /// Lets this thread wait for connections for this many busy timeouts while `body` runs.
  static func withPatience<T>(_ patience: Int, _ body: () throws -> T) rethrows -> T {
    let former = withStack { stack in
      defer { stack.patience = max(stack.patience, patience) }
      return stack.patience
    }
    defer { withStack { $0.patience = former } }
    return try body()
  }

  package static var innermost: Database? { last { _ in true } }

  /// The innermost connection for a look at every row: its reference is not counted.
  ///
  /// The code that has pushed the connection holds it until it pops it, on this thread.
  package static var uncountedInnermost: Unmanaged<Database>? {
    guard let pointer = pthread_getspecific(key) else { return nil }
    return Unmanaged<Stack>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.databases.last }
  }

  /// Returns the innermost connection that fits, or nil if there is none.
  @inline(__always)
  private static func last(where fits: (Database) -> Bool) -> Database? {
    guard let pointer = pthread_getspecific(key) else { return nil }
    let databases = Unmanaged<Stack>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.databases }
    let found = databases.last { $0._withUnsafeGuaranteedRef(fits) }
    return found?.takeUnretainedValue()
  }

  /// Returns the connection of `store` that this thread works on, or nil if there is none.
  package static func database(of store: Store) -> Database? { last { $0.home === store } }

  /// Returns the reading connection of `store` that this thread works on, or nil if there is none.
  static func reader(of store: Store) -> Database? { last { $0.home === store && !$0.isWriter } }

  /// The writing connections that this thread works on, the innermost last.
  static var writers: [Database] {
    guard let pointer = pthread_getspecific(key) else { return [] }
    let databases = Unmanaged<Stack>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.databases }
    return databases.map { $0.takeUnretainedValue() }.filter(\.isWriter)
  }

  /// Returns the writing connection of `store` that this thread works on, or nil if there is none.
  package static func writer(of store: Store) -> Database? {
    last { $0.home === store && $0.isWriter }
  }

  package static func push(_ database: Database) {
    withStack { $0.databases.append(.passUnretained(database)) }
  }

  package static func pop(_ database: Database) {
    withStack { stack in
      if stack.databases.last.map({ isSame($0, database) }) == true {
        stack.databases.removeLast()
      } else if let index = stack.databases.lastIndex(where: { isSame($0, database) }) {
        stack.databases.remove(at: index)
      }
    }
    // Take over the settings that a query or a cursor changed. If reading them fails, the
    // connection's next use tries again.
    if database.connection.hasSettingsOfSQL { try? database.home.settings.follow(database) }
    // A cursor that is left open would go on reading a state that the connection's next user must
    // not see.
    if !database.cursors.isEmpty && !isBound(database) { database.cursors.end() }
  }

  private static func isBound(_ database: Database) -> Bool {
    withStack { $0.databases.contains { isSame($0, database) } }
  }

  @inline(__always)
  private static func isSame(_ bound: Unmanaged<Database>, _ database: Database) -> Bool {
    bound.toOpaque() == Unmanaged.passUnretained(database).toOpaque()
  }
}
