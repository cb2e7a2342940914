#if PostgreSQL
import Foundation
import NacreEngine
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Servers that answer as no server does: nobody waits for them forever.
@Suite struct HostileServerTests {
  /// What a client reads when the server's answer is another one.
  enum Place: CaseIterable {
    case results, answersOfPipeline, restOfStream
  }

  private let proxy: ServerProxy
  private let url: String

  init() throws {
    proxy = try ServerProxy()
    url = try TestPlace.newSchema()
    try TestServer.connect(to: url).execute(
      "CREATE TABLE \"nacre_slot\" (\"id\" bigint); CREATE TABLE \"t\" (\"a\" bigint)"
    )
  }

  /// The message by which a server asks for the rows of a COPY (CopyInResponse).
  private static let copy = ProxyMessage.message("G", [0, 0, 0])

  /// The message that a statement has no parameters (ParameterDescription).
  private static let noParameters = ProxyMessage.message("t", [0, 0])

  /// Lets the end of a statement be a request for rows.
  private func replaceEnd(of tag: String) {
    proxy.meet(.changed { _ in Self.copy }) { $0.isEnd(of: tag) }
  }

  private func meetCopy(at place: Place, _ connection: PostgresConnection) throws {
    switch place {
    case .results:
      replaceEnd(of: "BEGIN")
      try connection.begin(.immediate)
    case .answersOfPipeline:
      try connection.transaction(.immediate) {
        let insert: PostgresStatement = try connection.prepare("INSERT INTO \"t\" VALUES (1)")
        replaceEnd(of: "INSERT")
        try insert.send(.rows())
        try connection.takeAnswers()
      }
    case .restOfStream:
      let rows: PostgresStatement = try connection.prepare("SELECT generate_series(1, 100000)")
      replaceEnd(of: "SELECT")
      #expect(try rows.step())
      _ = try connection.values("SELECT 1")
    }
  }

  @Test(arguments: Place.allCases)
  func `a server that asks for rows of a copy is given up`(place: Place) throws {
    defer { proxy.close() }
    // On a thread of its own, because it would go on forever.
    let work = OwnThread { [self] in
      let connection = try TestServer.connect(to: proxy.url(url))
      expect(.badStatement) { try meetCopy(at: place, connection) }
      #expect(proxy.counts.changed.count == 1)
      #expect(try connection.values("SELECT count(*) FROM \"t\"") == [.integer(0)])
    }
    try work.value()
  }

  @Test func `a server that describes fewer parameters than a statement has is refused`() throws {
    defer { proxy.close() }
    let connection = try TestServer.connect(to: proxy.url(url))
    proxy.meet(.changed { _ in Self.noParameters }) {
      $0.direction == .toClient && $0.bytes.first == UInt8(ascii: "t")
    }
    expect(.other) {
      let _: PostgresStatement = try connection.prepare("SELECT ?1::bigint")
    }
    #expect(proxy.counts.changed.count == 1)
  }
}
#endif
