/// Which of an entity's statements: its kind, and the property where there is one for each property.
///
/// An integer, because a look-up by text would hash hundreds of bytes for a row of fifty.
struct StatementKey: Hashable {
  enum Kind: Int {
    case selectByID, exists, delete, selectVersion
    case targets, children, references, referrers
    case selectPositions, insertChild, deleteFromPosition
    case insertLink, deleteLink, deleteLinks
    case setInverse, clearInverse, clearInverses, selectInverse, setPosition, selectChild
    case selectBroken
  }

  private let number: Int

  /// - Parameters:
  ///   - kind: what the statement does.
  ///   - index: the property's, or another small number that tells statements of one kind apart.
  init(_ kind: Kind, _ index: Int = 0) { number = kind.rawValue | index << 6 }
}
