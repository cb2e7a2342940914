import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// Two models of one simple name.
@Suite struct ModelNameTests {
  enum VA {
    struct Note: Codable, Equatable { var a = "a" }
  }

  enum VB {
    struct Note: Codable, Equatable { var b = "b" }
  }

  private static let models: [any Any.Type] = [VA.Note.self, VB.Note.self]

  @Test func `a name of several models is told where it is used, with what it can mean`() throws {
    let (text, places) = Configuration.places(
      in: """
        <module>
          <crypt ‸class="Note" property="a"/>
          <map id="m" ‸result="Note"/>
          ‸<select id="one" result="[Note]">select 1</select>
          <select id="two" result=":m">select 1</select>
          <select id="three" result="VA.Note">select 1</select>
        </module>
        """
    )
    let error = #expect(throws: ConfigurationError.self) { try Desk(text, models: Self.models) }
    let issues = error?.issues ?? []
    #expect(issues.map(\.place) == places)
    for issue in issues {
      #expect(issue.message.contains("ModelNameTests.VA.Note"))
      #expect(issue.message.contains("ModelNameTests.VB.Note"))
    }
  }

  @Test func `whole names tell two models of one simple name apart`() throws {
    let desk = try Desk(
      """
      <module name="m" tableName="notes" initializer="make">
        <update id="make">create table if not exists ${T} (a, b)</update>
        <crypt class="VA.Note" property="a"/>
        <crypt class="NacreDAOTests.ModelNameTests.VB.Note" property="b"/>
        <insert id="addA" arguments="m">insert into ${T} (a) values (#{m.a})</insert>
        <insert id="addB" arguments="m">insert into ${T} (b) values (#{m.b})</insert>
        <select id="a" result="VA.Note">select a from ${T} where a is not null</select>
        <select id="b" result="ModelNameTests.VB.Note">
          select b from ${T} where b is not null
        </select>
        <select id="types" result="[string]">select typeof(coalesce(a, b)) from ${T}</select>
      </module>
      """,
      models: Self.models
    )
    #expect(desk.dao.call("addA", [VA.Note()]).error == nil)
    #expect(desk.dao.call("addB", [VB.Note()]).error == nil)
    #expect(try desk.dao.call("a").get() == VA.Note())
    #expect(try desk.dao.call("b").get() == VB.Note())
    #expect(try desk.dao.call("types").get() == ["blob", "blob"])
  }

  @Test func `a model that is given twice is one`() throws {
    let desk = try Desk(
      "<module><select id=\"one\" result=\"Note\">select 'x' as a</select></module>",
      models: [VA.Note.self, VA.Note.self]
    )
    #expect(try desk.dao.call("one").get() == VA.Note(a: "x"))
  }
}
