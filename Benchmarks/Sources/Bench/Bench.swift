import ArgumentParser
import Foundation

/// Measures the floor, Nacre and GRDB at the same work in one run.
@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures Nacre against a bare C-API loop (the floor) and GRDB.",
    discussion: """
      Every round builds fresh files, and every work is done by all subjects in turn. The table \
      gives medians; a ratio is the median of the rounds' ratios to the floor of the same round. \
      A size counts rows; a graph (a car, an engine, four wheels) takes ten, and an operation on \
      graphs is one graph. 'memory' is by how much the process grew at most during the work.
      """
  )

  @Option(help: "Rows to store: one or more numbers with commas between.")
  var size = Numbers([10_000, 100_000])

  @Option(help: "How often everything is done.")
  var rounds = 5

  @Option(
    help: """
      Works to measure, with commas between: \
      \(Work.allCases.map(\.rawValue).joined(separator: ", ")).
      """
  )
  var work = Works(Work.allCases)

  @Flag(help: "One quick round at 2,000 rows: shows that everything runs.")
  var short = false

  @Flag(
    inversion: .prefixedNo,
    help: """
      Also time searches of a sealed property, opening a store, works beside GRDB alone, and a \
      DAO's methods beside the floor.
      """
  )
  var latencies = true

  @Flag(help: "Measure a sealed file beside the same store as a plain file, and nothing else.")
  var sealedFile = false

  @Flag(help: "Measure full-text searches over a sealed file, and nothing else.")
  var fullText = false

  @Option(help: "Writes the results as JSON to a file, or to standard output for '-'.")
  var json: String?

  /// Refuses a run without rounds.
  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
    guard !(sealedFile || fullText) || json == nil else {
      throw ValidationError("--sealed-file and --full-text write no JSON.")
    }
  }

  /// Measures, and writes what it measured.
  func run() throws {
    if sealedFile { return try runSealedFile() }
    if fullText { return try runFullText() }
    var measurements: [Measurement] = []
    for size in short ? [2_000] : size.values {
      for sealed in [false, true] {
        var rounds = Rounds(Set(work.values), size: size, sealed: sealed)
        for round in 0..<(short ? 1 : self.rounds) {
          progress("size \(size), sealed \(sealed ? 2 : 0), round \(round + 1)")
          try rounds.run(round)
        }
        measurements += rounds.measurements
      }
    }
    try write(Report(summaries: Summary.make(of: measurements)))
    if latencies && json == nil {
      for size in short ? [2_000] : size.values {
        for line in try Latencies(size: size).measure() { print(line) }
        let rounds = short ? 1 : rounds
        for line in try Comparisons.measure(size: size, rounds: rounds) { print(line) }
        for line in try DAOWorks.measure(size: size, rounds: rounds) { print(line) }
        for line in try ModelLines.measure(size: size, rounds: rounds) { print(line) }
      }
    }
  }

  private func runSealedFile() throws {
    for size in short ? [2_000] : size.values {
      print("\(size) rows")
      for line in try SealedFileWorks.measure(size: size, rounds: short ? 1 : rounds) {
        print(line)
      }
    }
  }

  private func runFullText() throws {
    for size in short ? [2_000] : size.values {
      for line in try FullTextWorks.measure(size: size, searches: short ? 50 : 2_000) {
        print(line)
      }
    }
  }

  private func write(_ report: Report) throws {
    switch json {
    case "-":
      FileHandle.standardError.write(Data(report.table().utf8))
      FileHandle.standardOutput.write(try report.json())
    case .some(let path):
      print(report.table())
      try report.json().write(to: URL(fileURLWithPath: path))
    case nil:
      print(report.table())
    }
  }

  private func progress(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}

/// Positive numbers with commas between.
struct Numbers: ExpressibleByArgument {
  let values: [Int]

  init(_ values: [Int]) {
    self.values = values
  }

  init?(argument: String) {
    let values = argument.split(separator: ",").compactMap { Int($0) }.filter { $0 > 0 }
    guard !values.isEmpty, values.count == argument.split(separator: ",").count else { return nil }
    self.values = values
  }

  var defaultValueDescription: String {
    values.map(String.init).joined(separator: ",")
  }
}

/// Names of works with commas between.
struct Works: ExpressibleByArgument {
  let values: [Work]

  init(_ values: [Work]) {
    self.values = values
  }

  init?(argument: String) {
    let names = argument.split(separator: ",")
    let values = names.compactMap { Work(rawValue: String($0)) }
    guard !values.isEmpty, values.count == names.count else { return nil }
    self.values = values
  }

  var defaultValueDescription: String { "all" }
}
