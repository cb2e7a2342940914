/// Keeps the container of a type that encodes or decodes itself, from one value to the next: making one costs more than
/// binding or reading a value.
final class KeptContainer<Container> {
  private let container: Container

  init(_ container: Container) { self.container = container }

  /// The container.
  ///
  /// Never inlined: the class knows its container's type, but a caller whose key's type is a generic argument would
  /// look it up, which costs more than several values.
  @inline(never)
  func copy() -> Container { container }
}
