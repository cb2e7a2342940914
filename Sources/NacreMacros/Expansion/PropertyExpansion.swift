import SwiftSyntax
import SwiftSyntaxBuilder

/// The expansion of a stored property of an entity into a computed property and the stored one below it.
struct PropertyExpansion {
  let property: PropertyDeclaration
  /// The property's place in the schema.
  let index: String

  /// The accessors of the computed property.
  var accessors: [AccessorDeclSyntax] {
    let storage = property.storage
    return [
      """
      @storageRestrictions(initializes: \(raw: storage))
      init(initialValue) {
        \(raw: storage) = initialValue
      }
      """,
      """
      get {
        entityObservation.access(self, \(raw: path))
        return \(raw: storage)
      }
      """,
      """
      set {
        \(raw: setting.body)
      }
      """,
      """
      _modify {
        \(raw: modifying.body)
      }
      """,
    ]
  }

  private var path: String { "\\.\(property.identifier)" }
  private var willSet: String { "entityObservation.willSet(self, \(path))" }
  private var didSet: String { "entityObservation.didSet(self, \(path))" }
  /// Notes the children before they change, because the save writes the difference.
  private var noting: [String] {
    property.mayBeMerged
      ? ["entityChildren.note(\(property.storage), at: \(index), entityState)"] : []
  }
  private var mark: String { "entityState.markChanged(\(index))" }

  /// Whether the change is marked before it is made, because the property's own `didSet` may save the object.
  private var marksFirst: Bool { property.binding.hasObserver(.didSet) }

  private var setting: [String] {
    let assignment = "\(property.storage) = newValue"
    return noting + [willSet] + (marksFirst ? [mark, assignment] : [assignment, mark]) + [didSet]
  }

  private var modifying: [String] {
    let after = marksFirst ? [didSet] : [mark, didSet]
    let deferred = ["defer {"] + after.map { "  \($0)" } + ["}"]
    return noting + [willSet] + (marksFirst ? [mark] : []) + deferred + [
      "yield &\(property.storage)"
    ]
  }

  /// The stored property, with the default value and the observers that were declared.
  var storage: DeclSyntax {
    var binding = property.binding.trimmed
    binding.pattern = PatternSyntax(
      IdentifierPatternSyntax(identifier: .identifier(property.storage))
        .with(\.trailingTrivia, binding.pattern.trailingTrivia)
    )
    binding.trailingComma = nil
    if let block = binding.accessorBlock {
      let references = StorageReferences(name: property.name, storage: property.storage)
      binding.accessorBlock = references.rewrite(block).as(AccessorBlockSyntax.self)
    }
    return "private var \(binding)"
  }
}
