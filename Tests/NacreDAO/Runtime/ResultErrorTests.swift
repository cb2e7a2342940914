import NacreCore
import Testing

@testable import NacreDAO

/// The error of a result that can't be had as the type that was asked for.
@Suite struct ResultErrorTests {
  private func text<T>(
    _ result: String,
    _ sql: String,
    as type: T.Type,
    foreach: String = ""
  ) throws -> String {
    let desk = try Desk(
      methods: #"<select id="get" arguments="ids" \#(foreach) result="\#(result)">\#(sql)</select>"#
    )
    let call = desk.dao.call("get", [[1]])
    #expect(call.succeeded)
    let error = #expect(throws: NacreError.self) { try call.get(as: type) }
    #expect(error?.code == .valueMismatch)
    #expect(error?.entity == "Notes" && error?.property == "get")
    return error?.description ?? ""
  }

  @Test(arguments: ["double", "string", "{}", "Message", "Letter"])
  func `the error tells no row from a value of another type`(result: String) throws {
    let text = try text(result, "select 1 as msgId where 0", as: Double.self)
    #expect(text.contains("found no row, and Double was asked for"))
    #expect(text.hasSuffix("Declare the result as Double?."))
  }

  @Test func `the error tells NULL from no row`() throws {
    let text = try text("double", "select null", as: Double.self)
    #expect(text.contains("gave NULL, and Double was asked for"))
    #expect(text.hasSuffix("Declare the result as Double?."))
  }

  @Test func `a statement that was left out is reported as no row`() throws {
    let sql = #"<where onVoid="quit"><if true="0">a</if></where>"#
    #expect(try text("int", sql, as: Int.self).contains("the method found no row"))
  }

  @Test func `the error names a NULL among the rows, and the type that would hold it`() throws {
    let sql = "select 'a' union all select null"
    let text = try text("[string]", sql, as: [String].self)
    #expect(text.contains("a NULL or a missing row among its elements"))
    #expect(text.hasSuffix("Declare the elements as String?."))
    let loop = try self.text(
      "int",
      "select 1 where #{id} = 2",
      as: [Int].self,
      foreach: #"foreach="ids.id""#
    )
    #expect(loop.hasSuffix("Declare the elements as Int?."))
  }

  @Test func `a value of another type is told with both types`() throws {
    let text = try text("int", "select 5", as: String.self)
    #expect(text.contains("the method gave Int, and String was asked for"))
    #expect(text.hasSuffix("Ask for what the configuration's `result` says."))
    let texts = try self.text("[string]", "select 'a'", as: [Int].self)
    #expect(texts.contains("the method gave Array<String>"))
  }

  @Test func `a method that is no select gives no value`() throws {
    let desk = try Desk(methods: "")
    let error = #expect(throws: NacreError.self) {
      try desk.dao.call("add", [1, "a"]).get(as: Int.self)
    }
    #expect(error?.code == .valueMismatch && error?.property == "add")
    #expect(error?.description.contains("the method gave no value") == true)
  }

  @Test func `a call's value is nil for no row, for NULL and without a select`() throws {
    let desk = try Desk(
      methods: """
        <select id="none" result="int">select 1 where 0</select>
        <select id="null" result="int">select null</select>
        """
    )
    for result in [desk.dao.call("none"), desk.dao.call("null"), desk.dao.call("add", [1, "a"])] {
      #expect(result.succeeded && result.value == nil)
      #expect(try result.get(as: Int?.self) == nil)
    }
  }
}
