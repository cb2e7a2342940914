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

  /// What Nacre is to reach, as the ratio to the floor and the number of round trips.
  var bar: String {
    switch self {
    case .insert, .saveGraph, .update, .delete: "1.40 ×"
    case .fetchAll, .changeKey: "1.50 ×"
    case .fetchByID: "1.15 ×, 1 trip"
    case .saveAlone: "1.30 ×, 2 trips"
    case .fetchGraph: "1.40 ×"
    }
  }
}
