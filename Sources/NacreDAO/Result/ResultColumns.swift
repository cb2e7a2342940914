import NacreCore

/// The columns of a select's rows, by the properties that they fill, whose names may differ from theirs in case.
struct ResultColumns {
  private typealias Column = (name: String, index: Int32)

  private let exact: [String: Int32]
  private let inAnyCase: [SQLName: Column]
  private let model: ModelTable.Model

  /// Keeps the columns of rows that are made into a model.
  init(_ columns: [(index: Int32, name: String)], of model: ModelTable.Model) {
    self.model = model
    exact = Dictionary(columns.map { ($0.name, $0.index) }, uniquingKeysWith: { _, last in last })
    inAnyCase = Dictionary(
      columns.map { (SQLName($0.name), (name: $0.name, index: $0.index)) },
      uniquingKeysWith: { _, last in last }
    )
  }

  /// The column for a property; nil if there is none.
  subscript(property: String) -> Int32? {
    if let index = exact[property] { return index }
    guard let column = inAnyCase[SQLName(property)],
      // The model may have another property with exactly the column's name.
      model.hasProperty(column.name) != true
    else { return nil }
    return column.index
  }

  /// The properties, in alphabetical order.
  var names: [String] { exact.keys.sorted() }
}
