import Nacre

extension Tour {
  /// Says what deleting a manufacturer would take, and deletes it.
  func delete() throws {
    let name = "Volkswagen"
    Page.step(
      8,
      "Delete \(name), the plan first",
      code: "try manufacturer.deletionPlan(); try manufacturer.delete(cascade: true)"
    )
    guard let manufacturer = try Manufacturer.fetchOne(\.name, equals: name) else {
      throw MissingError(what: name)
    }
    let before = try Counts.now()
    let plan = try manufacturer.deletionPlan(cascade: true)
    Page.line("The plan: \(plan.count) objects.")
    for line in plan.description.split(separator: "\n") { Page.line("  " + line) }
    Page.gap()
    try manufacturer.delete(cascade: true)
    try Counts.now().write(before: before)
    Page.gap()
    Page.line("Owners stay: a car links to its owner and does not own it.")
  }
}
