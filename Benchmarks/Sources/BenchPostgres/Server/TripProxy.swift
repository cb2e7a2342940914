import CBenchPostgres

/// Counts the round trips of all connections that go through it.
final class TripProxy {
  /// The server as it is reached through the proxy.
  let server: BenchServer
  private let handle: OpaquePointer

  /// Listens in a directory.
  init(to server: BenchServer, in directory: String) throws {
    let name = BenchServer.socketName
    guard
      let handle = bench_proxy_start("\(directory)/\(name)", "\(server.directory)/\(name)")
    else { throw BenchError(description: "The proxy can't listen in \(directory).") }
    self.handle = handle
    self.server = BenchServer(directory: directory)
  }

  deinit { bench_proxy_stop(handle) }

  /// How often the server has answered a client that waited.
  var roundTrips: UInt64 { bench_proxy_round_trips(handle) }
}
