/// Something that must not be.
struct Deviation: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
