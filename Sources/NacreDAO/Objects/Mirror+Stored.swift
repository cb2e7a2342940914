extension Mirror {
  /// The mirror itself and those of its superclasses; each has the stored properties of one class only.
  var levels: some Sequence<Mirror> { sequence(first: self, next: \.superclassMirror) }

  /// A stored property by its name in Swift, including those that a superclass declares.
  func stored(_ name: String) -> Field {
    for level in levels {
      for child in level.children where child.label == name {
        return .object(DAOValue.unwrapped(child.value))
      }
    }
    return .missing
  }
}
