#if PostgreSQL
import Foundation
import NacreCore
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Sessions of which the server refuses every 24th statement because of somebody else, or as many steps apart as
/// NACRE_CUTS says.
@Suite struct RefusalTests {
  private let scene: WholeSession.Scene
  private let refusal: Refusal

  init() throws {
    scene = try WholeSession.Scene()
    refusal = try Refusal()
  }

  @Test(arguments: Refusal.codes, [false, true])
  func
    `whichever statement of a session is refused, its transaction leaves nothing and can run again`(
      code: (state: String, expected: NacreError.Code),
      hasRetries: Bool
    ) throws
  {
    defer { scene.proxy.close() }
    let count = try run(0, nil, hasRetries)
    // The whole session was counted: seven transactions, and the statements that they prepare.
    #expect(count > 80)
    let step = max(1, ProcessInfo.processInfo.environment["NACRE_CUTS"].flatMap(Int.init) ?? 24)
    for number in stride(from: Int.random(in: 1...step), through: count, by: step) {
      try run(number, code, hasRetries)
    }
    try scene.direct.close()
  }

  /// Runs a session, one of whose statements the server refuses.
  ///
  /// - Parameters:
  ///   - number: The statement's number.
  ///   - code: The server's code, and what it is for the caller; nil if nothing is refused.
  ///   - hasRetries: Whether the store runs each transaction again by itself.
  /// - Returns: The number of statements that clients have sent.
  /// - Throws: The store's error.
  @discardableResult
  private func run(
    _ number: Int,
    _ code: (state: String, expected: NacreError.Code)?,
    _ hasRetries: Bool
  ) throws -> Int {
    let session = try WholeSession(scene, number)
    let proxy = scene.proxy
    proxy.count()
    if let code {
      let sql = refusal.atOnce(code.state)
      proxy.meet(.changed { $0.replacing(number, by: sql) }) { $0.statements.contains(number) }
    }
    var (runs, failures) = (0, 0)
    // Whether the statement was refused while a transaction began, before its closure ran.
    var isBeforeClosure = false
    for step in session.steps {
      let states = WholeSession.states(of: step.objects)
      #expect(try step.look() == step.before)
      let (runsBefore, wasRefused) = (runs, !proxy.counts.changed.isEmpty)
      let attempt = {
        if runs == runsBefore, !wasRefused { isBeforeClosure = !proxy.counts.changed.isEmpty }
        runs += 1
        #expect(WholeSession.states(of: step.objects) == states)
        try step.run()
      }
      do {
        if hasRetries {
          try session.store.write(retries: 3) { _ in try attempt() }
        } else {
          try attempt()
        }
      } catch {
        failures += 1
        let place = "\(step.name), \(number) in \(proxy.counts.changed)"
        #expect((error as? NacreError)?.code == code?.expected, "\(place): \(error)")
        #expect(try step.look() == step.before, "\(place)")
        try attempt()
      }
      let found = try step.look()
      #expect(found == step.after, "\(step.name)")
      #expect(step.deletes || step.objects.allSatisfy { !$0.hasChanges }, "\(step.name)")
    }
    let counts = proxy.counts
    if code != nil {
      let place = "\(number) in \(counts.changed)"
      #expect(counts.changed.count == 1, "\(place)")
      #expect(failures == (hasRetries ? 0 : 1), "\(place)")
      // A closure that had not run is not run again. Without retries the closure is the whole transaction.
      #expect(runs - session.steps.count == (isBeforeClosure ? 0 : 1), "\(place)")
    }
    try session.end()
    return counts.statements
  }
}
#endif
