import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import Testing
@testable import TestSupport

/// A full-text index in copies of a store, and what of its words lies in the file.
@Suite(.sqliteOnly("a store on a server has no full-text search")) struct FullTextFilesTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private enum Open: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("name", column: .init(isFullText: true)),
        .init("note", .optionalText, column: .init(isFullText: true)),
      ]
    }
  }

  private enum Closed: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("name", sealed: .init(isSearchable: true)),
        .init("note", .optionalText, column: .init(isFullText: true)),
      ]
    }
  }

  private func count<D: RobotForm>(_ text: String, _ form: D.Type, in store: Store) throws -> Int {
    try store.read { _ in try Robot<D>.search(text).count() }
  }

  /// The names of the files that hold a text.
  private func files(holding text: String) throws -> [String] {
    try scene.fileBytes().filter { $0.value.range(of: Data(text.utf8)) != nil }.map(\.key)
  }

  // MARK: Copies

  @Test func `lines that are exported make the same index where they are imported`() throws {
    let store = try scene.open()
    for (name, note) in [("red", "wheel"), ("blue", "red door")] {
      try Robot<Open>.store(in: store) { robot in
        robot[text: "name"] = name
        robot[optionalText: "note"] = note
      }
    }
    var lines: [Data] = []
    try store.export(revealing: true) { lines.append($0) }
    let other = try Scene()
    let copy = try other.open()
    var rest = lines[...]
    try copy.importLines { rest.popFirst() }
    let schema = "SELECT name, sql FROM sqlite_schema WHERE name LIKE 'Robot%' ORDER BY name"
    #expect(try other.edit(schema) == scene.edit(schema))
    let report = try copy.verify()
    #expect(report.isSound, "\(report.faults)")
    let texts = try other.edit(
      "SELECT count(*) FROM \"Robot__fulltext\" WHERE \"Robot__fulltext\" MATCH 'red'"
    )
    #expect(texts == [[.integer(2)]])
    #expect(try count("red", Open.self, in: copy) == 2)
    #expect(try count("wheel", Open.self, in: copy) == 1)
  }

  @Test func `lines with a tokenizer or a property that no index has are refused`() throws {
    let store = try scene.open()
    try Robot<Open>.store(in: store) { $0[text: "name"] = "red" }
    var text = ""
    try store.export(revealing: true) { text += String(decoding: $0, as: UTF8.self) }
    let known = "\"fullText\":\"\(Tokenizer.unicode61.rawValue)\""
    #expect(text.contains(known))
    let first = try #require(text.range(of: known))
    for broken in [
      text.replacingOccurrences(of: known, with: "\"fullText\":\"other\""),
      text.replacingCharacters(in: first, with: "\"fullText\":\"trigram\""),
    ] {
      let copy = try Scene().open()
      var lines = broken.split(separator: "\n").map { Data(($0 + "\n").utf8) }[...]
      let error = thrown(.badImport) { try copy.importLines { lines.popFirst() } }
      #expect(error?.detail?.contains("tokenizer") == true)
    }
  }

  @Test func `a backup has what another program has changed and nobody has searched yet`() throws {
    let store = try scene.open()
    try Article.store("red", in: store)
    try scene.edit("UPDATE \"Article\" SET title = 'blue'")
    let path = scene.directory.file("backup.db")
    try store.backup(to: path)
    let backup = try Store.open(path, unlock: Scene.unlock)
    #expect(try Article.found("blue", in: backup) == ["blue"])
    #expect(try Article.found("red", in: backup) == [])
    try backup.close()
  }

  @Test func `a file that is converted keeps its index, and no term lies open in the sealed one`()
    throws
  {
    let store = try scene.open()
    for number in 0..<50 { try Article.store("TERMinindex \(number)", in: store) }
    try store.write { try $0.execute("DELETE FROM \"Article\" WHERE title LIKE '%1%'") }
    let kept = try Article.found("terminindex", in: store).sorted()
    try store.close()
    for seals in [StoreOptions.Seals.file, .properties] {
      try Store.convertFile(at: scene.path, to: seals, unlock: Scene.unlock)
      #expect(try files(holding: "terminindex").isEmpty == (seals == .file))
      let converted = try scene.open()
      #expect(try Article.found("terminindex", in: converted).sorted() == kept)
      try Article.store("TERMinindex new", in: converted)
      #expect(try Article.found("new", in: converted).count == 1)
      try converted.write { try $0.execute("DELETE FROM \"Article\" WHERE title LIKE '%new'") }
      #expect(try converted.verify().isSound)
      try converted.close()
    }
  }

  // MARK: What lies open

  @Test func `when a property is sealed, its words go from the file with the index`() throws {
    let store = try scene.open()
    for number in 0..<100 {
      try Robot<Open>.store(in: store) { robot in
        robot[text: "name"] = "WORDinindex\(number) plate"
        robot[optionalText: "note"] = "common"
      }
    }
    #expect(try count("wordinindex7 common", Open.self, in: store) == 1)
    #expect(try !files(holding: "wordinindex").isEmpty)
    try store.migrate(Robot<Closed>.self)
    #expect(try count("common", Closed.self, in: store) == 100)
    #expect(try count("wordinindex7", Closed.self, in: store) == 0)
    let report = try store.verify()
    #expect(report.isSound, "\(report.faults)")
    try store.close()
    #expect(try files(holding: "wordinindex").isEmpty)
    #expect(try files(holding: "WORDinindex").isEmpty)
    let again = try scene.open()
    try again.migrate(Robot<Open>.self)
    #expect(try count("wordinindex7 common", Open.self, in: again) == 1)
    #expect(try again.verify().isSound)
  }

  @Test func `a property that is sealed without its class leaves the index of the others`() throws {
    let store = try scene.open()
    try Robot<Open>.store(in: store) { robot in
      (robot[text: "name"], robot[optionalText: "note"]) = ("red", "blue")
    }
    try store.convert("name", of: "Robot", to: SealedOptions())
    let report = try store.verify()
    #expect(report.isSound, "\(report.faults)")
    func count(_ word: String) throws -> [[Value]] {
      try scene.edit(
        "SELECT count(*) FROM \"Robot__fulltext\" WHERE \"Robot__fulltext\" MATCH '\(word)'"
      )
    }
    #expect(try count("blue") == [[.integer(1)]])
    #expect(try count("red") == [[.integer(0)]])
  }

  @Test func `a sealed file keeps the index, and no term or name of it lies open`() throws {
    let store = try scene.open { $0.seals = .file }
    for number in 0..<50 {
      try Article.store("marker\(number)zebra", "MARKERterm in a text", in: store)
    }
    let terms = ["marker", "zebra", "MARKER", "fulltext", "term"]
    #expect(try Article.found("marker7zebra", in: store) == ["marker7zebra"])
    for term in terms { #expect(try files(holding: term) == [], "\(term)") }
    #expect(try store.verify().isSound)
    try store.close()
    for term in terms { #expect(try files(holding: term) == [], "\(term)") }
    let again = try scene.open()
    #expect(try Article.found("markerterm", in: again).count == 50)
    #expect(try again.check() == [])
  }
}
