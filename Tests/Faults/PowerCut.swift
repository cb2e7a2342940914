import Foundation

/// What a power cut leaves of a disk's files.
///
/// What was synced is there. Of what was not, anything is: each file draws whether it loses all of
/// it, nothing, all from some change on, some of the changes, or some of their sectors, whatever the
/// order in which they came. A sector of 512 bytes that was just being written can hold anything.
/// The names are what they were when they were last synced, with some of the later changes.
public struct PowerCut {
  static let sectorByteCount = 512

  /// The bytes of each file, by its name.
  public let files: [String: [UInt8]]

  /// Cuts the power after a number of changes.
  ///
  /// - Parameters:
  ///   - history: The changes.
  ///   - count: How many of them came before the cut.
  ///   - seed: Decides what is left; nil if nothing is lost.
  ///   - isPowersafe: Whether bytes stay what they are if others of their sector are being written.
  public init(
    of history: [DiskChange],
    after count: Int,
    seed: UInt64?,
    isPowersafe: Bool = true
  ) {
    var generator = SeededGenerator(seed: seed ?? 0)
    generator.stir(UInt64(count))
    let changes = history.prefix(count)
    var files: [String: [UInt8]] = [:]
    var contents: [Int: [UInt8]] = [:]
    let names = seed == nil ? Self.names(changes) : Self.survivingNames(changes, &generator)
    for (name, file) in names.sorted(by: { $0.key < $1.key }) {
      if contents[file] == nil {
        let content = FileContent(of: file, in: changes)
        contents[file] =
          seed == nil ? content.present() : content.surviving(&generator, isPowersafe)
      }
      files[name] = contents[file]
    }
    self.files = files
  }

  /// Writes the files into a directory, which is made if it is missing.
  public func write(to directory: String) throws {
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: true
    )
    for (name, bytes) in files {
      try Data(bytes).write(to: URL(fileURLWithPath: directory + "/" + name))
    }
  }

  // MARK: - Names

  private static func names(_ changes: ArraySlice<DiskChange>) -> [String: Int] {
    var names: [String: Int] = [:]
    for change in changes { change.apply(to: &names) }
    return names
  }

  private static func survivingNames(
    _ changes: ArraySlice<DiskChange>,
    _ generator: inout SeededGenerator
  ) -> [String: Int] {
    var names: [String: Int] = [:]
    let synced = (changes.lastIndex(of: .syncNames) ?? changes.startIndex - 1) + 1
    for change in changes[..<synced] { change.apply(to: &names) }
    let isInOrder = Bool.random(using: &generator)
    var isLost = false
    for change in changes[synced...] {
      if case .found = change {
        change.apply(to: &names)
        continue
      }
      let survives = Int.random(in: 0..<3, using: &generator) > 0
      if !survives { isLost = true }
      if isInOrder ? !isLost : survives { change.apply(to: &names) }
    }
    return names
  }
}
