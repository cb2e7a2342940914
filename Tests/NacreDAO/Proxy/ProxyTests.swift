import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

@Suite struct ProxyTests {
  private let home: TestStore
  private let xml = NotesDAOProxy.xml

  init() throws { home = try TestStore() }

  private func notes() throws -> any NotesDAO {
    try home.store.dao((any NotesDAO).self, config: xml)
  }

  @Test func `a protocol's methods call those of the configuration`() async throws {
    let notes = try notes()
    #expect(notes.add(1, "a").succeeded)
    #expect(notes.lastInsertRowID == 1)
    try notes.addAll([Message.make(2, "b"), Message.make(3, nil)])
    #expect(try notes.contents() == ["a", "b", nil])
    #expect(try notes.find(2)?.content == "b")
    #expect(try notes.find(9) == nil)
    #expect(try notes.count() == 3)
    #expect(try await notes.all().map(\.msgId) == [1, 2, 3])
  }

  @Test func `a failure is returned or thrown, as the method is declared`() throws {
    let notes = try notes()
    #expect(notes.add(1, "a").succeeded)
    #expect(notes.add(1, "a").code == .constraint)
    let error = #expect(throws: NacreError.self) { try notes.addAll([Message.make(1, "b")]) }
    #expect(error?.code == .constraint)
    #expect(try notes.contents() == ["a"])
  }

  @Test func `the DAO's own properties and methods are there`() async throws {
    let notes = try notes()
    notes.tableName = "others"
    #expect(notes.tableName == "others" && notes.dao.tableName == "others" && notes.name == "Notes")
    notes.globalArguments = ["a": 1]
    #expect(notes.globalArguments["a"] as? Int == 1)
    notes.eventHandler = { _, _ in }
    notes.encryptMethod = { value, _, _ in value }
    notes.decryptMethod = { value, _, _ in value }
    #expect(notes.eventHandler != nil && notes.encryptMethod != nil && notes.decryptMethod != nil)
    #expect(try notes.store === home.store)
    #expect(try notes.databasePath == home.store.path)
    #expect(notes.allMethodsList.contains("addAll"))
    #expect(await notes.call("add", [1, "a"]).succeeded)
    #expect(await notes.prepareParallelConnection().succeeded)
    #expect(await notes.vacuumDatabase().succeeded)
    #expect(await notes.deleteTable().succeeded)
    #expect(try notes.count() == 0)
    #expect(await notes.deleteTables(withRegex: "oth.*").succeeded)
  }

  @Test func `a proxy's transaction goes over several calls`() throws {
    let notes = try notes()
    notes.daoTransaction(.begin)
    notes.call("add", [1, "a"])
    #expect(notes.add(2, "b").succeeded)
    notes.daoTransaction(.rollback)
    #expect(try notes.count() == 0)
    #expect(notes.prepareParallelConnection().succeeded && notes.vacuumDatabase().succeeded)
    #expect(notes.deleteTable().succeeded && notes.deleteTables(withRegex: "x").succeeded)
  }

  @Test func `a DAO of the data center follows a switch of users`() throws {
    let center = DataCenter(directory: home.directory.file("center"))
    let notes = try center.dao((any NotesDAO).self, config: xml, userDependent: true)
    #expect(notes.add(1, "a").code == .noUser)
    center.currentUser = "ada"
    #expect(notes.add(1, "a").succeeded)
    center.currentUser = "bob"
    #expect(try notes.count() == 0)
    let shared = try center.dao((any NotesDAO).self, config: xml, userDependent: false)
    #expect(try shared.count() == 0)
    let own = try center.dao((any NotesDAO).self, config: xml, databasePath: "own.db")
    #expect(try own.databasePath == center.directory + "/own.db")
    try center.close()
  }

  // MARK: - Lookup

  @Test func `a proxy is found wherever the protocol stands`() throws {
    func isFound<P>(_ type: P.Type) throws -> Bool {
      try home.store.dao(type, config: "<module/>") is any DAOProxy
    }
    #expect(try isFound((any Shelf.ShelfDAO).self))
    #expect(try isFound((any Shelf.Board2.NacreDAO3).self))
    #expect(try isFound((any ÜbersichtDAO).self))
    #expect(try isFound((any Shelf.ShelfDAO & Sendable).self))
    #expect(try isFound(Shelf.ShelfDAOProxy.self))
  }

  @Test func `a type without a proxy is an error that says to mark it`() throws {
    func code<P>(_ type: P.Type) -> NacreError.Code? {
      let error = #expect(throws: NacreError.self) {
        try home.store.dao(type, config: "<module/>")
      }
      #expect(error.map { "\($0)" }?.contains("@DAO") == true)
      return error?.code
    }
    #expect(code((any UnmarkedDAO).self) == .noProxy)
    #expect(code((any MistakenDAO).self) == .noProxy)
    #expect(code((any Hashable).self) == .noProxy)
    #expect(code((any NotesDAO & UnmarkedDAO).self) == .noProxy)
    #expect(code(Message.self) == .noProxy)
    #expect(code(Any.self) == .noProxy)
  }
}
