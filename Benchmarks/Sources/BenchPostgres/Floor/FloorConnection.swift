import CBenchPostgres

/// A connection of the floor.
final class FloorConnection {
  let handle: OpaquePointer

  init(url: String) throws {
    guard let handle = bench_connection_open(url) else {
      throw BenchError(description: "there is no connection")
    }
    self.handle = handle
    try check(String(cString: bench_error(handle)).isEmpty)
  }

  deinit { bench_connection_close(handle) }

  func execute(_ sql: String) throws { try check(bench_execute(handle, sql)) }

  /// Throws what the last call has said unless it has done what it should.
  func check(_ isDone: Bool) throws {
    if !isDone { throw BenchError(description: String(cString: bench_error(handle))) }
  }
}
