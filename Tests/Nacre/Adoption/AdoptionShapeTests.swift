import Foundation
import Nacre
@testable import TestSupport
import Testing

/// A file of the shape of each library that ADOPT.md names, adopted by the page's mapping.
@Suite struct AdoptionShapeTests {
  private static let date = Date(timeIntervalSince1970: 1_700_000_000)

  /// A sealed store that knows these classes, and has adopted the file.
  private func adopt(
    _ sql: String,
    by heading: String,
    _ entities: any Entity.Type...,
    prepare: (Store) throws -> Void = { _ in }
  ) throws -> (test: TestStore, report: AdoptionReport) {
    let foreign = try ForeignDatabase(sql)
    let before = try foreign.bytes()
    let mapping = try AdoptPage.mapping(under: heading)
    let test = try TestStore { $0.entities = entities }
    try prepare(test.store)
    let plan = try test.store.adopt(foreign.path, by: mapping, misfits: .list)
    #expect(plan.misfits == [])
    let report = try test.store.adopt(foreign.path, by: mapping)
    #expect(report.objects == plan.objects && report.joinCount == plan.joinCount)
    #expect(try test.store.verify().isSound)
    #expect(try foreign.bytes() == before)
    return (test, report)
  }

  @Test func `a file of SQPersist is adopted`() throws {
    typealias Car = OfSQPersist.Car
    let (test, report) = try adopt(
      """
      CREATE TABLE SQPUser (objectID TEXT, firstName TEXT);
      CREATE TABLE SQPCar (objectID TEXT, name TEXT, power REAL, vin TEXT, built INTEGER, owner TEXT,
        photo BLOB);
      INSERT INTO SQPCar VALUES
        ('6BA7B810-9DAD-11D1-80B4-00C04FD430C8', 'Zoe', 109.0, 'VF1', 1700000000,
         '6ba7b811-9dad-11d1-80b4-00c04fd430c8', NULL),
        ('6BA7B812-9DAD-11D1-80B4-00C04FD430C8', 'Ami', 8.0, NULL, NULL, NULL, NULL);
      INSERT INTO SQPUser VALUES ('6BA7B811-9DAD-11D1-80B4-00C04FD430C8', 'John');
      """,
      by: "SQPersist",
      Car.self,
      OfSQPersist.User.self
    )
    #expect(report.objects == ["Car": 2, "User": 1])
    try test.store.read { (_) throws in
      let id = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
      let car = try #require(try Car.fetch(id: id))
      #expect(car.name == "Zoe" && car.power == 109 && car.vin == "VF1" && car.built == Self.date)
      #expect(car.owner?.firstName == "John")
      let other = try #require(try Car.fetchOne(\.name, equals: "Ami"))
      #expect(other.vin == nil && other.built == nil && other.owner == nil)
      #expect(try OfSQPersist.User.fetchOne(\.firstName, equals: "John") != nil)
    }
    // Tests of a server search its dump.
    if TestPlace.isOnServer { return }
    let bytes = try ["store.db", "store.db-wal"].map { try test.directory.bytes($0) }
    for secret in ["VF1", "John"] {
      #expect(!bytes.contains { $0.range(of: Data(secret.utf8)) != nil })
    }
  }

  @Test func `a file of AYRecord is adopted`() throws {
    typealias Student = OfAYRecord.Student
    let (test, report) = try adopt(
      """
      CREATE TABLE AY_Dic_Record_Config (name TEXT, type TEXT, key TEXT, version INTEGER, columns TEXT);
      CREATE TABLE Teacher (ID INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
      CREATE TABLE Student (ID INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, birthday REAL,
        teacherID INTEGER, fee TEXT);
      INSERT INTO Teacher VALUES (7, 'Hopper');
      INSERT INTO Student VALUES (1, 'Ada', 1700000000.0, 7, '12.50'), (2, 'Bob', NULL, NULL, '0');
      """,
      by: "AYRecord",
      OfAYRecord.Teacher.self,
      Student.self
    )
    #expect(report.objects == ["Teacher": 1, "Student": 2])
    try test.store.read { (_) throws in
      let students = try Student.fetchAll(orderBy: "objectID")
      #expect(students.map(\.name) == ["Ada", "Bob"])
      #expect(students[0].birthday == Self.date)
      #expect(students[0].fee == Decimal(string: "12.5"))
      #expect(try students[0].teacher?.get().name == "Hopper")
      #expect(students[1].teacher == nil)
    }
  }

  @Test func `a file of DBSQLite is adopted as records`() throws {
    let (test, report) = try adopt(
      """
      CREATE TABLE person (personID INTEGER PRIMARY KEY, name TEXT, born REAL, address TEXT);
      INSERT INTO person VALUES (3, 'Ada', 1700000000, '{"city":"London"}'), (9, 'Bob', NULL, NULL);
      """,
      by: "DBSQLite",
      prepare: { try Table<OfDBSQLite.Person>().in($0).create() }
    )
    #expect(report.objects == ["Person": 2])
    let people = try Table<OfDBSQLite.Person>().in(test.store).all.ordered(by: "id").fetchAll()
    #expect(people.map(\.id) == [3, 9])
    #expect(people.map(\.name) == ["Ada", "Bob"])
    #expect(people[0].born == Self.date && people[0].address == "{\"city\":\"London\"}")
  }

  @Test func `a file of CTPersistance is adopted`() throws {
    typealias Todo = OfCTPersistance.Todo
    let (test, report) = try adopt(
      """
      CREATE TABLE kCTPersistanceVersionTableName (identifier INTEGER PRIMARY KEY, databaseVersion TEXT);
      CREATE TABLE todo (identifier INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, isDone INTEGER,
        dueTime INTEGER);
      INSERT INTO todo VALUES (1, 'c''asa', 1, 1700000000500), (2, 'rest', NULL, NULL);
      """,
      by: "CTPersistance",
      Todo.self
    )
    #expect(report.objects == ["Todo": 2])
    try test.store.read { (_) throws in
      let todos = try Todo.fetchAll(orderBy: "objectID")
      #expect(todos.map(\.title) == ["c'asa", "rest"])
      #expect(todos.map(\.isDone) == [true, false])
      #expect(todos[0].due == Date(timeIntervalSince1970: 1_700_000_000.5))
    }
  }

  @Test func `a file of the mPaaS DAO is adopted`() throws {
    typealias Message = OfMPaaS.Message
    let (test, report) = try adopt(
      """
      CREATE TABLE TableVersions (tableName TEXT, version REAL);
      CREATE TABLE message (conversation TEXT, msgId INTEGER, content TEXT, time INTEGER, read INTEGER,
        PRIMARY KEY (conversation, msgId));
      INSERT INTO message VALUES ('a', 1, 'hello', 1700000000000, 1), ('b', 1, NULL, 0, 0);
      """,
      by: "mPaaS",
      Message.self
    )
    #expect(report.objects == ["Message": 2])
    try test.store.read { (_) throws in
      let messages = try Message.fetchAll(orderBy: "conversation")
      #expect(messages.map(\.content) == ["hello", nil])
      #expect(messages.map(\.isRead) == [true, false])
      #expect(messages.map(\.time) == [Self.date, Date(timeIntervalSince1970: 0)])
    }
  }

  @Test func `a file of GRDB is adopted`() throws {
    typealias Author = OfGRDB.Author
    let (test, report) = try adopt(
      """
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL);
      CREATE TABLE book (id INTEGER PRIMARY KEY AUTOINCREMENT, authorId INTEGER REFERENCES author,
        title TEXT NOT NULL, publishedAt DATETIME);
      INSERT INTO author VALUES (1, 'Lem'), (2, 'Le Guin');
      INSERT INTO book VALUES (1, 1, 'Solaris', '2023-11-14 22:13:20.000'), (2, 2, 'Always', NULL),
        (3, 1, 'Fiasco', '2023-11-14'), (4, NULL, 'Beowulf', NULL);
      """,
      by: "GRDB",
      Author.self,
      OfGRDB.Book.self
    )
    #expect(report.objects == ["Author": 2, "Book": 4])
    #expect(report.joinCount == 3)
    try test.store.read { (_) throws in
      let authors = try Author.fetchAll(orderBy: "objectID")
      #expect(authors.map { $0.books.map(\.title) } == [["Solaris", "Fiasco"], ["Always"]])
      #expect(authors[0].books[0].published == Self.date)
      #expect(authors[0].books[1].published == Date(timeIntervalSince1970: 1_699_920_000))
    }
  }

  @Test func `a file of FMDB without keys is adopted`() throws {
    typealias Contact = OfFMDB.Contact
    let (test, report) = try adopt(
      """
      CREATE TABLE contacts (name TEXT, phone, added REAL);
      INSERT INTO contacts VALUES ('Ada', '+44 20 7946', 1700000000.0), ('Bob', 4930123, NULL);
      """,
      by: "FMDB",
      Contact.self
    )
    #expect(report.objects == ["Contact": 2])
    try test.store.read { (_) throws in
      let ada = try #require(try Contact.fetchOne(\.phone, equals: "44207946"))
      #expect(ada.name == "Ada" && ada.added == Self.date && ada.note == nil)
      #expect(try Contact.fetchOne(\.phone, equals: "4930123")?.name == "Bob")
    }
  }

  @Test func `a file of Core Data is adopted`() throws {
    typealias Note = OfCoreData.Note
    let (test, report) = try adopt(
      """
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
      CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFOLDER INTEGER,
        Z_FOK_FOLDER INTEGER, ZCREATED TIMESTAMP, ZTITLE VARCHAR, ZTOKEN BLOB);
      CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
      CREATE TABLE Z_2TAGS (Z_2NOTES INTEGER, Z_3TAGS INTEGER, PRIMARY KEY (Z_2NOTES, Z_3TAGS));
      INSERT INTO ZFOLDER VALUES (1, 1, 1, 'Work'), (2, 4, 1, 'Another entity');
      INSERT INTO ZNOTE VALUES
        (1, 2, 1, 1, 2048, 721692800.0, 'second', x'6BA7B8109DAD11D180B400C04FD430C8'),
        (2, 2, 1, 1, 1024, NULL, 'first', NULL), (3, 2, 1, NULL, NULL, 0, 'loose', NULL);
      INSERT INTO ZTAG VALUES (1, 3, 1, 'red'), (2, 3, 1, 'blue');
      INSERT INTO Z_2TAGS VALUES (1, 1), (1, 2), (2, 2);
      """,
      by: "Core Data",
      OfCoreData.Folder.self,
      Note.self,
      OfCoreData.Tag.self
    )
    #expect(report.objects == ["Folder": 1, "Note": 3, "Tag": 2])
    #expect(report.joinCount == 3)
    try test.store.read { (_) throws in
      let folder = try #require(try OfCoreData.Folder.fetchOne())
      #expect(folder.name == "Work")
      #expect(folder.notes.map(\.title) == ["first", "second"])
      let note = try #require(folder.notes.last)
      #expect(note.created == Self.date)
      #expect(note.token == UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
      #expect(try note.folder?.get().objectID == folder.objectID)
      #expect(try Set(note.tags.fetchAll().map(\.name)) == ["red", "blue"])
      let loose = try #require(try Note.fetchAll().first { $0.title == "loose" })
      #expect(loose.folder == nil)
      #expect(loose.created == Date(timeIntervalSinceReferenceDate: 0))
    }
  }
}
