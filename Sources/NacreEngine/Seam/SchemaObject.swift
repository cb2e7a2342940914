/// A table, view, index or trigger with the statement that made it.
package struct SchemaObject: Sendable {
  /// The object's name, as the engine has it beside the definition.
  package let name: String
  /// The statement that made the object; empty if the engine has none.
  package let definition: String
  /// A number by which ``Dialect/printDrop(_:ofObject:)`` finds the object.
  package let number: Int64

  package init(name: String, definition: String, number: Int64) {
    self.name = name
    self.definition = definition
    self.number = number
  }
}
