import Testing

/// What Package.swift must say.
enum Manifest {
  private static let features = [
    "InternalImportsByDefault", "MemberImportVisibility", "ExistentialAny",
  ]

  /// The language features that are not on for every target, and other ways around them.
  static func missingSettings(_ text: String) -> [String] {
    var missing = features.filter { !text.contains(".enableUpcomingFeature(\"\($0)\")") }
    let loop =
      /for target in package\.targets where target\.type != \.system \{[^}]*\n(.|\n)*target\.swiftSettings = settings\n\}/
    if !text.contains(loop) { missing.append("settings for every target") }
    // A target's own settings would be replaced by the loop's, or replace them.
    if text.contains(/swiftSettings:\s*\[\s*\./) { missing.append("one place for settings") }
    if !text.contains("swiftLanguageModes: [.v6]") { missing.append("Swift 6 mode") }
    return missing
  }

  /// The rooms and packages that each target of `Sources` and `Examples` declares.
  static func dependencies(_ text: String) -> [String: Set<String>] {
    let target =
      /\.(?:target|executableTarget|macro)\(\s*name:\s*"(\w+)",\s*dependencies:\s*\[([^\]]*)\]([^.]*)/
    var found: [String: Set<String>] = [:]
    let text = text.replacing(/,\s*condition: \.when\(traits: \["\w+"\]\)/, with: "")
    for match in text.matches(of: target)
    where !match.3.contains(/path: "(?!Examples)/) {
      let names = match.2.replacing(/package:\s*"[^"]*"/, with: "").matches(of: /"(\w+)"/)
      found[String(match.1)] = Set(names.map { String($0.1) })
    }
    return found
  }

  /// Whether a package that depends on Nacre gets the parser of arguments, which only the command
  /// needs.
  static func burdensDependents(_ text: String) -> Bool {
    // The benchmarks are no targets of such a package.
    let text = text.split(separator: "if Context.environment", maxSplits: 1)[0]
    let behindTrait =
      /package: "swift-argument-parser",\s*condition: \.when\(traits: \["Tool"\]\)/
    return text.matches(of: /package: "swift-argument-parser"/).count
      != text.matches(of: behindTrait).count
      || text.contains(".default(") || text.matches(of: /\.trait\(name: "Tool"/).isEmpty
  }

  /// Whether a build without the trait PostgreSQL needs libpq and its headers.
  static func asksForLibpq(_ text: String) -> Bool {
    let behindTrait = /\.target\(name: "CPQ", condition: \.when\(traits: \["PostgreSQL"\]\)\)/
    // The target itself is named once.
    return text.matches(of: /"CPQ"/).count != text.matches(of: behindTrait).count + 1
      || text.contains(".default(") || text.matches(of: /\.trait\(name: "PostgreSQL"/).isEmpty
  }

  /// Whether a build without the trait PostgreSQL compiles a line of a source file.
  static func compilesWithoutServer(_ text: String) -> Bool {
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
    guard lines.first == "#if PostgreSQL", lines.last == "#endif" else { return true }
    var depth = 0
    for line in lines.dropLast() {
      if line.hasPrefix("#if ") { depth += 1 }
      if line == "#endif" { depth -= 1 }
      if depth == 0 || depth == 1 && line.hasPrefix("#else") { return true }
    }
    return depth != 1
  }
}

@Suite struct ManifestTests {
  /// The rooms that are headers of C libraries.
  private static let libraries: Set = ["CSQLite", "COpenSSL", "CPQ"]

  @Test func `every target has the settings that hold imports inside`() throws {
    #expect(Manifest.missingSettings(try Repository.file("Package.swift").text) == [])
  }

  @Test(arguments: [
    ("MemberImportVisibility", "AnotherFeature"),
    ("target.type != .system", "target.type == .test"),
    ("target.swiftSettings = settings", "_ = settings"),
    ("path: \"Tests/Architecture\"", "swiftSettings: [.unsafeFlags([])]"),
    ("swiftLanguageModes: [.v6]", "swiftLanguageModes: [.v5]"),
  ])
  func `a manifest that lacks one of the settings is found`(from: String, to: String) throws {
    let text = try Repository.file("Package.swift").text
    #expect(text.contains(from))
    #expect(Manifest.missingSettings(text.replacing(from, with: to)).count == 1)
  }

  @Test func `the manifest declares the arrows of the table`() throws {
    let declared = Manifest.dependencies(try Repository.file("Package.swift").text)
    for (room, arrows) in ImportTable.arrows where !Self.libraries.contains(room) {
      let expected = arrows.union(ImportTable.plugins[room, default: []])
      #expect(declared[room] == expected, "\(room)")
    }
    #expect(declared.count == ImportTable.arrows.count - Self.libraries.count)
  }

  @Test func `who depends on Nacre does not get the parser of arguments`() throws {
    #expect(!Manifest.burdensDependents(try Repository.file("Package.swift").text))
  }

  @Test func `nothing asks for libpq without the trait PostgreSQL`() throws {
    #expect(!Manifest.asksForLibpq(try Repository.file("Package.swift").text))
  }

  @Test func `no line of the engine on a server is compiled without the trait PostgreSQL`() throws {
    let files = try Repository.files(below: "Sources/NacrePostgres")
    #expect(files.count > 30)
    #expect(files.filter { Manifest.compilesWithoutServer($0.text) }.map(\.path) == [])
  }

  @Test(arguments: [
    "struct A {}\n", "#if PostgreSQL\nstruct A {}\n#endif\nstruct B {}\n",
    "import Foundation\n#if PostgreSQL\n#endif\n", "#if PostgreSQL\n#else\nstruct A {}\n#endif\n",
    "#if PostgreSQL\n#endif\nstruct A {}\n#if PostgreSQL\n#endif\n",
    "#if Tool\nstruct A {}\n#endif\n",
  ])
  func `a source that is compiled without the trait is found`(text: String) {
    #expect(Manifest.compilesWithoutServer(text))
    #expect(
      !Manifest.compilesWithoutServer("#if PostgreSQL\n#if DEBUG\n#else\n  a\n#endif\nb\n#endif\n")
    )
  }

  @Test(arguments: [
    (", condition: .when(traits: [\"PostgreSQL\"])", ""),
    (".target(name: \"CPQ\", condition: .when(traits: [\"PostgreSQL\"]))", "\"CPQ\""),
    (".trait(name: \"Tool\"", ".default(enabledTraits: [\"PostgreSQL\"]), .trait(name: \"Tool\""),
  ])
  func `a manifest that asks for libpq is found`(from: String, to: String) throws {
    let text = try Repository.file("Package.swift").text
    #expect(text.contains(from))
    #expect(Manifest.asksForLibpq(text.replacing(from, with: to)))
  }

  @Test(arguments: [
    (", condition: .when(traits: [\"Tool\"])", ""),
    (".trait(name: \"Tool\"", ".default(enabledTraits: [\"Tool\"]), .trait(name: \"Tool\""),
  ])
  func `a manifest whose command burdens dependents is found`(from: String, to: String) throws {
    let manifest = try Repository.file("Package.swift").text
    let text = manifest.replacing(/,\s*condition/, with: ", condition")
    #expect(text.contains(from))
    #expect(Manifest.burdensDependents(text.replacing(from, with: to)))
  }
}
