import NacreCore
import NacreRecords
import Testing
@testable import TestSupport

private struct Account: Record, Equatable {
  var id: Int64?
  var name: String?
  var balance: Int?
  init() {}
  static let columns: [RecordColumn<Account>] = [.key(\.id), .column(\.name), .column(\.balance)]
}

private struct Profile: Record, Equatable {
  var id: Int64?
  var name: String?
  var city: String?
  init() {}
  static let columns: [RecordColumn<Profile>] = [.key(\.id), .column(\.name), .column(\.city)]
}

/// What is known of a person, from both tables; it has none of its own, and no key.
private struct Overview: Record, Equatable {
  var name: String?
  var city: String?
  var balance: Int?
  var title = "Dr"
  init() {}
  static let columns: [RecordColumn<Overview>] = [
    .column(\.name), .column(\.city), .column(\.balance), .column(\.title),
  ]
}

private struct Misfit: Record {
  var name: String?
  var balance: String?
  init() {}
  static let columns: [RecordColumn<Misfit>] = [.key(\.name), .column(\.balance)]
}

@Suite struct RecordMergeTests {
  private func overview(_ name: String?, _ city: String?, _ balance: Int?) -> Overview {
    var overview = Overview()
    (overview.name, overview.city, overview.balance) = (name, city, balance)
    return overview
  }

  @Test func `a merge puts a record together from several tables`() throws {
    let scene = try RecordScene()
    let (accounts, profiles) = (Table<Account>().in(scene.store), Table<Profile>().in(scene.store))
    var (account, profile) = (Account(), Profile())
    account.balance = 12
    (profile.name, profile.city) = ("Ada", "London")
    try accounts.insert(&account)
    try profiles.insert(&profile)
    var whole = Overview()
    try whole.merge(#require(try accounts.first()), overwriting: true)
    try whole.merge(#require(try profiles.first()), overwriting: true)
    #expect(whole == overview("Ada", "London", 12))
  }

  @Test func `a merge that overwrites takes the other's values`() throws {
    var record = overview("A", "B", 1)
    try record.merge(overview("X", nil, 2), overwriting: true)
    #expect(record == overview("X", "B", 2))
  }

  @Test func `a merge that does not overwrite fills what is nil`() throws {
    var record = overview("A", nil, 1)
    try record.merge(overview("X", "Y", 2), overwriting: false)
    #expect(record == overview("A", "Y", 1))
    try record.merge(overview(nil, nil, nil), overwriting: false, keepsNil: false)
    #expect(record == overview("A", "Y", 1))
  }

  @Test func `a merge that overwrites clears by nil only when asked`() throws {
    var record = overview("A", "B", 1)
    try record.merge(overview("X", nil, nil), overwriting: true)
    #expect(record == overview("X", "B", 1))
    try record.merge(overview("X", nil, nil), overwriting: true, keepsNil: false)
    #expect(record == overview("X", nil, nil))
  }

  @Test func `a merge leaves the key alone, so that an update writes the record's own row`() throws
  {
    let scene = try RecordScene()
    let accounts = Table<Account>().in(scene.store)
    var (one, two) = (Account(), Account())
    (one.name, two.name) = ("one", "two")
    try accounts.insert(&one)
    try accounts.insert(&two)
    let key = one.id
    var blank = Account()
    (blank.name, blank.balance) = ("merged", 3)
    for keepsNil in [true, false] {
      try one.merge(two, overwriting: true, keepsNil: keepsNil)
      try one.merge(blank, overwriting: true, keepsNil: keepsNil)
      #expect(key != nil && one.id == key && one.name == "merged" && one.balance == 3)
    }
    try accounts.update(one)
    #expect(try accounts.fetchAll(orderBy: "id").map(\.name) == ["merged", "two"])
    try blank.merge(two, overwriting: false)
    #expect(blank.id == nil)
  }

  @Test func `a merge of a value that does not fit changes nothing`() throws {
    var record = overview("A", "B", 1)
    var other = Misfit()
    (other.name, other.balance) = ("X", Marker.text)
    expectError(.valueMismatch, entity: "Overview", property: "balance") {
      try record.merge(other, overwriting: true)
    }
    #expect(record == overview("A", "B", 1))
  }
}
