#if PostgreSQL
import Foundation
import Synchronization
import Testing
@testable import TestSupport

/// Stands between the stores of a test and the server: counts what goes through, cuts a connection at a
/// message, and changes a message.
final class ServerProxy: Sendable {
  /// What happens to a message instead of its arrival.
  enum Fate: Sendable {
    /// The message is lost, and with it the connection.
    case cutBefore
    /// The message arrives, and then the connection is lost.
    case cutAfter
    /// The message arrives, all connections are lost, and no other one is taken.
    case cutOff
    /// The message is lost, and the connection stays open for as long as its sender waits.
    case held
    /// Another message arrives.
    case changed(@Sendable (ProxyMessage) -> [UInt8])
  }

  /// What has gone through since the last call of `count`.
  struct Counts: Sendable {
    var toServer = 0
    var toClient = 0
    /// How often the server has answered after the client had sent something.
    var roundTrips = 0
    /// The number of messages that had a fate, most of which cut a connection.
    var cuts = 0
    /// The number of statements that clients have sent.
    var statements = 0
    /// The texts of the messages in whose place others have arrived.
    var changed: [String] = []
  }

  private struct State {
    var counts = Counts()
    var rule: (fate: Fate, left: Int, isFor: @Sendable (ProxyMessage) -> Bool)?
    /// Whether new connections are ended at once.
    var refuses = false
    var isClosed = false
    /// The sockets of all connections.
    var sockets: Set<Int32> = []
  }

  private let state = Mutex(State())
  private let directory: TemporaryDirectory
  private let listener: Int32
  private let serverDirectory: String
  private static let socketName = ".s.PGSQL.5432"

  /// Listens on a Unix socket in a directory of its own.
  ///
  /// - Parameter url: The URL of the server; nil for the one that all tests have, or for the pool before it.
  /// - Throws: The error of a call of the system.
  init(to url: String? = nil) throws {
    // A write to a connection that has ended would otherwise end the tests.
    signal(SIGPIPE, SIG_IGN)
    let host = try #require((url ?? TestServer.url).firstMatch(of: /host=([^&]*)/)).output.1
    serverDirectory = url == nil ? TestPlace.pool ?? String(host) : String(host)
    directory = try TemporaryDirectory()
    listener = try UnixSocket.listener(at: directory.file(Self.socketName))
    Thread.detachNewThread { [self] in acceptAll() }
  }

  deinit { UnixSocket.end(listener) }

  /// Returns the URL of a database with this proxy in the place of its server.
  func url(_ url: String) -> String {
    url.replacingOccurrences(of: "host=\(serverDirectory)", with: "host=\(directory.path)")
  }

  /// Lets every message arrive, and counts from 0 again.
  func count() { state.withLock { ($0.rule, $0.counts) = (nil, Counts()) } }

  /// Gives a fate to the first messages that meet a condition, and counts from 0 again.
  ///
  /// - Parameters:
  ///   - fate: What happens to them.
  ///   - times: How many messages have it.
  ///   - condition: Whether a message is one of them; it must not use the proxy.
  func meet(_ fate: Fate, times: Int = 1, _ condition: @escaping @Sendable (ProxyMessage) -> Bool) {
    state.withLock { ($0.rule, $0.counts) = ((fate, times, condition), Counts()) }
  }

  var counts: Counts { state.withLock { $0.counts } }

  /// Whether nobody takes new connections, as if there were no server.
  var refuses: Bool {
    get { state.withLock { $0.refuses } }
    set { state.withLock { setReachable(!newValue, &$0) } }
  }

  private func setReachable(_ isReachable: Bool, _ state: inout State) {
    state.refuses = !isReachable
    // A client goes on to its next server if there is nobody, and not if somebody hangs up.
    let (here, away) = (directory.file(Self.socketName), directory.file("away"))
    rename(isReachable ? away : here, isReachable ? here : away)
  }

  /// Ends all connections, and takes no more.
  func close() {
    state.withLock { state in
      state.isClosed = true
      Self.endAll(&state)
    }
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// Ends all connections.
  ///
  /// Their sockets are closed after they have left the set, so as long as the lock is held none of these numbers can be
  /// another test's connection.
  private static func endAll(_ state: inout State) {
    for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  // MARK: Connections

  private func acceptAll() {
    while true {
      let client = accept(listener, nil, nil)
      if client < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        return
      }
      let server = "\(serverDirectory)/\(Self.socketName)"
      guard !refuses, let upstream = try? UnixSocket.connection(to: server) else {
        UnixSocket.end(client)
        continue
      }
      let isOpen = state.withLock { state in
        if !state.isClosed { state.sockets.formUnion([client, upstream]) }
        return !state.isClosed
      }
      Thread.detachNewThread { [self] in
        if isOpen { relay(client, upstream) }
        // They leave the set before their numbers can be another connection's.
        state.withLock { state in
          // A server that another test has just started may have got copies, and would keep the connection open.
          for socket in [client, upstream] { shutdown(socket, Int32(SHUT_RDWR)) }
          state.sockets.subtract([client, upstream])
        }
        UnixSocket.end(client)
        UnixSocket.end(upstream)
      }
    }
  }

  /// Passes messages on until one side ends, or a message is to end the connection.
  private func relay(_ client: Int32, _ upstream: Int32) {
    var sides = [
      (from: client, to: upstream, ProxyMessage.Direction.toServer, MessageDivider(.toServer)),
      (from: upstream, to: client, .toClient, MessageDivider(.toClient)),
    ]
    var last = ProxyMessage.Direction.toClient
    var statements = ProxiedStatements()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var sockets = sides.map { pollfd(fd: $0.from, events: Int16(POLLIN), revents: 0) }
      guard poll(&sockets, 2, -1) > 0 || errno == EINTR else { return }
      for index in 0..<2 where sockets[index].revents != 0 {
        let count = read(sides[index].from, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        buffer.withUnsafeBytes { sides[index].3.append(.init(rebasing: $0[..<count])) }
        while let bytes = sides[index].3.next() {
          let (from, to) = (sides[index].from, sides[index].to)
          guard pass(bytes, sides[index].2, after: &last, &statements, from, to) else { return }
        }
      }
    }
  }

  /// Passes a message on, unless it has another fate; returns whether the connection goes on.
  private func pass(
    _ bytes: ArraySlice<UInt8>,
    _ direction: ProxyMessage.Direction,
    after last: inout ProxyMessage.Direction,
    _ statements: inout ProxiedStatements,
    _ sender: Int32,
    _ socket: Int32
  ) -> Bool {
    let isAnswer = direction == .toClient && last == .toServer
    last = direction
    var bytes = bytes
    let fate = state.withLock { state -> Fate? in
      if isAnswer { state.counts.roundTrips += 1 }
      if direction == .toServer { state.counts.toServer += 1 } else { state.counts.toClient += 1 }
      let number = direction == .toServer ? state.counts.toServer : state.counts.toClient
      let message = ProxyMessage(
        direction,
        number: number,
        bytes,
        after: state.counts.statements,
        in: &statements
      )
      state.counts.statements += message.texts.count
      guard let rule = state.rule, rule.left > 0, rule.isFor(message) else { return nil }
      state.rule?.left -= 1
      switch rule.fate {
      case .changed(let change):
        state.counts.changed.append(message.texts.joined(separator: "; "))
        bytes = change(message)[...]
        return nil
      case .cutOff: setReachable(false, &state)
      case .cutBefore, .cutAfter, .held: break
      }
      state.counts.cuts += 1
      return rule.fate
    }
    switch fate {
    case nil, .changed: return Self.send(bytes, to: socket)
    case .cutBefore: return false
    case .held:
      Self.waitForEnd(of: sender)
      return false
    case .cutAfter:
      _ = Self.send(bytes, to: socket)
      return false
    case .cutOff:
      _ = Self.send(bytes, to: socket)
      state.withLock { Self.endAll(&$0) }
      return false
    }
  }

  /// Reads and drops what comes, until there is nothing more.
  private static func waitForEnd(of socket: Int32) {
    var byte = UInt8(0)
    while true {
      let count = read(socket, &byte, 1)
      guard count > 0 || (count < 0 && errno == EINTR) else { return }
    }
  }

  private static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
#endif
