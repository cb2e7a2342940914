import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// The words of a DAO's error fit the call that failed.
@Suite struct DAOWordsTests {
  private func words(_ result: DAOResult, _ code: NacreError.Code) -> String {
    #expect(result.code == code)
    return result.error.map { "\($0)" } ?? ""
  }

  @Test(arguments: [UInt64.max as any Sendable, NSNumber(value: UInt64.max)])
  func `a number that is too great is reported as out of range`(number: any Sendable) throws {
    let desk = try Desk(methods: "")
    let text = words(desk.dao.call("add", [number, "a"]), .badArgument)
    #expect(text.contains("“id” is outside of what 64 signed bits can hold"), "\(text)")
  }

  @Test func `a select that writes is told to be an update, not to check permissions`() throws {
    let desk = try Desk(
      methods: #"<select id="clear" result="int">delete from ${T} returning id</select>"#
    )
    #expect(desk.dao.call("add", [1, "a"]).succeeded)
    let text = words(desk.dao.call("clear"), .transactionState)
    #expect(text.contains("`write { }`") && !text.contains("permissions"), "\(text)")
    #expect(try desk.contents == ["a"])
  }

  @Test func `a call that failed has changed no row, and its table stays`() throws {
    let desk = try Desk(
      methods: """
        <insert id="half" arguments="a">
          <step>insert into ${T} (id) values (1)</step><step>update ${T} set uin = #{a}</step>
        </insert>
        """
    )
    let text = words(desk.dao.call("half", [UInt64.max]), .badArgument)
    #expect(!text.contains("nothing was changed"), "\(text)")
    #expect(try desk.dao.tableExists("notes"))
    #expect(try desk.dao.call("count").get() == 0)
  }
}
