import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep

/// One thing that a session does with its store.
///
/// It is done again by the same session if it failed, and by another one if a power cut took it.
struct Step: Sendable {
  let name: String
  /// Whether it goes its way by parts, of which a power cut can take some.
  let hasParts: Bool
  /// Whether it makes a backup.
  let makesCopy: Bool
  /// Whether the step is for sealed files alone.
  let isForSealed: Bool
  private let run: @Sendable (Session) throws -> Void

  init(
    _ name: String,
    hasParts: Bool = false,
    makesCopy: Bool = false,
    isForSealed: Bool = false,
    _ run: @escaping @Sendable (Session) throws -> Void
  ) {
    self.name = name
    self.hasParts = hasParts
    self.makesCopy = makesCopy
    self.isForSealed = isForSealed
    self.run = run
  }

  func callAsFunction(_ session: Session) throws { try run(session) }

  /// The steps of a session under a setting.
  static func all(_ setting: Setting) -> [Step] {
    all.filter { setting.isSealed || !$0.isForSealed }
  }
}

extension Step {
  /// Every step, in the order of a session.
  ///
  /// The conversions stand side by side, because the class can't be used between them.
  private static let all: [Step] = [
    Step("save") { session in
      let new = session.kept("save") { (0..<3).map { Parcel.make(100 + $0) } }
      try session.store.write { _ in for parcel in new { try parcel.save() } }
    },
    Step("update") { session in
      try session.change(numbers: 3..<6) { $0.fill($0.number + 200, byteCount: 90) }
    },
    Step("empty the log", hasParts: true) { try $0.emptyLog() },
    Step("delete") { session in
      try session.store.write { _ in
        for number in 6..<9 { try session.parcel(number)?.delete() }
      }
    },
    Step("save something large") { session in
      let new = session.kept("large") { Parcel.make(110, byteCount: 60_000) }
      try session.store.write { _ in try new.save() }
    },
    Step("roll back") { session in
      do {
        try session.store.write { _ in
          try Parcel.make(120, byteCount: 9_000).save()
          throw Cancelled()
        }
      } catch is Cancelled {}
    },
    Step("add a slot") { session in
      let slots = try session.store.slots().map(\.id)
      if !slots.contains(2) { try session.store.addSlot(Session.unlock(2)) }
    },
    Step("rotate the values' keys", hasParts: true) { session in
      let report = try session.store.rotate()
      guard report.outcome == .finished else { throw Deviation("it ended with \(report.outcome)") }
    },
    Step("make a property plain", hasParts: true) { session in
      try session.store.convert("note", of: "Parcel", to: nil)
    },
    Step("seal it again", hasParts: true) { session in
      try session.store.convert("note", of: "Parcel", to: Parcel.noteSealing)
    },
    Step("update once more") { session in
      try session.change(numbers: 10..<14) { $0.fill($0.number + 200, byteCount: 500) }
    },
    Step("change a slot") { try $0.store.changeSlot(2, to: Session.unlock(2)) },
    Step("remove a slot") { session in
      let slots = try session.store.slots().map(\.id)
      if slots.contains(1) { try session.store.removeSlot(1, keeping: [Session.unlock(2)]) }
    },
    Step("rotate the file's key", hasParts: true, isForSealed: true) { session in
      var options = RotationOptions()
      options.purposes = [.file]
      let report = try session.store.rotate(options)
      guard report.outcome == .finished else { throw Deviation("it ended with \(report.outcome)") }
    },
    Step("destroy the file's former key", isForSealed: true) { session in
      let keys = try session.store.inspect().fileKeys
      for key in keys where key.state == .disabled { try session.store.destroyKey(key.id) }
    },
    Step("rewrap", hasParts: true) { session in
      try session.store.rewrap(keeping: [Session.unlock(2)])
    },
    Step("vacuum", hasParts: true) { try $0.store.vacuum() },
    Step("convert the file", hasParts: true) { session in
      try session.convertFile(to: session.setting.isSealed ? .properties : .file)
    },
    Step("convert it back", hasParts: true) { session in
      try session.convertFile(to: session.setting.isSealed ? .file : .properties)
    },
    Step("back up", makesCopy: true) { try $0.backUp() },
    Step("save and delete") { session in
      let new = session.kept("last") { Parcel.make(130) }
      try session.store.write { _ in
        try new.save()
        for number in 14..<30 { try session.parcel(number)?.delete() }
      }
    },
  ]

  private struct Cancelled: Error {}
}
