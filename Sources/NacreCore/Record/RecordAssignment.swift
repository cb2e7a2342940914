/// A new value for one property of rows that are changed without being loaded.
public struct RecordAssignment<R: Record> {
  let path: PartialKeyPath<R>
  let value: Any

  /// Sets a property to a value.
  ///
  /// - Parameters:
  ///   - path: a stored property.
  ///   - value: the value; nil stores the column's default if it has one.
  /// - Returns: the assignment.
  public static func set<V>(_ path: WritableKeyPath<R, V>, to value: V) -> RecordAssignment {
    RecordAssignment(path: path, value: value)
  }
}
