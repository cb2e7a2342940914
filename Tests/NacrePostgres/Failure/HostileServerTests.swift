#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
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

  @Test func `numbers of rows that no table has do not trap`() throws {
    defer { proxy.close() }
    let connection = try TestServer.connect(to: proxy.url(url))
    let delete: PostgresStatement = try connection.prepare("DELETE FROM \"t\"")
    let tag = Array("DELETE 9223372036854775807".utf8) + [0]
    proxy.meet(.changed { _ in ProxyMessage.message("C", tag) }, times: 2) {
      $0.isEnd(of: "DELETE")
    }
    var count = 0
    for _ in 0..<2 {
      try delete.run()
      count += connection.changes
    }
    #expect(count == 1 << 54)
    #expect(proxy.counts.changed.count == 2)
  }

  @Test func `a count below zero makes a page of nothing`() throws {
    defer { proxy.close() }
    let url = try TestPlace.newSchema()
    let store = try Store.open(proxy.url(url), options: .patient)
    try store.save([Wheel.create()])
    // The binary form of a column and its length, in the message of a row (DataRow).
    let lowest: [UInt8] = [0, 1, 0, 0, 0, 8, 0x80, 0, 0, 0, 0, 0, 0, 0]
    let one: [UInt8] = [0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 1]
    proxy.meet(.changed { _ in ProxyMessage.message("D", lowest) }) {
      $0.direction == .toClient && $0.bytes.first == UInt8(ascii: "D")
        && $0.bytes.dropFirst(5).elementsEqual(one)
    }
    let page = try Wheel.all.in(store).page(0, size: 1)
    #expect(proxy.counts.changed.count == 1)
    #expect(page.totalItems == 0 && page.totalPages == 0 && !page.hasNext)
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
