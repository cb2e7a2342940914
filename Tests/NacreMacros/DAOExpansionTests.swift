import Testing

@testable import NacreMacros

struct DAOExpansionTests {
  @Test func `a proxy calls the DAO's method of each name, and says what it asks for`() {
    let source = """
      protocol MessageDAO: DAOProtocol {
        func addMessages(_ messages: [Message]) -> DAOResult
        func find(_ id: Int?, time: Int?) throws -> [Message]
        func clear() throws
        func touch(at date: Date)
      }
      """
    expectExpansion(
      "@DAO\n" + source,
      source + """


        nonisolated final class MessageDAOProxy: MessageDAO, NacreDAO.DAOProxy {
          let dao: NacreDAO.DAO

          init(dao: NacreDAO.DAO) {
            self.dao = dao
          }

          static let methods: [NacreDAO.DAOSignature] = [
            NacreDAO.DAOSignature("addMessages", [[Message].self], DAOResult.self, at: "test.swift:3"),
            NacreDAO.DAOSignature("find", [Int?.self, Int?.self], [Message].self, at: "test.swift:4"),
            NacreDAO.DAOSignature("clear", [], Void.self, at: "test.swift:5"),
            NacreDAO.DAOSignature("touch", [Date.self], Void.self, at: "test.swift:6"),
          ]

          func addMessages(_ `messages`: [Message]) -> DAOResult {
            self.dao.call("addMessages", [`messages`])
          }

          func find(_ `id`: Int?, time: Int?) throws -> [Message] {
            try self.dao.call("find", [`id`, `time`]).get()
          }

          func clear() throws {
            if let error = self.dao.call("clear").error {
              throw error
            }
          }

          func touch(at `date`: Date) {
            self.dao.call("touch", [`date`])
          }
        }
        """
    )
  }

  /// Compares what a method of a protocol becomes, and its signature.
  private func expect(
    _ method: String,
    _ signature: String,
    _ made: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let source = "protocol A: DAOProtocol {\n  \(method)\n}"
    expectExpansion(
      "@DAO \(source)",
      """
      \(source)

      nonisolated final class AProxy: A, NacreDAO.DAOProxy {
        let dao: NacreDAO.DAO

        init(dao: NacreDAO.DAO) {
          self.dao = dao
        }

        static let methods: [NacreDAO.DAOSignature] = [
          NacreDAO.DAOSignature(\(signature), at: "test.swift:2"),
        ]

        \(made)
      }
      """,
      sourceLocation: sourceLocation
    )
  }

  @Test func `an async method waits for the async twin`() {
    expect(
      "func all(_ ids: sending [Int]) async throws -> sending [Message]",
      #""all", [[Int].self], [Message].self"#,
      """
      func all(_ `ids`: sending [Int]) async throws -> sending [Message] {
          try await self.dao.call("all", [`ids`]).get()
        }
      """
    )
    expect(
      "func add() async -> NacreDAO.DAOResult",
      #""add", [], NacreDAO.DAOResult.self"#,
      """
      func add() async -> NacreDAO.DAOResult {
          await self.dao.call("add")
        }
      """
    )
    expect(
      "func add() async throws",
      #""add", [], Void.self"#,
      """
      func add() async throws {
          if let error = await self.dao.call("add").error {
            throw error
          }
        }
      """
    )
    expect(
      "func add() async",
      #""add", [], Void.self"#,
      """
      func add() async {
          await self.dao.call("add")
        }
      """
    )
  }

  @Test(arguments: ["Void", "()", "Swift.Void"])
  func `every spelling of Void expands in the same way`(nothing: String) {
    expect(
      "func add() -> \(nothing)",
      #""add", [], Void.self"#,
      """
      func add() -> \(nothing) {
          self.dao.call("add")
        }
      """
    )
  }

  @Test func `a proxy puts backticks around keywords, and names arguments without a name`() {
    expect(
      "func `default`(in: Int, _: Int, of _: Int, `class` self: Int) throws -> any Entity",
      #""default", [Int.self, Int.self, Int.self, Int.self], (any Entity).self"#,
      """
      func `default`(in: Int, _ `argument1`: Int, of `argument2`: Int, `class` `self`: Int) throws -> any Entity {
          try self.dao.call("default", [`in`, `argument1`, `argument2`, `self`]).get()
        }
      """
    )
  }

  @Test func `types become values without what belongs to a parameter alone`() {
    expect(
      "func a(_ b: Int!, _ c: any Sendable, _ d: [String: Int], _ e: (Int), _ f: A.B<C>) throws -> (any P)?",
      #""a", [Int?.self, (any Sendable).self, [String: Int].self, ((Int)).self, A.B<C>.self], (any P)?.self"#,
      """
      func a(_ `b`: Int!, _ `c`: any Sendable, _ `d`: [String: Int], _ `e`: (Int), _ `f`: A.B<C>) throws -> (any P)? {
          try self.dao.call("a", [`b`, `c`, `d`, `e`, `f`]).get()
        }
      """
    )
  }

  @Test func `a method may spell out the error type that it throws`() {
    expect(
      "func a() throws(any Error)",
      #""a", [], Void.self"#,
      """
      func a() throws(any Error) {
          if let error = self.dao.call("a").error {
            throw error
          }
        }
      """
    )
  }

  @Test(arguments: ["public", "package"])
  func `a proxy is as accessible and as available as its protocol`(access: String) {
    let source = """
      @available(macOS 26, *)
      \(access) protocol `Type`: DAOProtocol {
        typealias ID = Int
        @available(*, deprecated) func add()
      }
      """
    expectExpansion(
      "@DAO\n" + source,
      source + """


        @available(macOS 26, *)
        nonisolated \(access) final class TypeProxy: `Type`, NacreDAO.DAOProxy {
          \(access) let dao: NacreDAO.DAO

          \(access) init(dao: NacreDAO.DAO) {
            self.dao = dao
          }

          \(access) static let methods: [NacreDAO.DAOSignature] = [
            NacreDAO.DAOSignature("add", [], Void.self, at: "test.swift:5"),
          ]

          @available(*, deprecated)
          \(access) func add() {
            self.dao.call("add")
          }
        }
        """
    )
  }

  @Test func `a protocol without methods has a proxy, and one may inherit from others`() {
    expectExpansion(
      "@DAO protocol A: Other, AnyObject {\n}",
      """
      protocol A: Other, AnyObject {
      }

      nonisolated final class AProxy: A, NacreDAO.DAOProxy {
        let dao: NacreDAO.DAO

        init(dao: NacreDAO.DAO) {
          self.dao = dao
        }

        static let methods: [NacreDAO.DAOSignature] = []
      }
      """
    )
  }
}
