import Foundation
import NacreOpen
import NacreStore
import TestFaults

/// Opens files that are no stores, or that somebody has changed.
///
/// Nothing may trap, no value may be read that was never there, every refusal has a code that says what is
/// wrong, and it changes nothing.
final class FileRun {
  /// The files of a store at some moment of a session: with a log, a hot journal, the journal of a rekey or
  /// unequal copies of the header.
  private struct Sample {
    let setting: Setting
    let files: [String: [UInt8]]
    /// The values that each object ever had.
    let known: [UUID: Set<[String]>]
  }

  /// Of how many files one is opened to its end; the others are refused by their first 65,536 bytes.
  private static let wholeStores = 40
  private static let momentCount = 24

  private let samples: [Sample]
  private let directory: String
  /// How many files were refused with each code, or opened.
  private(set) var outcomes: [String: Int] = [:]
  /// The same, with what became of which file.
  private(set) var details: [String: Int] = [:]

  init(_ recordings: [Recording], in folder: String) throws {
    directory = folder + "/files"
    samples = recordings.flatMap { recording in
      var known: [UUID: Set<[String]>] = [:]
      for state in recording.states {
        for (id, cells) in state.objects { known[id, default: []].insert(cells) }
      }
      var generator = SeededGenerator(seed: 0)
      return (0..<Self.momentCount).map { _ in
        var files: [String: [UInt8]]
        // Conversions make the file a plain one for a while.
        repeat {
          files = recording.files(recording.moment(&generator)).files
        } while files[Session.fileName]?.first != 0x89
        return Sample(
          setting: recording.setting,
          files: files.filter { $0.key.hasPrefix(Session.fileName) },
          known: known
        )
      }
    }
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: true
    )
  }

  /// Changes the files of one moment, which the seed draws, and opens them.
  func run(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let index = Int.random(in: 0..<samples.count, using: &generator)
    let sample = samples[index]
    // Of another session, and so of another store.
    let other = samples[(index + Self.momentCount) % samples.count]
    let isWhole = seed % UInt64(Self.wholeStores) == 0
    // Nothing has to wait for a real disk; who is refused writes nothing.
    let disk = isWhole ? try FaultyDisk(at: directory) : nil
    defer { disk?.disarm() }
    let (files, change) =
      isWhole
      ? store(sample, other, &generator) : header(sample, other, &generator)
    let outcome: String
    do {
      // What has to be a sealed file, and what may be a plain one.
      let seals: StoreOptions.Seals = Bool.random(using: &generator) ? .file : .properties
      outcome = try open(files, seals, sample)
      guard isWhole || outcome != "opened" else { throw Deviation("it opened") }
    } catch {
      throw Deviation("\(sample.setting), file \(seed), \(change): \(error)")
    }
    outcomes[outcome, default: 0] += 1
    details["\(change): \(outcome)", default: 0] += 1
  }

  // MARK: - Changing

  /// Changes one of the files.
  private func store(
    _ sample: Sample,
    _ other: Sample,
    _ generator: inout SeededGenerator
  ) -> ([String: [UInt8]], String) {
    var files = sample.files
    let name = files.keys.sorted().randomElement(using: &generator) ?? Session.fileName
    let mutation = FileMutation.allCases.randomElement(using: &generator) ?? .noise
    var bytes = files[name] ?? []
    mutation.apply(to: &bytes, other: other.files[name], &generator)
    files[name] = bytes
    return (files, "\(mutation) of \(name)")
  }

  /// Makes a file whose header nobody wrote.
  private func header(
    _ sample: Sample,
    _ other: Sample,
    _ generator: inout SeededGenerator
  ) -> ([String: [UInt8]], String) {
    let original = sample.files[Session.fileName] ?? []
    let mutation = HeaderMutation.allCases.randomElement(using: &generator) ?? .noise
    var bytes = original
    // Random bytes can be those that were there, and an empty file becomes a new store.
    while bytes.isEmpty || Self.hasCopy(of: original, in: bytes) {
      bytes = original
      mutation.apply(to: &bytes, other: other.files[Session.fileName] ?? [], &generator)
    }
    return ([Session.fileName: bytes], "\(mutation)")
  }

  /// Whether a file has one of the copies of another one's header.
  private static func hasCopy(of original: [UInt8], in bytes: [UInt8]) -> Bool {
    let count = HeaderMutation.copyByteCount
    return [0, count].contains { start in
      bytes.count >= start + count
        && bytes[start..<start + count].elementsEqual(original[start..<start + count])
    }
  }

  // MARK: - Opening

  /// The codes that say what is wrong with a file before anything in it is used.
  private static let refusals: Set<NacreError.Code> = [
    .notSealed, .notAStore, .headerDamaged, .headerTampered, .newerFormat, .wrongSecret, .halfMade,
  ]
  /// Those that somebody can meet who goes on reading.
  private static let findings: Set<NacreError.Code> = refusals.union([
    .pageTampered, .otherStore, .corrupt, .ringTampered, .tampered, .unknownKey, .schemaMismatch,
    .unsound,
  ])

  private func open(
    _ files: [String: [UInt8]],
    _ seals: StoreOptions.Seals,
    _ sample: Sample
  ) throws -> String {
    defer { clear() }
    for (name, bytes) in files {
      try Data(bytes).write(to: URL(fileURLWithPath: directory + "/" + name))
    }
    do {
      try read(seals, sample)
      return "opened"
    } catch let error as NacreError {
      guard Self.findings.contains(error.code) else { throw error }
      if Self.refusals.contains(error.code) { try compare(files, error) }
      return "\(error.code)"
    }
  }

  private func clear() {
    for name in names { unlink(directory + "/" + name) }
  }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
  }

  private func read(_ seals: StoreOptions.Seals, _ sample: Sample) throws {
    let path = Session.path(in: directory)
    let store = try Session.open(sample.setting, at: path, expecting: seals)
    defer { try? store.close() }
    // Half of a transaction, whose journal is gone, can leave cells that do not open.
    try store.verify().requireSound()
    for (id, cells) in try StoreState(at: store.path).objects {
      guard sample.known[id]?.contains(cells) == true else {
        throw Deviation("object \(id) has values that it never had")
      }
    }
  }

  /// Holds that a refusal has changed no file, and made none.
  private func compare(_ files: [String: [UInt8]], _ error: NacreError) throws {
    var files = files
    // SQLite deletes the journal of a database without a page: it has nothing to roll back to.
    let headerByteCount = 2 * HeaderMutation.copyByteCount
    let hasPages = files[Session.fileName].map { $0.count > headerByteCount } == true
    if !hasPages { files[Session.fileName + "-njournal"] = nil }
    // It makes the index of a log to read it.
    let found = Set(
      names.filter { !$0.hasSuffix("-shm") && (hasPages || !$0.hasSuffix("-njournal")) }
    )
    guard found == Set(files.keys) else {
      throw Deviation("\(error.code) has left the files \(found.sorted())")
    }
    for (name, bytes) in files {
      let found = try Data(contentsOf: URL(fileURLWithPath: directory + "/" + name))
      guard found.elementsEqual(bytes) else { throw Deviation("\(error.code) has changed \(name)") }
    }
  }
}
