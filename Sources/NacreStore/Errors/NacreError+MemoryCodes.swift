// The code of stores in memory.
extension NacreError.Code {
  /// A store in memory was asked for something that only a file can do.
  public static let inMemory = Self(
    "inMemory",
    "A store in memory can't do this",
    "Use `Store.open(_:unlock:)` on a file for it; all else works in memory as it does there."
  )
}
