#if PostgreSQL
import Foundation

/// Unix sockets of the tests.
enum UnixSocket {
  /// Makes a socket that takes connections at a path.
  static func listener(at path: String) throws -> Int32 {
    let socket = try make(path, bind)
    guard listen(socket, 64) == 0 else { throw close(socket) }
    return socket
  }

  /// Connects to a path.
  static func connection(to path: String) throws -> Int32 { try make(path, connect) }

  private static func make(
    _ path: String,
    _ join: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    #if canImport(Glibc)
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let socket = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard socket >= 0, path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw close(socket)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        join(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw close(socket) }
    return socket
  }

  /// Closes a socket that could not be made, and returns the error.
  private static func close(_ socket: Int32) -> POSIXError {
    let code = POSIXErrorCode(rawValue: errno) ?? .EINVAL
    end(socket)
    return POSIXError(code)
  }

  /// Closes a socket.
  static func end(_ socket: Int32) {
    #if canImport(Glibc)
    _ = Glibc.close(socket)
    #else
    _ = Darwin.close(socket)
    #endif
  }
}
#endif
