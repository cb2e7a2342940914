import Foundation
import Nacre
import NacreDAO
import TestSupport
import Testing

extension DefaultStoreTests {
  /// The samples of COMING-FROM.md, as regions like those of the tour.
  @Suite struct ComingFrom {
    private let temporary: TemporaryDirectory
    private var directory: String { temporary.path }

    init() throws { temporary = try TemporaryDirectory() }

    // tour: SQPersist's class
    @Entity final class Car {
      var name = ""
      var color = ""
      var power: Int32 = 0
    }
    // end

    @Test func `SQPersist's cars are saved, found and deleted`() throws {
      // tour: SQPersist's calls
      let store = try Store.open(directory + "/cars.db")
      try store.makeDefault()

      let car = Car.create()
      car.name = "Ferrari"
      car.color = "red"
      car.power = 350
      try car.save()

      let strong = try Car.fetchAll(where: "power > ?", 200, orderBy: "power DESC")
      car.isMarkedForDeletion = true
      try car.save()
      // end
      #expect(strong.map(\.name) == ["Ferrari"])
      #expect(try Car.count() == 0)
      try store.close()
    }

    // tour: AYRecord's model
    struct Teacher: Record {
      var id: Int64?
      var name = ""
      var age = 10

      init() {}

      static let columns: [RecordColumn<Teacher>] = [
        .key(\.id, "ID"), .column(\.name, collation: .noCase), .column(\.age, check: "age > 0"),
      ]
    }
    // end

    @Test func `AYRecord's teachers are saved, found and updated`() throws {
      // tour: AYRecord's calls
      let store = try Store.open(directory + "/school.db")
      try store.makeDefault()
      let teachers = Table<Teacher>()

      var teacher = Teacher()
      teacher.name = "Jack"
      teacher.age = 40
      try teachers.insert(&teacher)  // teacher.id is 1

      if var found = try teachers.fetch(key: 1) {
        found.name = "John"
        try teachers.update(found)
      }
      let sql = "SELECT t.*, age - 30 AS more FROM teacher t WHERE age > ?"
      let old = try Teacher.find(sql: sql, 30)
      let years = old.first?["more"]
      // end
      #expect(teacher.id == 1 && years == 10)
      #expect(old.map(\.name) == ["John"])
      try store.close()
    }

    // tour: DBSQLite's model
    struct XYUser: Record {
      private(set) var userID: Int64?
      private(set) var firstName = ""
      private(set) var dateCreated: Date?

      init() {}

      static var tableName: String { "user" }
      static let columns: [RecordColumn<XYUser>] = [
        .key(\.userID, "id"), .column(\.firstName, "first_name"),
        .column(\.dateCreated, "date_created"),
      ]
    }
    // end

    @Test func `DBSQLite's users are inserted by SQL and fetched as objects`() throws {
      // tour: DBSQLite's calls
      let store = try Store.open(directory + "/users.sqlite")
      let users = Table<XYUser>().in(store)
      try users.create()

      let sql = "INSERT INTO user (first_name, date_created) VALUES (?, ?)"
      try store.write { database in try database.execute(sql, "John", Date()) }

      let found = try users.fetch(sql: "SELECT * FROM user")
      // end
      #expect(found.map(\.firstName) == ["John"])
      #expect(found.first?.userID == 1 && found.first?.dateCreated != nil)
      try store.close()
    }

    // tour: CTPersistance's record
    final class TestRecord: Record {
      var identifier: Int64?
      var text = ""

      init() {}

      static var tableName: String { "TestTable" }
      static let columns: [RecordColumn<TestRecord>] = [.key(\.identifier), .column(\.text)]
    }
    // end

    @Test func `CTPersistance's records are inserted, updated and deleted`() throws {
      // tour: CTPersistance's calls
      let store = try Store.open(directory + "/User/Shopping/test.sqlite")
      let table = Table<TestRecord>().in(store)

      let record = TestRecord()
      record.text = "hello, world!"
      try table.insert(record)  // record.identifier is 1

      if let latest = try table.latest() {
        latest.text = "hello, universe!"
        try table.update(latest)
      }
      let texts = try table.fetchAll().map(\.text)
      try table.delete(record)
      // end
      #expect(record.identifier == 1 && texts == ["hello, universe!"])
      #expect(try table.count() == 0)
      try store.close()
    }

    // tour: mPaaS's protocol
    @DAO protocol ItemDAO: DAOProtocol {
      func insertItem(_ content: String?) -> DAOResult
      func getItem(_ idx: Int64) throws -> String?
    }
    // end

    @Test func `mPaaS's items are inserted and read by the configuration on the page`() throws {
      let text = try #require(try TourText.blocks(of: ["COMING-FROM.md"], language: "xml").first)
      try Data(text.text.utf8).write(to: URL(fileURLWithPath: directory + "/demo_config.xml"))
      // tour: mPaaS's calls
      let center = DataCenter(directory: directory)  // or DataCenter.shared
      center.currentUser = "ada"
      let url = URL(fileURLWithPath: directory + "/demo_config.xml")
      let items = try center.dao((any ItemDAO).self, config: url, userDependent: true)

      if let error = items.insertItem("something").error { throw error }
      let content = try items.getItem(items.lastInsertRowID)
      // end
      #expect(content == "something")
      try center.close()
    }
  }
}
