import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Stores of one file: the second is to the first what another process is.
struct ObservingScene {
  let scene: Scene
  let store: Store

  init(usesHook: Bool = true) throws {
    scene = try Scene()
    store = try scene.open { options in
      options.observationInterval = 0.01
      options.usesChangeReports = usesHook
      options.entities = [Car.self]
    }
  }

  func other() throws -> Store { try scene.open() }

  /// A stored wheel, of which nobody has been told.
  func wheel(size: Int = 1) throws -> Wheel {
    let wheel = Wheel.create()
    wheel.size = size
    try scene.save(wheel, in: store)
    return wheel
  }
}

/// The sets of a change, for comparison.
struct Told: Equatable {
  var inserted: Set<UUID> = []
  var updated: Set<UUID> = []
  var deleted: Set<UUID> = []
}

extension Changes {
  var told: Told { Told(inserted: inserted, updated: updated, deleted: deleted) }
}
