#if PostgreSQL
import Foundation
import NacreEngine
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// How a connection between store and server is cut at a message.
struct Cut: CustomTestStringConvertible, Sendable {
  let direction: ProxyMessage.Direction
  let fate: ServerProxy.Fate

  static let all = [
    Cut(direction: .toServer, fate: .cutBefore), Cut(direction: .toServer, fate: .cutAfter),
    Cut(direction: .toClient, fate: .cutBefore),
  ]

  var testDescription: String {
    switch (direction, fate) {
    case (.toServer, .cutBefore): "before a message arrives"
    case (.toServer, _): "after a message has arrived"
    case (.toClient, _): "before an answer arrives"
    }
  }

  /// Whether sessions of upkeep are cut, which have thousands of messages: `script/check --cuts` asks for it.
  static let reachesUpkeep = ProcessInfo.processInfo.environment["NACRE_CUTS"] != nil

  /// Whether an error says that the connection was lost, or that there is none.
  static func isLoss(_ error: any Error) -> Bool {
    guard let error = error as? NacreError else { return false }
    if [.connectionLost, .cannotOpen].contains(error.code) { return true }
    // A migration names its step, and the loss as its cause.
    return error.cause.map(isLoss) ?? false
  }

  /// Goes through sessions that are alike, and cuts each at a later message than the one before, until one is whole.
  ///
  /// It begins at one of the first ones by chance. NACRE_CUTS says how many messages later each cut is; with 1, each
  /// message is cut at.
  ///
  /// - Parameters:
  ///   - proxy: Stands before the server.
  ///   - least: The number of messages that a session has at least.
  ///   - step: How many messages later each cut is than the one before.
  ///   - session: Runs a session with its number, which calls `begin` where its messages begin to count, and `end` where
  ///     they no longer do.
  func goThrough(
    _ proxy: ServerProxy,
    atLeast least: Int,
    every step: Int,
    _ session: (_ number: Int, _ begin: () -> Void, _ end: () -> Int) throws -> Void
  ) rethrows {
    let step = max(1, ProcessInfo.processInfo.environment["NACRE_CUTS"].flatMap(Int.init) ?? step)
    var number = Int.random(in: 1...step)
    while true {
      var cuts = 0
      try session(number) {
        proxy.meet(fate) { [direction, number] in
          $0.direction == direction && $0.number == number
        }
      } _: {
        cuts = proxy.counts.cuts
        proxy.count()
        return cuts
      }
      if cuts == 0 { break }
      number += step
    }
    // The whole session was gone through.
    #expect(number > least, "the session has \(number) messages")
  }
}

extension PostgresConnection {
  /// Lets the leases of a store run out, as if their time were over.
  func endLease() throws {
    guard try schema.hasTable("nacre_lease") else { return }
    try execute("UPDATE \"nacre_lease\" SET \"expires\" = '-infinity'")
  }
}
#endif
