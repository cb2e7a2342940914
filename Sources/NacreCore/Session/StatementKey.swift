/// The key of one of an entity's statements: its kind and, if each property has such a statement,
/// the property.
///
/// It is an integer, because a look-up by text would hash hundreds of bytes for a row of fifty.
struct StatementKey: Hashable {
  enum Kind: Int {
    case exists, delete, selectVersion
    case targets, walk, places, children, references, referencesOfOne
    case selectPositions, insertChild, deleteFromPosition
    case insertLink, deleteLink, deleteLinks
    case setInverse, clearInverse, clearInverses, selectInverse, setPosition, selectChild
    case selectBroken, setReference
  }

  private let number: Int

  /// Makes the key of a statement.
  ///
  /// - Parameters:
  ///   - kind: What the statement does.
  ///   - index: The property's index, or another small number that tells statements of one kind
  ///     apart.
  init(_ kind: Kind, _ index: Int = 0) { number = kind.rawValue | index << 6 }
}
