#if PostgreSQL
import Foundation
import NacreEngine
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres

@Suite struct PostgresStoreTests {
  @Test func `a store is made on a server and opened again`() throws {
    let url = try TestServer.newSchema()
    let unlock = Unlock.passphrase("correct horse")
    let store = try Store.open(url, unlock: unlock)
    let identifier = store.storeID
    #expect(try store.read { try $0.first("SELECT count(*) FROM nacre_slot") } == .integer(1))
    try store.close()
    let again = try Store.open(url, unlock: unlock)
    #expect(again.storeID == identifier)
    try again.close()
    let error = #expect(throws: NacreError.self) {
      try Store.open(url, unlock: .passphrase("wrong"))
    }
    #expect(error?.code == .wrongSecret)
  }
}
#endif
