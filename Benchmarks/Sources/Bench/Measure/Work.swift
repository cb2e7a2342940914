import ArgumentParser

/// What is measured.
enum Work: String, CaseIterable, ExpressibleByArgument {
  case insert
  case fetchAll = "fetch-all"
  case fetchByID = "fetch-by-id"
  case update
  case rotate
  case saveGraph = "save-graph"
  case fetchGraph = "fetch-graph"
  case deleteGraph = "delete-graph"

  /// The works on plain samples, in the order in which a round does them.
  static let ofSamples: [Work] = [.insert, .fetchAll, .fetchByID, .update, .rotate]
  /// The works on graphs, in the order in which a round does them.
  static let ofGraphs: [Work] = [.saveGraph, .fetchGraph, .deleteGraph]

  /// Whether the work leaves the file as it was, so that it can be done once untimed to warm up.
  var isRead: Bool {
    switch self {
    case .fetchAll, .fetchByID, .fetchGraph: true
    case .insert, .update, .rotate, .saveGraph, .deleteGraph: false
    }
  }

  /// Whether there is something to do only where properties are sealed.
  var needsSealing: Bool { self == .rotate }

  /// Whether the other works of its kind need what it stores.
  var isFirst: Bool { self == .insert || self == .saveGraph }
}
