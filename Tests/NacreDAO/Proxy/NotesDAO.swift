import NacreDAO

/// A protocol and, as `@DAO` would write it, its proxy.
protocol NotesDAO: DAOProtocol {
  func add(_ id: Int, _ content: String?) -> DAOResult
  func addAll(_ messages: [Message]) throws
  func contents() throws -> [String?]
  func all() async throws -> sending [Letter]
  func find(_ id: Int) throws -> Message?
  func count() throws -> Int
}

final class NotesDAOProxy: NotesDAO, DAOProxy {
  let dao: DAO
  init(dao: DAO) { self.dao = dao }

  static let methods: [DAOSignature] = [
    DAOSignature("add", [Int.self, String?.self], DAOResult.self, at: "NotesDAO.swift:5"),
    DAOSignature("addAll", [[Message].self], Void.self, at: "NotesDAO.swift:6"),
    DAOSignature("contents", [], [String?].self, at: "NotesDAO.swift:7"),
    DAOSignature("all", [], [Letter].self, at: "NotesDAO.swift:8"),
    DAOSignature("find", [Int.self], Message?.self, at: "NotesDAO.swift:9"),
    DAOSignature("count", [], Int.self, at: "NotesDAO.swift:10"),
  ]

  func add(_ id: Int, _ content: String?) -> DAOResult { dao.call("add", [id, content]) }
  func addAll(_ messages: [Message]) throws {
    if let error = dao.call("addAll", [messages]).error { throw error }
  }
  func contents() throws -> [String?] { try dao.call("contents").get() }
  func all() async throws -> sending [Letter] { try await dao.call("all").get() }
  func find(_ id: Int) throws -> Message? { try dao.call("find", [id]).get() }
  func count() throws -> Int { try dao.call("count").get() }

  /// The configuration of the notes.
  static let xml = Desk.module(
    """
    <select id="all" result="[:letterMap]">select id, content, 7 as uin, 0 as read from ${T} order by id</select>
    <select id="find" arguments="id" result=":messageMap">
      select * from ${T} where id = #{id}
    </select>
    """
  )
}

/// Protocols inside of types; the last one's name begins as the module's does.
enum Shelf {
  protocol ShelfDAO: DAOProtocol {}
  final class ShelfDAOProxy: ShelfDAO, DAOProxy {
    let dao: DAO
    init(dao: DAO) { self.dao = dao }
    static let methods: [DAOSignature] = []
  }

  struct Board2 {
    protocol NacreDAO3: Sendable {}
    final class NacreDAO3Proxy: NacreDAO3, DAOProxy {
      let dao: DAO
      init(dao: DAO) { self.dao = dao }
      static let methods: [DAOSignature] = []
    }
  }
}

/// A name that is not ASCII.
protocol ÜbersichtDAO: DAOProtocol {}
final class ÜbersichtDAOProxy: ÜbersichtDAO, DAOProxy {
  let dao: DAO
  init(dao: DAO) { self.dao = dao }
  static let methods: [DAOSignature] = []
}

/// Without a proxy.
protocol UnmarkedDAO: DAOProtocol {}
/// Its proxy is none.
protocol MistakenDAO: DAOProtocol {}
final class MistakenDAOProxy {}
