import Foundation
import Testing

@testable import NacreDAO

@Suite struct MarkupReaderTests {
  @Test(arguments: [
    ("<module><const a=''></module>", 1, "not closed"),
    ("<module/>\n<module/>", 2, "after the root"),
    ("<module/>\nmore", 2, "after the root"),
    ("<module\n>\n<sql id='a'>", 3, "<sql> is not closed"),
    ("<module>\n<update id='a", 2, "quotes"),
    ("<module>\n<sql id='a' id='b'/></module>", 2, "twice"),
    ("<module>\n<sql id='a'>&name;</sql></module>", 2, "only &lt;"),
    ("<module>\n<sql id='a'>a < b</sql></module>", 2, "&lt;"),
    ("<module>\n<sql id='a'>a & b</sql></module>", 2, "&amp;"),
    ("<module>\n<sql id='a'>a &b c</sql></module>", 2, "&amp;"),
    ("<module>\n<update id='a'><if true='a && b'>c</if></update></module>", 2, "“and”"),
    ("<module>\n<sql id='a < b'/></module>", 2, "&lt;"),
    ("<module>\n<sql id=a/></module>", 2, "quotes"),
    ("<module>\n<sql id='a'b='c'/></module>", 2, "blank"),
    ("<module>\n<!-- a -- b --></module>", 2, "comment"),
    ("<module>\n]]></module>", 2, "]]"),
    ("<module>\n\u{1}</module>", 2, "not allowed"),
    ("<module>\n&#0;</module>", 2, "not allowed"),
    ("<module>\n<q:sql/></module>", 2, "namespace"),
    ("<MODULE></module>", 1, "not closed"),
    ("", 1, "no element"), ("  \n ", 1, "no element"), ("text", 1, "no element"),
    ("<!-- -->", 1, "no element"), ("<", 1, ""), ("<module", 1, ""), ("</module>", 1, ""),
    ("<module a='>", 1, ""), ("<module><![CDATA[", 1, ""), ("<module><!--", 1, ""),
    ("<?xml", 1, ""),
  ])
  func `malformed XML is refused with its line`(
    text: String,
    line: Int,
    fragment: String
  ) throws {
    let issues = Configuration.issues(text)
    #expect(issues.count == 1)
    let issue = try #require(issues.first)
    #expect(issue.line == line && issue.column >= 1, "\(issue)")
    #expect(fragment.isEmpty || issue.message.contains(fragment), "\(issue)")
  }

  @Test(arguments: [
    "‸<!DOCTYPE module><module/>",
    "<?xml version='1.0'?>\n ‸<!doctype module [<!ENTITY e 'text'>]><module><sql id='a'>&e;</sql></module>",
    "<!-- a -->‸<!DocType module SYSTEM 'file:///etc/hostname'><module/>",
    "<!-- ä 😀 -->‸<!DOCTYPE module [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><module>&e;</module>",
  ])
  func `a DOCTYPE is refused in any case, and nothing is read for it`(marked: String) throws {
    let (text, places) = Configuration.places(in: marked)
    let issues = Configuration.issues(text)
    #expect(issues.map(\.place) == places)
    #expect(issues.first?.message.contains("DOCTYPE") == true)
  }

  @Test func `a DOCTYPE in a comment, a text in CDATA and a value is none`() throws {
    let text = """
      <module><!-- <!DOCTYPE a> --><const a="&lt;!DOCTYPE"/>
      <sql id="b"><![CDATA[<!DOCTYPE a>]]></sql></module>
      """
    #expect(Configuration.issues(text) == [])
  }

  @Test func `entities that double each other are not read`() {
    let entities = (1...30).map { "<!ENTITY e\($0) '&e\($0 - 1);&e\($0 - 1);'>" }.joined()
    let issues = Configuration.issues(
      "<!DOCTYPE module [<!ENTITY e0 'laugh'>\(entities)]><module>&e30;</module>"
    )
    #expect(issues.map(\.message).first?.contains("DOCTYPE") == true)
  }

  @Test func `XML that is too large or too deep is refused`() throws {
    let large = "<module>" + String(repeating: "<!-- 123456789 -->", count: 600_000) + "</module>"
    #expect(large.utf8.count > 10_000_000)
    #expect(Configuration.issues(large).map(\.message).first?.contains("4194304 bytes") == true)

    let deep =
      "<module><update id='a'>\n" + String(repeating: "<if true='1'>", count: 10_000)
      + String(repeating: "</if>", count: 10_000) + "</update></module>"
    let issues = Configuration.issues(deep)
    #expect(issues.map(\.message) == ["elements are nested more than 100 levels deep"])
    #expect(issues.first?.place == ConfigurationPlace(line: 2, column: 98 * 13 + 1))
  }

  @Test(
    arguments: [
      ([0xFF, 0xFE, 0x3C, 0x00], 1, 1, "UTF-16"), ([0xFE, 0xFF, 0x00, 0x3C], 1, 1, "UTF-16"),
      (Array("<module>\nab\0</module>".utf8), 2, 3, "NUL"),
      (Array("<module>\r\nä".utf8) + [0xC3, 0x28], 2, 2, "UTF-8"),
      (Array("<module>".utf8) + [0xFF], 1, 9, "UTF-8"),
      (Array("<?xml version='1.0' encoding='ISO-8859-1'?><module/>".utf8), 1, 1, "UTF-8"),
      (Array("<?xml version='1.0' encoding=\"UTF-16\"?><module/>".utf8), 1, 1, "UTF-8"),
      (Array("<module>\n <?php a ?></module>".utf8), 2, 2, "processing instruction"),
      (Array(" <?xml version='1.0'?><module/>".utf8), 1, 2, "processing instruction"),
    ] as [([UInt8], Int, Int, String)]
  )
  func `XML that is no UTF-8 is refused with its place`(
    bytes: [UInt8],
    line: Int,
    column: Int,
    fragment: String
  ) throws {
    let issues = Configuration.issues(Data(bytes))
    #expect(issues.map(\.place) == [ConfigurationPlace(line: line, column: column)])
    #expect(issues.first?.message.contains(fragment) == true)
  }

  @Test func `a declaration and a byte order mark are allowed`() {
    let text =
      "\u{FEFF}<?xml version=\"1.0\" encoding='utf-8' standalone='yes'?>\n<module/>\n<!-- -->"
    #expect(Configuration.issues(text) == [])
    #expect(Configuration.issues("\u{FEFF}<wrong/>").first?.column == 1)
  }

  @Test func `a text keeps its entities, its CDATA and what stands around comments`() throws {
    let sql = try Configuration.sql(
      "a &lt; b &amp; &#65;&#x42; <![CDATA[< & ]] ${T}]]> c<!-- x -->d\r\n'ä😀'"
    )
    #expect(sql == "a < b & AB < & ]] t cd\n'ä😀'")
  }

  @Test func `a mistake in a text is told where it is written`() throws {
    let marked = """
      <module>\r
      <sql  id='x' >ä &lt;&#65; <!-- ${no} --><![CDATA[ < ‸${a}]]></sql>
      <update
        id = "m">
        select 1 -- 😀&amp; ‸${b}
        <if
          true =
            "1 &lt; ‸="> &gt; ‸#{1}</if>
        ${x} ‸@{x y}
      </update></module>
      """
    let (text, places) = Configuration.places(in: marked)
    let issues = Configuration.issues(text)
    #expect(issues.map(\.place) == places, "\(issues)")
  }
}

extension ConfigurationIssue {
  var place: ConfigurationPlace { ConfigurationPlace(line: line, column: column) }
}
