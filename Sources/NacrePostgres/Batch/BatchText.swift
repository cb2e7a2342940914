#if PostgreSQL
import NacreEngine

/// The statement that does for many rows at once what another does for one; each of its parameters is an array of values.
///
/// Only the forms of statement are known in which this module's users write rows by their objectIDs.
struct BatchText {
  /// The text for the server.
  let text: String
  /// The table's name, as it stands in the statement.
  let table: String
  let verb: Verb

  /// The verb of a statement that writes rows.
  enum Verb: Equatable {
    case insert
    /// The place of the parameter with the row's objectID, from 0.
    case update(key: Int)
    case delete
  }

  /// Derives the text; nil for a statement of another form, and for types of which arrays are not known.
  ///
  /// - Parameters:
  ///   - statement: The statement for one row.
  ///   - types: The types of its parameters.
  init?(_ statement: StatementText, types: [WireType?]) {
    let arrays = types.enumerated().compactMap { index, type in
      type?.arrayName.map { "$\(index + 1)::\($0)" }
    }
    guard !arrays.isEmpty, arrays.count == types.count else { return nil }
    let pieces = Pieces(statement.text)
    switch statement.firstWord {
    case "insert":
      guard let name = pieces.name(at: 2), let rows = Self.insert(statement.text, pieces, arrays)
      else { return nil }
      (text, table, verb) = (rows, name, .insert)
    case "update":
      guard let name = pieces.name(at: 1), let (rows, key) = Self.update(pieces, arrays) else {
        return nil
      }
      (text, table, verb) = (rows, name, .update(key: key))
    case "delete":
      guard let name = pieces.name(at: 2), types == [.uuid],
        pieces.text == "DELETE FROM \(name) WHERE \"objectID\" = $1"
      else { return nil }
      text = "DELETE FROM \(name) WHERE \"objectID\" = ANY(\(arrays[0]))"
      (table, verb) = (name, .delete)
    default: return nil
    }
  }

  /// Returns an INSERT of all rows, for one whose values are the parameters in their order.
  private static func insert(_ text: String, _ pieces: Pieces, _ arrays: [String]) -> String? {
    let marks = arrays.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let end = " VALUES (\(marks))"
    guard pieces.marks.count == arrays.count, text.hasSuffix(end) else { return nil }
    return text.dropLast(end.count) + " SELECT * FROM unnest(\(arrays.joined(separator: ", ")))"
  }

  /// Returns an UPDATE of all rows, which fails if one of them is missing (22012, division_by_zero), and the place of
  /// the parameter with the objectID.
  ///
  /// So a COMMIT can be sent behind it before anybody knows how many rows there were.
  private static func update(_ pieces: Pieces, _ arrays: [String]) -> (text: String, key: Int)? {
    guard let condition = pieces.places(of: "where").first,
      ["where", "set"].allSatisfy({ pieces.places(of: $0).count == 1 }),
      ["select", "returning"].allSatisfy({ pieces.places(of: $0).isEmpty }),
      pieces.places(of: "from").allSatisfy({ pieces.places(of: "distinct").contains($0 - 1) }),
      let key = pieces.key(comparedAt: condition + 1)
    else { return nil }
    // A table's own column could have a shorter name.
    let columns = arrays.indices.map { "nacre_p\($0 + 1)" }.joined(separator: ", ")
    let rows = "FROM unnest(\(arrays.joined(separator: ", "))) AS nacre_rows(\(columns)) "
    let update = pieces.replacingMarks(before: condition, insert: rows) {
      "nacre_rows.nacre_p\($0)"
    }
    let text = """
      WITH done AS (\(update) RETURNING 1) \
      SELECT 1 / (count(*) = cardinality(\(arrays[0])))::int FROM done
      """
    return (text, key - 1)
  }
}

/// The pieces of a statement's text.
private struct Pieces {
  let text: String
  private let scanner: PostgresScanner
  private var all: [(piece: PostgresScanner.Piece, range: Range<Int>)] = []

  init(_ text: String) {
    self.text = text
    var scanner = PostgresScanner(text)
    while let piece = scanner.nextPiece() { all.append(piece) }
    self.scanner = scanner
  }

  /// The numbers of the parameters, as often as they come.
  var marks: [Int] { all.indices.compactMap { mark(at: $0) } }

  func name(at index: Int) -> String? {
    guard all.indices.contains(index), all[index].piece == .name else { return nil }
    return scanner.text(all[index].range)
  }

  func mark(at index: Int) -> Int? {
    guard all.indices.contains(index), case .dollarMark(let number) = all[index].piece else {
      return nil
    }
    return number
  }

  /// Returns the number of the parameter with which a condition compares the objectID, through the table's alias or not.
  func key(comparedAt index: Int) -> Int? {
    let start = word(at: index + 1) == "." ? index + 2 : index
    guard name(at: start) == "\"objectID\"", word(at: start + 1) == "=" else { return nil }
    return mark(at: start + 2)
  }

  /// Returns the text of a word, or of an operator.
  func word(at index: Int) -> String? {
    guard all.indices.contains(index), [.word, .other].contains(all[index].piece) else {
      return nil
    }
    return scanner.text(all[index].range)
  }

  /// Returns the places of a word, which is given in lower case.
  func places(of word: String) -> [Int] {
    all.indices.filter {
      all[$0].piece == .word && PostgresScanner.lowercased(scanner.bytes[all[$0].range]) == word
    }
  }

  /// Returns the text with others in the place of the parameters, and with a clause before one of the pieces.
  func replacingMarks(before index: Int, insert clause: String, _ name: (Int) -> String) -> String {
    var bytes: [UInt8] = []
    var end = 0
    for (place, (piece, range)) in all.enumerated() {
      if place == index {
        bytes += scanner.bytes[end..<range.lowerBound]
        bytes += clause.utf8
        end = range.lowerBound
      }
      guard case .dollarMark(let number) = piece else { continue }
      bytes += scanner.bytes[end..<range.lowerBound]
      bytes += name(number).utf8
      end = range.upperBound
    }
    return String(decoding: bytes + scanner.bytes[end...], as: UTF8.self)
  }
}

extension WireType {
  /// The name of the type of arrays of this type, where their items have the form that a parameter has.
  ///
  /// An array of composite values would become as many columns as the composite type has.
  fileprivate var arrayName: String? {
    switch self {
    case .bool: "bool[]"
    case .bytea: "bytea[]"
    case .bigint: "int8[]"
    case .smallint: "int2[]"
    case .integer: "int4[]"
    case .text: "text[]"
    case .oid: "oid[]"
    case .json: "json[]"
    case .real: "float4[]"
    case .doublePrecision: "float8[]"
    case .varchar: "varchar[]"
    case .uuid: "uuid[]"
    case .name, .unknown, .bpchar, .numeric, .uuidArray, .any: nil
    }
  }
}
#endif
