import Foundation
import Nacre
import Testing

extension DefaultStoreTests.Tour {
  // tour: searchable
  @Entity final class Member {
    @Encrypted(unique: true, normalizer: .casefold) var email = ""
    @Encrypted(searchable: true, normalizer: .digits) var phone: String?
    @Encrypted(hidesNil: true, padding: .padme) var note: String?  // neither nil nor length shows
  }
  // end

  enum First {
    @Entity final class Letter {
      var text = ""
    }
  }

  enum Second {
    @Entity final class Letter {
      @Encrypted var text = ""
    }
  }

  private func members() throws -> Store {
    let store = try Store.open(
      directory + "/members.db",
      unlock: .keyFile(directory + "/members.key", createIfMissing: true)
    )
    try store.makeDefault()
    for (email, phone) in [("Ada@example.org", "+44 20 7946 0958"), ("bob@example.org", nil)] {
      let member = Member.create()
      member.email = email
      member.phone = phone
      try member.save()
    }
    return store
  }

  @Test func `sealed properties are searched`() throws {
    let store = try members()
    // tour: searching
    let ada = try Member.fetchOne(\.email, equals: "ada@EXAMPLE.org")
    let some = try Member.fetchAll(\.phone, in: ["44 2079460958", "44 2079460959"])
    // end
    #expect(ada?.email == "Ada@example.org")
    #expect(some.map(\.objectID) == [ada?.objectID])
    let twin = Member.create()
    twin.email = "BOB@example.org"
    let error = #expect(throws: NacreError.self) { try twin.save() }
    #expect(error?.code == .constraint)
    #expect(error?.property == "email")
    let sizes = try store.read { database in
      try database.query("SELECT DISTINCT length(note) FROM Member")
    }
    #expect(sizes.count == 1)
    try store.close()
  }

  @Test func `sealed properties are searched by the async twins`() async throws {
    let store = try members()
    #expect(try await Member.fetchOne(\.email, equals: "bob@example.org")?.phone == nil)
    #expect(try await Member.fetchAll(\.email, equals: "ADA@example.org").count == 1)
    #expect(try await Member.fetchAll(\.phone, in: [nil, "442079460958"]).count == 2)
    try await store.close()
  }

  @Test func `keys are rotated and everything is verified`() throws {
    let store = try members()
    let old = try #require(try store.inspect().ring?.keys.first { $0.purpose == .field })
    // tour: rotating
    let rotation = try store.rotate { progress in
      print(progress.phase, progress.done, progress.total)
      return .goOn  // .stop ends at a batch's edge; the next call goes on
    }
    // rotation.outcome is .finished: nothing names the old keys any more, and they are disabled

    let verification = try store.verify()  // opens and checks everything
    // verification.isSound; its badCells name entity, objectID and property
    // end
    #expect(rotation.outcome == .finished)
    #expect(rotation.from.contains(old.id))
    #expect(verification.isSound)
    #expect(try store.sealedCounts().allSatisfy { $0.keyID != old.id })
    #expect(try Member.fetchOne(\.email, equals: "ada@example.org")?.phone != nil)
    try store.close()
  }

  @Test func `secrets come and go`() throws {
    let store = try members()
    // tour: slots
    try store.addSlot(.passphrase("correct horse battery staple"))  // one secret more
    try store.removeSlot(1)  // the key file's
    try store.rewrap(keeping: [.passphrase("correct horse battery staple")])  // a new store key
    // end
    #expect(try store.slots().map(\.kind) == ["passphrase"])
    try store.close()
    let error = #expect(throws: NacreError.self) {
      try Store.open(directory + "/members.db", unlock: .keyFile(directory + "/members.key"))
    }
    #expect(error?.code == .wrongSecret)
  }

  @Test func `a property is sealed that was stored in plain`() throws {
    let store = try members()
    let letter = First.Letter.create()
    letter.text = "Dear Charles"
    try letter.save()
    typealias Letter = Second.Letter
    // tour: adopting
    // In version 2, `text` is marked @Encrypted. Until its rows are converted, using it is an error.
    let plan = try store.migrationPlan(Letter.self)  // "Letter.text: plain → sealed"
    try store.migrate(Letter.self)  // in batches; the plaintext is gone from the file
    // end
    #expect(plan.description == "Letter.text: plain → sealed")
    #expect(try Letter.fetchOne()?.text == "Dear Charles")
    try store.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: directory + "/members.db"))
    #expect(bytes.range(of: Data("Dear Charles".utf8)) == nil)
  }
}
