import Testing

/// Something that every file of `Sources` keeps.
struct SourceRule: Sendable, CustomTestStringConvertible {
  let name: String
  /// A file that breaks the rule, so that the rule is known to find something.
  let violation: SourceFile
  /// What is wrong in a file, one text a place.
  let violations: @Sendable (SourceFile) -> [String]

  var testDescription: String { name }

  private init(
    _ name: String,
    breaking path: String,
    _ text: String,
    _ violations: @escaping @Sendable (SourceFile) -> [String]
  ) {
    self.name = name
    violation = SourceFile(path: "Sources/" + path, text: text)
    self.violations = violations
  }

  static let all = [
    imports, sqliteCalls, cryptoCalls, libpqCalls, behindTrait, sqlText, dialect, length, traps,
    forcedTries, sendable, ignoredFiles, names, lowercase, messages,
  ]

  static let imports = SourceRule(
    "a room imports only what it stands on",
    breaking: "NacreCore/A.swift",
    "package import struct CSQLite.sqlite3_value",
    ImportTable.violations
  )

  static let sqliteCalls = SourceRule(
    "SQLite's functions stay in NacreSQLite",
    breaking: "NacreCore/A.swift",
    "sqlite3_step(handle)"
  ) { file in
    if ["CSQLite", "NacreSQLite"].contains(file.room) { return [] }
    return file.code(matching: /\bsqlite3_\w+/)
  }

  static let cryptoCalls = SourceRule(
    "libcrypto's functions stay in NacreCrypto/Libcrypto and NacreCrypto/Primitives",
    breaking: "NacreCrypto/Keys/A.swift",
    "EVP_CIPHER_CTX_new()"
  ) { file in
    let isAtHome =
      file.room == "COpenSSL"
      || (file.room == "NacreCrypto" && file.place.contains(/^(Libcrypto|Primitives)\//))
    return isAtHome ? [] : file.code(matching: /\b(EVP|RAND|OPENSSL|CRYPTO|OSSL|ERR)_\w+/)
  }

  static let libpqCalls = SourceRule(
    "libpq's functions stay in NacrePostgres",
    breaking: "NacreOpen/A.swift",
    "PQfinish(connection)"
  ) { file in
    ["CPQ", "NacrePostgres"].contains(file.room) ? [] : file.code(matching: /\bPQ[a-z]\w+/)
  }

  static let behindTrait = SourceRule(
    "the sources of NacrePostgres stand behind its trait",
    breaking: "NacrePostgres/A.swift",
    "import CPQ\n#if PostgreSQL\n#endif\n"
  ) { file in
    guard file.room == "NacrePostgres" else { return [] }
    let text = file.text
    let isBehind =
      text.hasPrefix("#if PostgreSQL\n") && text.hasSuffix("\n#endif\n")
      && text.matches(of: /(?m)^#(if|else|elseif)\b/).count == 1
    return isBehind ? [] : [file.path]
  }

  static let sqlText = SourceRule(
    "SQL is written in folders named SQL",
    breaking: "NacreCore/Fetch/A.swift",
    "let text = \"SELECT * FROM \\(name(\"t\"))\""
  ) { file in
    if ["NacreSQLite", "NacrePostgres", "Garage", "Classroom"].contains(file.room) { return [] }
    if file.place.hasPrefix("SQL/") { return [] }
    let statement =
      /^\s*(SELECT|INSERT|UPDATE|DELETE|REPLACE|WITH|CREATE|ALTER|DROP|PRAGMA|BEGIN|VACUUM|ATTACH)\b/
    return file.scanner.literals.compactMap { literal in
      guard let match = literal.text.firstMatch(of: statement) else { return nil }
      return "\(file.path):\(literal.line): \(match.1)"
    }
  }

  static let dialect = SourceRule(
    "the words of SQLite's own SQL stay in NacreSQLite",
    breaking: "NacreStore/SQL/A.swift",
    "let text = \"SELECT r.\\(name) FROM pragma_table_info(?1) r\""
  ) { file in
    if ["CSQLite", "NacreSQLite", "NacrePostgres", "Garage", "Classroom", "Messages"].contains(
      file.room
    ) {
      return []
    }
    let words =
      /(?i)\bPRAGMA\b|\bpragma_|\bsqlite_|\bWITHOUT +ROWID|_rowid_|"rowid\b|\bAUTOINCREMENT\b|\bCOLLATE +"?\w+/
    let found = file.scanner.literals.flatMap { literal in
      literal.text.matches(of: words).map {
        (line: literal.line, word: String(literal.text[$0.range]))
      }
    }
    let literals = found.filter { !mayStand[file.path, default: []].contains($0.word) }
      .map { "\(file.path):\($0.line): \($0.word)" }
    return literals + file.code(matching: /\bSQLITE_[A-Z]\w*|\bsqlite_\w+/)
  }

  /// The words of SQLite's that may stand above it, by file.
  private static let mayStand: [String: Set<String>] = [
    // A name that one engine reserves is reserved on all, so that a class can be stored on any.
    "Sources/NacreStore/SQL/SQLText.swift": ["sqlite_"],
    "Sources/NacreStore/Errors/NacreError+DAOCodes.swift": ["sqlite_"],
    // Advice on the application's own SQL, which is SQLite's.
    "Sources/NacreStore/Errors/NacreError+QueryCodes.swift": ["COLLATE nacre_decimal"],
  ]

  static let length = SourceRule(
    "a file has at most 400 lines",
    breaking: "NacreCore/A.swift",
    String(repeating: "\n", count: 401)
  ) { file in
    let count = file.lines.count - (file.text.hasSuffix("\n") ? 1 : 0)
    return count > 400 ? ["\(file.path): \(count) lines"] : []
  }

  static let traps = SourceRule(
    "nothing traps on purpose",
    breaking: "NacreCore/A.swift",
    "guard x else { fatalError() }"
  ) { $0.code(matching: /\b(fatalError|preconditionFailure)\b/) }

  static let forcedTries = SourceRule(
    "no try is forced",
    breaking: "NacreCore/A.swift",
    "let x = try! f()"
  ) { $0.code(matching: /\btry!/) }

  static let sendable = SourceRule(
    "unchecked Sendable says why it holds",
    breaking: "NacreCore/A.swift",
    "final class A: @unchecked Sendable {\n  var a = 0\n}"
  ) { file in
    let lines = file.lines
    return lines.indices.compactMap { index in
      guard lines[index].contains("@unchecked Sendable") else { return nil }
      let reason = lines[index...].dropFirst().prefix(3).contains { line in
        line.contains("//") && line.contains(/holds|because|Sendable/)
      }
      return reason ? nil : "\(file.path):\(index + 1)"
    }
  }

  /// In two parts, for the rule is held for this file, too.
  private static let ignoreMark = "swift-format-" + "ignore-file"

  static let ignoredFiles = SourceRule(
    "no file is kept from the linter",
    breaking: "NacreCore/A.swift",
    "// \(ignoreMark)"
  ) { $0.text.contains(ignoreMark) ? [$0.path] : [] }

  static let names = SourceRule(
    "no file has a name that says nothing",
    breaking: "NacreCore/StoreManager.swift",
    ""
  ) { $0.name.contains(/Manager|Helper|Util|Processor/) ? [$0.path] : [] }

  /// The files whose lower case is not that of a name in the schema.
  private static let loweringFiles = [
    // The message of an error, and the name of a setting: SQLName stands above NacreSQLite.
    "NacreSQLite/Errors/SQLiteError+Predicates.swift", "NacreSQLite/Trace/Authorizer.swift",
    // A word of a message.
    "NacreStore/Tables/ForeignObject.swift",
    // The name of a store's file.
    "NacreCore/Session/StoreVersions.swift",
  ]

  static let lowercase = SourceRule(
    "names of the schema are compared as SQLName, and not by Swift's lower case",
    breaking: "NacreCore/A.swift",
    "column.lowercased() == other"
  ) { file in
    let rooms = [
      "NacreEngine", "NacreSQLite", "NacrePostgres", "NacreStore", "NacreUpkeep", "NacreCore",
      "NacreRecords",
    ]
    guard rooms.contains(file.room), !loweringFiles.contains("\(file.room)/\(file.place)") else {
      return []
    }
    return file.code(matching: /\.lowercased\(\)/)
  }

  static let messages = SourceRule(
    "nothing is decided by the text of an error's message, but in the engine's own room",
    breaking: "NacreStore/A.swift",
    "if error.message.contains(text) { return }"
  ) { file in
    if ["NacreSQLite", "NacrePostgres"].contains(file.room) { return [] }
    return file.code(
      matching: /\.message(\s*[=!]=|\??\.(contains|has|range|first|starts|split|match|firstMatch))/
    )
  }
}

extension SourceFile {
  /// The places in the code, without comments and literals, that match.
  fileprivate func code<Output>(matching pattern: Regex<Output>) -> [String] {
    let lines = scanner.code.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().flatMap { number, line in
      line.matches(of: pattern).map { "\(path):\(number + 1): \(line[$0.range])" }
    }
  }
}
