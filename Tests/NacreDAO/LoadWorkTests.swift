import Foundation
import Testing

@testable import NacreDAO

/// To read a configuration is work in proportion to its length: a place is worked out of what is wrong alone.
@Suite struct LoadWorkTests {
  private func load(_ body: String, parts: String = "") -> (module: DAOModule?, ConfigurationIssues)
  {
    let issues = ConfigurationIssues()
    let text = "<module>\(parts)<select id='m' arguments='x'>\(body)</select></module>"
    return (ModuleReader.module(of: Data(text.utf8), issues), issues)
  }

  private static let count = 16_000

  /// Texts in which something stands once for each number.
  private static func repeated(_ text: String, _ count: Int = count) -> String {
    (0..<count).map { text.replacing("NUMBER", with: "\($0)") }.joined(separator: "\n")
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      "or a = #{x}", "or a = @{x}", "or a = '@{x}'", "or ${T}.a = 1", "or a = ${c}",
      "<if true='x'>or a</if>",
      "or %{'a = #{*}', x, x}",
      "or a in <foreach item='i' collection='x' open='(' close=')'>#{i}</foreach>",
      "or a = &lt; #{x}", "<!-- no --> or #{x}",
    ]
  )
  func `no place is worked out for a configuration without mistakes`(text: String) throws {
    let (module, issues) = load(
      "select 1 from t where 1 \(Self.repeated(text, 2_000))",
      parts: "<const c='#{x}'/>"
    )
    #expect(issues.isEmpty)
    #expect(issues.placeCount == 0)
    #expect(module?.methods.count == 1)
  }

  @Test(.timeLimit(.minutes(10)))
  func `places are worked out only for the mistakes that are told`() {
    let (_, issues) = load("select 1 from t where 1 \(Self.repeated("or a = '#{x}' or b = ?"))")
    #expect(issues.sorted.count == ConfigurationIssues.limit)
    #expect(issues.placeCount == ConfigurationIssues.limit)
    let places = issues.sorted.prefix(4).map { "\($0.line):\($0.column)" }
    #expect(places == ["1:70", "1:83", "2:9", "2:22"])
  }

  @Test(.timeLimit(.minutes(10)))
  func `many constants, arguments, upgrades, methods and columns are read one after the other`() {
    let numbers = 0..<Self.count
    let parts = [
      "<const \(numbers.map { "c\($0)='a'" }.joined(separator: "\n"))/>",
      Self.repeated("<sql id='sNUMBER'>a</sql>"),
      Self.repeated("<upgrade toVersion='NUMBER'>a</upgrade>"),
      Self.repeated("<update id='uNUMBER'>a</update>"),
      "<map id='m' result='M'>\(Self.repeated("<result property='pNUMBER' column='cNUMBER'/>"))</map>",
      "<update id='v' arguments='\(numbers.map { "a\($0)" }.joined(separator: ","))'>a</update>",
    ].joined()
    let issues = ConfigurationIssues()
    let text = "<module version='\(Self.count)'>\(parts)</module>"
    let module = ModuleReader.module(of: Data(text.utf8), issues)
    #expect(issues.sorted.map(\.description) == [])
    #expect(module?.upgrades.count == Self.count)
    #expect(module?.methods.count == Self.count + 1)
  }

  @Test func `a reference carries no place into the calls`() {
    #expect(MemoryLayout<TemplateReference>.size <= 32)
  }

  @Test func `a place is found forwards and backwards in the written text`() {
    let text = MarkupText(
      "a<b é c\nd",
      place: .init(line: 2, column: 3),
      written: "a&lt;b <!-- x\n -->é <![CDATA[c\n]]>d"
    )
    var walk = MarkupWalk(text)
    let bytes = [0, 1, 2, 4, 7, 9, 2, 0, 9, 7]
    #expect(bytes.map { walk.place(atByte: $0) } == bytes.map(text.place(atByte:)))
    #expect(text.place(atByte: 9) == .init(line: 4, column: 4))
  }
}
