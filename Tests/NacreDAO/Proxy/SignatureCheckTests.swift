import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

@Suite struct SignatureCheckTests {
  /// What does not match in a method, which the configuration has on line 4.
  private func issues(_ method: String, _ signatures: [DAOSignature]) -> [ConfigurationIssue] {
    let xml = """
      <module>
        <map id="m" result="Message"/>
        <map id="l" result="Letter"/>
        \(method)
      </module>
      """
    do {
      _ = try DAO(
        configuration: xml,
        models: [Message.self, Letter.self],
        methods: signatures,
        source: .user(DataCenter(directory: "none"))
      )
      return []
    } catch let error as ConfigurationError {
      return error.issues
    } catch {
      Issue.record(error)
      return []
    }
  }

  private func issues<R>(
    result: String,
    _ type: R.Type,
    foreach: String = ""
  ) -> [ConfigurationIssue] {
    issues(
      "<select id='get' arguments='ids' \(foreach) result='\(result)'>select 1</select>",
      [DAOSignature("get", [[Int].self], type, at: "A.swift:7")]
    )
  }

  @Test func `a method that the configuration lacks is named with its place in the program`() {
    let found = issues("", [DAOSignature("get", [], Void.self, at: "A.swift:7")])
    #expect(found.map(\.line) == [0])
    #expect(
      found.map(\.message) == [
        "A.swift:7 declares a method “get”, and the configuration has none of this name"
      ]
    )
  }

  @Test func `a wrong number of arguments is told with those that there are`() {
    let get = DAOSignature("get", [Int.self, Int.self], Void.self, at: "A.swift:7")
    let one = issues("<update id='get' arguments='a'/>", [get])
    #expect(one.map(\.line) == [4])
    #expect(one.map(\.message) == ["“get” takes 1 argument, and A.swift:7 declares 2"])
    let two = issues("<update id='get' arguments='a'/><update id='get' arguments='a,b,c'/>", [get])
    #expect(two.map(\.message) == ["“get” takes 1 or 3 arguments, and A.swift:7 declares 2"])
    #expect(issues("<update id='get'/><update id='get' arguments='a,b'/>", [get]) == [])
  }

  @Test(arguments: ["insert", "update", "delete"])
  func `a method that writes gives no value`(kind: String) {
    let method = "<\(kind) id='put'/>"
    let value = issues(method, [DAOSignature("put", [], Int?.self, at: "A.swift:7")])
    #expect(value.map(\.line) == [4])
    #expect(value.first?.message.contains("it is <\(kind)>, and A.swift:7 declares") == true)
    #expect(issues(method, [DAOSignature("put", [], Void.self, at: "")]) == [])
    #expect(issues(method, [DAOSignature("put", [], DAOResult.self, at: "")]) == [])
  }

  @Test func `a select without a result gives no value`() {
    let method = "<select id='get'>select 1</select>"
    let value = issues(method, [DAOSignature("get", [], Int.self, at: "A.swift:7")])
    #expect(value.map(\.message) == ["“get” has no result, and A.swift:7 declares Int"])
    #expect(issues(method, [DAOSignature("get", [], Void.self, at: "")]) == [])
  }

  @Test func `a value of one row is held by its type, with or without an optional`() {
    for result in ["int", "long long"] {
      #expect(issues(result: result, Int.self) == [])
      #expect(issues(result: result, Int?.self) == [])
      #expect(issues(result: result, Int64?.self) == [])
      #expect(issues(result: result, UInt8.self) == [])
      #expect(issues(result: result, Double.self) == [])
      #expect(issues(result: result, String.self).count == 1)
    }
    #expect(issues(result: "bool", Bool.self) == [])
    #expect(issues(result: "bool", Data.self).count == 1)
    #expect(issues(result: "double", Double?.self) == [])
    #expect(issues(result: "double", Date.self) == [])
    #expect(issues(result: "double", Int.self).count == 1)
    #expect(issues(result: "string", String.self) == [])
    #expect(issues(result: "string", URL?.self) == [])
    #expect(issues(result: "string", Letter.self).count == 1)
    #expect(issues(result: "binary", Data.self) == [])
    #expect(issues(result: "binary", UUID.self) == [])
    #expect(issues(result: "binary", [UInt8].self).count == 1)
    #expect(issues(result: "{}", [String: Any].self) == [])
    #expect(issues(result: "{}", [String: Int]?.self) == [])
    #expect(issues(result: "{}", [Int: Any].self).count == 1)
  }

  @Test func `an object is held by its class, by a map of it, and by what may be one`() {
    for result in ["Message", ":m"] {
      #expect(issues(result: result, Message?.self) == [])
      #expect(issues(result: result, Message.self) == [])
      #expect(issues(result: result, Any.self) == [])
      #expect(issues(result: result, AnyObject.self) == [])
      #expect(issues(result: result, (any Entity)?.self) == [])
      #expect(issues(result: result, Letter.self).count == 1)
      #expect(issues(result: result, [Message].self).count == 1)
    }
    #expect(issues(result: ":l", Letter?.self) == [])
    let message = issues(result: ":l", Message?.self).first?.message
    #expect(message == "“get” gives one :l, and A.swift:7 declares Optional<Message>")
  }

  @Test func `values of all rows are held by an array`() {
    #expect(issues(result: "[int]", [Int].self) == [])
    #expect(issues(result: "[int]", [Int64?]?.self) == [])
    #expect(issues(result: "[int]", [Any].self) == [])
    #expect(issues(result: "[int]", Int.self).count == 1)
    #expect(issues(result: "[int]", Set<Int>.self).count == 1)
    #expect(issues(result: "[string]", [Int].self).count == 1)
    #expect(issues(result: "[{}]", [[String: Any]].self) == [])
    #expect(issues(result: "[:m]", [Message].self) == [])
    #expect(issues(result: "[:m]", [Letter].self).count == 1)
    let message = issues(result: "[:m]", Void.self).first?.message
    #expect(message == "“get” gives an array of :m, and A.swift:7 declares no result")
  }

  @Test func `a select with foreach gives an array of what it gives for each`() {
    let foreach = "foreach='ids.id'"
    #expect(issues(result: "int", [Int].self, foreach: foreach) == [])
    #expect(issues(result: "int", [Int?].self, foreach: foreach) == [])
    #expect(issues(result: "int", Int.self, foreach: foreach).count == 1)
    #expect(issues(result: "[:m]", [[Message]].self, foreach: foreach) == [])
    #expect(issues(result: "[:m]", [Message].self, foreach: foreach).count == 1)
  }

  @Test func `the argument that foreach goes over has to be a collection`() {
    func issues<T>(_ type: T.Type) -> [ConfigurationIssue] {
      self.issues(
        "<insert id='put' arguments='a, ids' foreach='ids.id'>x</insert>",
        [DAOSignature("put", [Int.self, type], Void.self, at: "A.swift:7")]
      )
    }
    #expect(issues([Int].self) == [])
    #expect(issues(Set<Int>?.self) == [])
    #expect(issues(Any.self) == [])
    #expect(issues((any Collection<Int>).self) == [])
    #expect(issues((any Collection<Int> & Sendable)?.self) == [])
    #expect(issues((any Sequence & AnyObject).self) == [])
    #expect(issues((any Sheet & Encodable).self) == [])
    let found = issues(Int?.self)
    #expect(found.map(\.line) == [4])
    #expect(found.first?.message.contains("“ids”, which A.swift:7 declares as Int:") == true)
  }

  @Test func `one error has all mismatches in the order of their lines`() {
    let xml = """
      <module name="Notes">
        <select id="b" result="int">select 1</select>

        <select id="a" arguments="x" result="Missing">select 1</select>
        <insert id="c"/>
      </module>
      """
    let signatures = [
      DAOSignature("c", [], Int.self, at: "A.swift:1"),
      DAOSignature("a", [], Int.self, at: "A.swift:2"),
      DAOSignature("b", [], String.self, at: "A.swift:3"),
      DAOSignature("d", [], Void.self, at: "A.swift:4"),
    ]
    let error = #expect(throws: ConfigurationError.self) {
      try DAO(
        configuration: xml,
        models: [],
        methods: signatures,
        source: .user(DataCenter(directory: "none"))
      )
    }
    #expect(error?.issues.map(\.line) == [0, 2, 4, 4, 5])
    #expect(error?.issues.map(\.column) == [0, 3, 3, 3, 3])
  }

  @Test func `methods of the configuration that the protocol lacks are left alone`() {
    #expect(issues("<update id='other'/>", []) == [])
  }

  @Test func `types that a method takes or gives are models without being listed`() throws {
    let home = try TestStore()
    let xml = """
      <module>
        <crypt class="ColouredSheet" property="content"/>
        <insert id="put" arguments="sheets, extra"/>
        <select id="get" result="[Letter]">select 1</select>
        <select id="one" result="Message">select 1</select>
      </module>
      """
    let signatures = [
      DAOSignature("put", [Set<Int>.self, [ColouredSheet]?.self], DAOResult.self, at: ""),
      DAOSignature("get", [], [Letter].self, at: ""),
      DAOSignature("one", [], Message?.self, at: ""),
    ]
    let dao = try DAO(
      configuration: xml,
      models: [],
      methods: signatures,
      source: .fixed(home.store)
    )
    #expect(dao.allMethodsList == ["get", "one", "put"])
    #expect(
      DAOSignature("a", [Int.self, [String: Any].self, Any.self], [Data].self, at: "").models
        .isEmpty
    )
  }

  @Test func `values become the declared type in arrays and optionals, too`() throws {
    let numbers = DAOResult(value: [1, 2])
    #expect(try numbers.get() == [Int64(1), 2])
    #expect(try numbers.get() == [Int32?(1), 2] as [Int32?]?)
    #expect(try DAOResult(value: [[1], [2, 3]] as [Any?]).get() == [[UInt8(1)], [2, 3]])
    #expect(
      try DAOResult(value: [1.5, nil] as [Double?]).get() == [
        Date(timeIntervalSince1970: 1.5), nil,
      ]
    )
    #expect(throws: NacreError.self) { try numbers.get(as: [String].self) }
    #expect(throws: NacreError.self) {
      try DAOResult(value: [1.5, nil] as [Double?]).get(as: [Date].self)
    }
  }
}
