import Foundation
import Nacre
import Testing

extension DefaultStoreTests.Tour {
  // tour: glance
  @Entity final class Account {
    var holder = ""
    @Encrypted(searchable: true) var number = ""  // sealed in the file, and still found by equality
    var entries: [Entry] = []  // children: saved, loaded and deleted with their account
  }

  @Entity final class Entry {
    var amount = Decimal(0)
  }
  // end

  @Test func `an account is saved with its entry and found by its sealed number`() throws {
    // tour: glance
    let key = Unlock.keyFile(directory + "/bank.key", createIfMissing: true)
    try Store.open(directory + "/bank.db", unlock: key).makeDefault()

    let account = Account.create()
    account.number = "DE02 1203 0000 0000 2020 51"
    account.entries = [Entry.create()]
    try account.save()  // one transaction: the account and its entry

    let found = try Account.fetchOne(\.number, equals: "DE02 1203 0000 0000 2020 51")
    // end
    #expect(found?.objectID == account.objectID)
    #expect(found?.entries.map(\.objectID) == account.entries.map(\.objectID))
    try Store.default?.close()
  }
}
