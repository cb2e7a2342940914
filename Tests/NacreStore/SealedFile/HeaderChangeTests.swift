import Foundation
import NacreCore
@testable import NacreOpen
import NacreSQLite
@testable import NacreStore
import NacreUpkeep
import TestFaults
import Testing
@testable import TestSupport

/// Changes of a sealed file's header on a disk that fails: an error says whether the header has changed.
@Suite struct HeaderChangeTests {
  /// A call that changes the header, and the slots after it.
  enum Change: CaseIterable {
    case addition, removal, exchange, rewrap, destruction

    func callAsFunction(_ store: Store) throws {
      switch self {
      case .addition: try store.addSlot(RingScene.unlock(3))
      case .removal: try store.removeSlot(2)
      case .exchange: try store.changeSlot(2, to: RingScene.unlock(4))
      case .rewrap: _ = try store.rewrap(keeping: [Scene.unlock], dropsOthers: true)
      case .destruction:
        let key = try #require(store.inspect().fileKeys.first { $0.state == .disabled })
        try store.destroyKey(key.id)
      }
    }
  }

  /// What a header says that somebody can change: which secrets open it, and which keys it has.
  private struct Content: Equatable {
    var slots: [Int64]
    var kept: [Bool]
    var keys: [String]

    init(_ store: Store) throws {
      slots = try store.slots().map(\.id)
      let header = try #require(store.engine.fileHeader).keys()
      kept = [Scene.unlock, RingScene.unlock(2), RingScene.unlock(3), RingScene.unlock(4)].map {
        guard let secret = try? $0.secret(false) else { return false }
        return (try? header.slots(openedBy: secret))?.isEmpty == false
      }
      keys = header.header.keys.map { "\($0.id) \($0.state)" }
    }
  }

  private func open(in directory: String) throws -> Store {
    try Store.open(directory + "/store.db", unlock: Scene.unlock, options: .patient)
  }

  /// Makes a store with two slots, whose file key was rotated once.
  private func make(in directory: TemporaryDirectory) throws -> String {
    let made = directory.file("made")
    try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
    var options = StoreOptions.patient
    options.seals = .file
    let store = try Store.open(made + "/store.db", unlock: Scene.unlock, options: options)
    try store.addSlot(RingScene.unlock(2))
    var rotation = RotationOptions()
    rotation.purposes = [.file]
    #expect(try store.rotate(rotation).outcome == .finished)
    try store.close()
    return made
  }

  @Test(arguments: Change.allCases, [DiskFault.Call.write, .sync])
  func `after an error the header is as it was, or the error says that it may not be`(
    change: Change,
    call: DiskFault.Call
  ) throws {
    let directory = try TemporaryDirectory()
    let made = try make(in: directory)
    var codes: Set<NacreError.Code> = []
    var (number, wasHit) = (0, true)
    while wasHit {
      let copy = directory.file("copy-\(number)")
      try FileManager.default.copyItem(atPath: made, toPath: copy)
      let disk = try FaultyDisk(at: copy)
      let store = try open(in: copy)
      let before = try Content(store)
      disk.arm(DiskFault(number, of: [call], writesHalf: true))
      var code: NacreError.Code?
      do { try change(store) } catch let error as NacreError { code = error.code }
      wasHit = disk.disarm() != nil
      let after = try Content(store)
      // A rewrap has changed the header in any case once it has returned.
      #expect((after == before) == (code != nil && code != .headerChangeUnfinished), "\(number)")
      code.map { _ = codes.insert($0) }
      try store.close()
      let again = try open(in: copy)
      #expect(try Content(again) == after, "\(number)")
      try expectFinished(again)
      try again.close()
      number += 1
    }
    #expect(number > 2)
    // A write that failed can have been a half. What could not be synced is there for everybody.
    #expect(
      codes
        == (call == .write ? [.inputOutput, .headerChangeUnfinished] : [.headerChangeUnfinished])
    )
  }

  /// Both copies are alike, and the pages ask for them.
  private func expectFinished(_ store: Store) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store.path)).prefix(65_536)
    #expect(bytes.prefix(32_768) == bytes.suffix(32_768))
    let header = try #require(store.engine.fileHeader).keys()
    #expect(!header.isRewrapUnfinished)
    let noted = try store.read {
      try $0.value("SELECT value FROM nacre_store WHERE name = 'headerSequence'", as: Int.self)
    }
    #expect(noted.map { UInt64($0) } == header.sequence)
  }
}
