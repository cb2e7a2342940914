/// What is measured, in the order of the table.
enum Work: String, CaseIterable {
  case insert = "insert"
  case fetchAll = "fetch all"
  case fetchByID = "fetch by id"
  case update = "update one column"
  case changeKey = "change the key"
  case saveAlone = "save in a transaction"
  case delete = "delete"
  case saveGraph = "save a graph"
  case fetchGraph = "fetch graphs"

  /// What Nacre is to reach.
  var bar: Bar {
    switch self {
    case .insert, .saveGraph, .fetchGraph, .update, .delete: Bar(ratio: 1.4)
    case .fetchAll, .changeKey: Bar(ratio: 1.5)
    case .fetchByID: Bar(ratio: 1.15, trips: 1)
    case .saveAlone: Bar(ratio: 1.3, trips: 2)
    }
  }
}
