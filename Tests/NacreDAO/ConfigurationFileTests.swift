import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

/// The errors of a configuration that can't be read or used.
@Suite struct ConfigurationFileTests {
  private func dao(_ source: some ConfigurationSource) throws -> DAO {
    try DAO(
      configuration: source,
      models: [Message.self, Letter.self],
      methods: [DAOSignature("put", [Message.self], Void.self, at: "A.swift:1")],
      source: .user(DataCenter(directory: "none"))
    )
  }

  private static let marked = """
    <module name="m">
      <crypt ‸class="Ghost" property="a"/>
      <crypt class="Message" ‸property="colour"/>
      <map id="m" result="Message"><result ‸property="size" column="s"/></map>
      <update id="a">update ${T} set a = ‸${nope}</update>
      ‸<select id="b" result="Phantom">select 1</select>
      <insert id="put" arguments="m">insert into ${T} (a) values (‸#{m.contents})</insert>
    </module>
    """

  @Test func `one error has the mistakes of the text and those of its names`() throws {
    let (xml, places) = Configuration.places(in: Self.marked)
    let error = #expect(throws: ConfigurationError.self) { try dao(xml) }
    #expect(error?.issues.map(\.place) == places, "\(String(describing: error))")
    #expect(error?.file == nil)
    #expect(error?.description.hasPrefix("the configuration can't be used:\n2:10: ") == true)
  }

  @Test func `a file's name stands before each of its mistakes`() throws {
    let directory = try TemporaryDirectory()
    let url = URL(fileURLWithPath: directory.file("notes.xml"))
    try Data(Configuration.places(in: Self.marked).text.utf8).write(to: url)
    let error = #expect(throws: ConfigurationError.self) { try dao(url) }
    #expect(error?.file == "notes.xml")
    let lines = error?.description.split(separator: "\n") ?? []
    #expect(lines.count == 6)
    #expect(lines.allSatisfy { $0.hasPrefix("notes.xml:") })
    #expect(lines.first?.hasPrefix("notes.xml:2:10: ") == true)
    try Data("<module".utf8).write(to: url)
    let broken = #expect(throws: ConfigurationError.self) { try dao(url) }
    #expect(broken?.description.hasPrefix("notes.xml:1:") == true)
    try Data("<module/>".utf8).write(to: url)
    let whole = #expect(throws: ConfigurationError.self) { try dao(url) }
    #expect(
      whole?.description
        == "notes.xml: A.swift:1 declares a method “put”, and the configuration has none of this name"
    )
  }

  @Test(arguments: ["tasks.xml", "/home/ada/tasks", "Resources/tasks.XML", "file:///tasks.xml"])
  func `a path is no configuration`(text: String) {
    let error = #expect(throws: ConfigurationError.self) { try dao(text) }
    #expect(error?.issues.count == 1)
    #expect(error?.description.contains("give its URL") == true)
  }

  @Test func `a text that is neither XML nor a path gets no advice about a URL`() {
    let error = #expect(throws: ConfigurationError.self) { try dao("tasks") }
    #expect(error?.description.contains("URL") == false)
  }

  @Test func `a file that is not there is told by its path and why`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("missing.xml")
    let error = #expect(throws: NacreError.self) { try dao(URL(fileURLWithPath: path)) }
    #expect(error?.code == .cannotOpen)
    let words = error?.description ?? ""
    #expect(words.hasPrefix("The configuration at \(path) can't be read: there is no such file"))
    for dump in ["Error Domain", "NSCocoa", "store", "UserInfo"] { #expect(!words.contains(dump)) }
    let folder = #expect(throws: NacreError.self) {
      try dao(URL(fileURLWithPath: directory.path, isDirectory: true))
    }
    #expect(folder?.code == .cannotOpen)
    #expect(folder?.description.contains("Error Domain") == false)
  }

  @Test(arguments: [
    "https://example.com/tasks.xml", "http://ada:MARKER@localhost/tasks.xml?key=MARKER",
    "tasks.xml",
  ])
  func `a URL that is no file is refused, and its secrets are not shown`(text: String) throws {
    let url = try #require(URL(string: text))
    let error = #expect(throws: NacreError.self) { try dao(url) }
    #expect(error?.code == .cannotOpen)
    #expect(error?.description.contains("tasks.xml can't be read: only files can be read") == true)
    #expect(error?.description.contains("MARKER") == false)
  }
}
