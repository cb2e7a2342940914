/// The content of one file after a number of changes: what was synced, and what came later.
struct FileContent {
  private var synced: [UInt8] = []
  private var later: [DiskChange] = []

  init(of file: Int, in changes: ArraySlice<DiskChange>) {
    for change in changes {
      switch change {
      case .found(file, _, let bytes): synced = bytes
      case .sync(file):
        for change in later { Self.apply(change, to: &synced) }
        later = []
      case _ where change.changedFile == file: later.append(change)
      default: break
      }
    }
  }

  /// All of it.
  func present() -> [UInt8] {
    var bytes = synced
    for change in later { Self.apply(change, to: &bytes) }
    return bytes
  }

  private static func apply(_ change: DiskChange, to bytes: inout [UInt8]) {
    switch change {
    case .write(_, let offset, let written):
      grow(&bytes, to: offset + written.count)
      bytes.replaceSubrange(offset..<offset + written.count, with: written)
    case .truncate(_, let size):
      if size < bytes.count { bytes.removeLast(bytes.count - size) }
      grow(&bytes, to: size)
    default: break
    }
  }

  private static func grow(_ bytes: inout [UInt8], to count: Int) {
    guard count > bytes.count else { return }
    bytes += [UInt8](repeating: 0, count: count - bytes.count)
  }

  // MARK: - What survives

  /// What is on the disk after a power cut.
  func surviving(_ generator: inout SeededGenerator, _ isPowersafe: Bool) -> [UInt8] {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: synced
    case 1: present()
    case 2: inOrder(&generator)
    case 3: some(&generator)
    default: sectors(&generator, isPowersafe)
    }
  }

  /// The first changes; of the next one, if it is a write, the first sectors.
  private func inOrder(_ generator: inout SeededGenerator) -> [UInt8] {
    let count = Int.random(in: 0...later.count, using: &generator)
    var bytes = synced
    for change in later[..<count] { Self.apply(change, to: &bytes) }
    if count < later.count, case .write(let file, let offset, let written) = later[count] {
      let sector = PowerCut.sectorByteCount
      let end = offset + Int.random(in: 0...written.count, using: &generator)
      let torn = max(0, end / sector * sector - offset)
      Self.apply(
        .write(file: file, offset: offset, bytes: Array(written[..<torn])),
        to: &bytes
      )
    }
    return bytes
  }

  /// Some of the changes, each as a whole.
  private func some(_ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = synced
    for change in later where Bool.random(using: &generator) { Self.apply(change, to: &bytes) }
    return bytes
  }

  /// Some sectors of the writes, each as it was after one of them.
  private func sectors(_ generator: inout SeededGenerator, _ isPowersafe: Bool) -> [UInt8] {
    let (lost, destroyed) = (
      Int.random(in: 1...9, using: &generator),
      Bool.random(using: &generator) ? 0 : 2
    )
    var (present, left) = (synced, synced)
    for change in later {
      Self.apply(change, to: &present)
      guard case .write(_, let offset, let written) = change else {
        if Int.random(in: 0..<10, using: &generator) >= lost { Self.apply(change, to: &left) }
        continue
      }
      let end = offset + written.count
      let sector = PowerCut.sectorByteCount
      for start in stride(from: offset / sector * sector, to: end, by: sector) {
        guard Int.random(in: 0..<10, using: &generator) >= lost else { continue }
        let whole = start..<min(start + sector, present.count)
        Self.grow(&left, to: whole.upperBound)
        left.replaceSubrange(whole, with: present[whole])
        guard Int.random(in: 0..<100, using: &generator) < destroyed else { continue }
        let range = isPowersafe ? max(start, offset)..<min(start + sector, end) : whole
        for index in range { left[index] = UInt8.random(in: 0...255, using: &generator) }
      }
    }
    return left
  }
}
