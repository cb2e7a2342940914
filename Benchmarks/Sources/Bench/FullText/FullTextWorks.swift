import Foundation
import NacreCore
import NacreOpen

/// How long searches over the texts of a sealed file take.
struct FullTextWorks {
  /// A text has seven words of these, and so each of them is in 350 of a million texts.
  private static let rareWordCount = 20_000
  /// A text has one word of these, and so each of them is in 10,000 of a million texts.
  private static let commonWordCount = 100

  private let store: Store
  private let size: Int
  private var random = SeededGenerator(seed: 11)

  /// Lines for people.
  ///
  /// - Parameters:
  ///   - size: The number of texts that are stored.
  ///   - searches: How often each search is made.
  /// - Returns: A line a kind of search.
  /// - Throws: ``NacreError``; ``RoundError`` if something is not found.
  static func measure(size: Int, searches: Int) throws -> [String] {
    try withBenchDirectory { directory in
      var options = StoreOptions()
      options.seals = .file
      let unlock = Unlock.keyFile(directory + "/texts.key", createIfMissing: true)
      let store = try Store.open(directory + "/texts.db", unlock: unlock, options: options)
      defer { try? store.close() }
      var works = FullTextWorks(store: store, size: size)
      return try [works.fill()] + works.search(searches) + [works.saveEach(searches)]
    }
  }

  private init(store: Store, size: Int) {
    self.store = store
    self.size = size
  }

  // MARK: Writing

  private mutating func fill() throws -> String {
    let time = try microseconds {
      for start in stride(from: 0, to: size, by: 10_000) {
        try store.write { _ in
          for number in start..<min(start + 10_000, size) { try make(number).save() }
        }
      }
    }
    return "\(size) texts of eight words, stored 10,000 at a time: "
      + String(format: "%.1f µs a text", time / Double(size))
  }

  private mutating func saveEach(_ count: Int) throws -> String {
    let times = try (0..<count).map { number in
      let text = make(size + number)
      return try microseconds { try store.write { _ in try text.save() } }
    }
    return "a transaction that saves one text: " + spread(times)
  }

  private mutating func make(_ number: Int) -> SearchedText {
    let text = SearchedText.create()
    let words = (0..<7).map { _ in rareWord() } + [commonWord()]
    (text.text, text.number) = (words.joined(separator: " "), number)
    return text
  }

  private mutating func rareWord() -> String {
    "rare\(Int.random(in: 0..<Self.rareWordCount, using: &random))"
  }

  private mutating func commonWord() -> String {
    "common\(Int.random(in: 0..<Self.commonWordCount, using: &random))"
  }

  // MARK: Searching

  private mutating func search(_ count: Int) throws -> [String] {
    let rare = (0..<count).map { _ in rareWord() }
    let pairs = (0..<count).map { _ in "\(rareWord()) \(commonWord())" }
    let common = (0..<count).map { _ in commonWord() }
    let last = max(0, size - 100)
    let starts = (0..<count).map { _ in Int.random(in: 0...last, using: &random) }
    return [
      try time("a word, the best 20", rare) { try SearchedText.search($0).limit(20).fetchAll() },
      try time("a word, the best 20 with highlights", rare) {
        try SearchedText.search($0).limit(20).matches(.highlight(\.text))
      },
      try time("two words, the best 20", pairs) {
        try SearchedText.search($0).limit(20).fetchAll()
      },
      try time("a word of every hundredth text, the best 20", common) {
        try SearchedText.search($0).limit(20).fetchAll()
      },
      try time("a range of 100 by a plain index", starts) { start in
        let found = try SearchedText.where("number BETWEEN ? AND ?", start, start + 99)
          .ordered(by: "number").fetchAll()
        guard found.count == min(100, size) else {
          throw RoundError(description: "\(found.count) in a range")
        }
        return found
      },
    ]
  }

  private func time<Term, Found>(
    _ name: String,
    _ terms: [Term],
    _ search: (Term) throws -> [Found]
  ) throws -> String {
    var found = 0
    let times = try terms.map { term in
      try microseconds { found += try store.read { _ in try search(term) }.count }
    }
    return "\(name): \(spread(times)), \(found / max(1, terms.count)) found"
  }
}
