import NacreCore
import Synchronization

/// How a version of an application seals the properties of `Paper`; nil leaves a property plain.
protocol PaperForm {
  static var text: SealedOptions? { get }
  static var note: SealedOptions? { get }
  static var number: SealedOptions? { get }
  /// Whether the plain text has an index.
  static var isIndexed: Bool { get }
  /// Whether no two plain texts may be equal.
  static var isUnique: Bool { get }
}

extension PaperForm {
  static var isIndexed: Bool { false }
  static var isUnique: Bool { false }
}

/// The entity "Paper" as successive versions of an application declare it.
final class Paper<D: PaperForm>: Entity {
  var label = "" { didSet { entityState.markChanged(0) } }
  var text = "" { didSet { entityState.markChanged(1) } }
  var note: String? { didSet { entityState.markChanged(2) } }
  var number = 0 { didSet { entityState.markChanged(3) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    label = try row.read(at: 0)
    text = try D.text == nil ? row.read(at: 1) : row.open(at: 1)
    note = try D.note == nil ? row.read(at: 2) : row.open(at: 2)
    number = try D.number == nil ? row.read(at: 3) : row.open(at: 3)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(label, at: 0)
    try D.text == nil ? row.bind(text, at: 1) : row.seal(text, at: 1)
    try D.note == nil ? row.bind(note, at: 2) : row.seal(note, at: 2)
    try D.number == nil ? row.bind(number, at: 3) : row.seal(number, at: 3)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static var entitySchema: EntitySchema {
    paperSchemas.withLock { schemas in
      if let known = schemas[ObjectIdentifier(D.self)] { return known }
      var builder = EntitySchemaBuilder(Paper<D>.self, name: "Paper")
      builder.add("label", \Paper<D>.label)
      let column = ColumnOptions(isUnique: D.isUnique, isIndexed: D.isIndexed)
      builder.add("text", \Paper<D>.text, column: column, sealed: D.text)
      builder.add("note", \Paper<D>.note, sealed: D.note)
      builder.add("number", \Paper<D>.number, sealed: D.number)
      let schema = builder.build()
      schemas[ObjectIdentifier(D.self)] = schema
      return schema
    }
  }

  /// Stores `count` papers, every third without a note.
  static func store(_ count: Int, in store: Store) throws {
    try store.write { _ in
      for index in 0..<count {
        let paper = Paper<D>.create()
        paper.label = "\(index)"
        paper.text = "MARKER-text-\(index)"
        paper.note = index.isMultiple(of: 3) ? nil : "MARKER-note-\(index)"
        paper.number = index - 5
        try paper.save()
      }
    }
  }

  /// Returns the values of all papers, by label.
  static func values(in store: Store) throws -> [String] {
    try store.read { _ in
      try Paper<D>.fetchAll().map { "\($0.label) \($0.text) \($0.note ?? "-") \($0.number)" }
        .sorted()
    }
  }
}

/// The schemas are kept here, because a generic class can't have stored static properties.
private let paperSchemas = Mutex<[ObjectIdentifier: EntitySchema]>([:])

enum PlainPaper: PaperForm {
  static var text: SealedOptions? { nil }
  static var note: SealedOptions? { nil }
  static var number: SealedOptions? { nil }
  static var isIndexed: Bool { true }
}

enum SealedPaper: PaperForm {
  static var text: SealedOptions? { .init(isSearchable: true) }
  static var note: SealedOptions? { .init() }
  static var number: SealedOptions? { .init(padding: .bucketed, suite: .aes256GCM) }
}

/// A version with only one property sealed.
enum WordsSealed: PaperForm {
  static var text: SealedOptions? { .init(isSearchable: true) }
  static var note: SealedOptions? { nil }
  static var number: SealedOptions? { nil }
}

/// A version with another index width, another normalizer, and nil hidden.
enum WidePaper: PaperForm {
  static var text: SealedOptions? { .init(isSearchable: true, bits: 40, normalizer: .casefold) }
  static var note: SealedOptions? { .init(isSearchable: true, hidesNil: true) }
  static var number: SealedOptions? { .init(padding: .bucketed, suite: .aes256GCM) }
}

enum UniquePaper: PaperForm {
  static var text: SealedOptions? { .init(isUnique: true) }
  static var note: SealedOptions? { nil }
  static var number: SealedOptions? { nil }
}
