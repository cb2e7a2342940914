import Foundation
import NacreCrypto
import Testing

/// Any JSON value.
indirect enum JSON: Decodable, Sendable {
  case null
  case bool(Bool)
  case number(Int64)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }
}

/// An object of a vector file that notes which members were read.
///
/// A member that nobody reads is a claim of the vectors that nobody checks: `finish` fails on it.
final class VectorCase {
  private let members: [String: JSON]
  private var unread: Set<String>

  init(_ members: [String: JSON]) {
    self.members = members
    unread = Set(members.keys)
    _ = take("comment")
  }

  var comment: Comment {
    if case .string(let text)? = members["comment"] { return Comment(rawValue: text) }
    return ""
  }

  private func take(_ name: String) -> JSON? {
    unread.remove(name)
    return members[name]
  }

  func has(_ name: String) -> Bool {
    if case .null? = members[name] { return false }
    return members[name] != nil
  }

  func text(_ name: String) throws -> String {
    guard case .string(let text)? = take(name) else { throw Malformed(member: name) }
    return text
  }

  func number(_ name: String) throws -> Int64 {
    guard case .number(let number)? = take(name) else { throw Malformed(member: name) }
    return number
  }

  /// A number, or nil for null.
  func optionalNumber(_ name: String) throws -> Int64? {
    if case .null? = take(name) { return nil }
    return try number(name)
  }

  func numbers(_ name: String) throws -> [Int64] {
    guard case .array(let items)? = take(name) else { throw Malformed(member: name) }
    return try items.map {
      guard case .number(let number) = $0 else { throw Malformed(member: name) }
      return number
    }
  }

  func flag(_ name: String) throws -> Bool {
    guard case .bool(let flag)? = take(name) else { throw Malformed(member: name) }
    return flag
  }

  func bytes(_ name: String) throws -> [UInt8] {
    NacreCryptoTests.bytes(try text(name))
  }

  /// Bytes in pieces, each in hex, or one byte and how often it comes: `00*500`.
  func pieces(_ name: String) throws -> [UInt8] {
    try text(name).split(separator: " ").flatMap { piece in
      let parts = piece.split(separator: "*")
      let bytes = NacreCryptoTests.bytes(String(parts[0]))
      guard parts.count == 2 else { return bytes }
      return [UInt8](repeating: bytes[0], count: try #require(Int(parts[1])))
    }
  }

  /// Hex digits, or nil for null.
  func optionalBytes(_ name: String) throws -> [UInt8]? {
    if case .null? = take(name) { return nil }
    return try bytes(name)
  }

  /// A text, or nil for null.
  func optionalText(_ name: String) throws -> String? {
    if case .null? = take(name) { return nil }
    return try text(name)
  }

  func objects(_ name: String) throws -> [VectorCase] {
    guard case .array(let items)? = take(name) else { throw Malformed(member: name) }
    return try items.map {
      guard case .object(let members) = $0 else { throw Malformed(member: name) }
      return VectorCase(members)
    }
  }

  /// Rows of a catalog, whose cells are texts of a type, a blank and a value.
  func cells(_ name: String) throws -> [[CatalogRecord.Cell]] {
    guard case .array(let rows)? = take(name) else { throw Malformed(member: name) }
    return try rows.map { row in
      guard case .array(let cells) = row else { throw Malformed(member: name) }
      return try cells.map { cell in
        guard case .string(let text) = cell else { throw Malformed(member: name) }
        let value = String(text.drop { $0 != " " }.dropFirst())
        switch text.prefix(while: { $0 != " " }) {
        case "NULL": return .null
        case "INTEGER": return .integer(try #require(Int64(value)))
        case "REAL": return .real(try #require(UInt64(value, radix: 16)))
        case "TEXT": return .text(Array(value.utf8))
        case "BLOB": return .blob(NacreCryptoTests.bytes(value))
        default: throw Malformed(member: name)
        }
      }
    }
  }

  func object(_ name: String) throws -> VectorCase {
    guard case .object(let members)? = take(name) else { throw Malformed(member: name) }
    return VectorCase(members)
  }

  /// Fails when a member was not read.
  func finish() {
    #expect(unread.isEmpty, "nobody read these members of: \(comment)")
  }

  /// Reads every member; for cases that belong to another room.
  func skip() { unread = [] }

  struct Malformed: Error { let member: String }
}

/// The repository's Vectors folder.
enum VectorFolder {
  static let url = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Vectors")

  static func files() throws -> Set<String> {
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    return Set(names.filter { $0.hasSuffix(".json") })
  }

  /// The whole of a file.
  static func file(_ name: String) throws -> VectorCase {
    let data = try Data(contentsOf: url.appending(path: name))
    return VectorCase(try JSONDecoder().decode([String: JSON].self, from: data))
  }

  /// Runs every case of a file; each must have been read to the last member.
  static func run(
    _ name: String,
    accumulated check: ((VectorCase) throws -> Void)? = nil,
    _ body: (VectorCase) throws -> Void
  ) throws {
    let file = try file(name)
    _ = try file.text("source")
    let cases = try file.objects("cases")
    #expect(!cases.isEmpty)
    for one in cases {
      do { try body(one) } catch { Issue.record(error, one.comment) }
      one.finish()
    }
    if let check {
      let accumulated = try file.object("accumulated")
      _ = try accumulated.text("method")
      try check(accumulated)
      accumulated.finish()
    }
    file.finish()
  }
}
