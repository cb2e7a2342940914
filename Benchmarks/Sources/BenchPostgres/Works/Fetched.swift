import NacreCore

/// An object that a checksum can take in.
protocol Summed {
  func add(to checksum: inout Checksum)
}

/// Objects that a fetch gave; they are kept until the checksum is taken.
final class Fetched<Object: Summed> {
  var objects: [Object] = []

  /// What the last fetch gave, which is then let go.
  func takeChecksum() -> Checksum {
    var checksum = Checksum()
    for object in objects { object.add(to: &checksum) }
    objects = []
    return checksum
  }
}

/// Throws unless a subject did the work that it should have done.
func expect(_ expected: Checksum, _ found: Checksum) throws {
  if expected != found {
    throw BenchError(description: "expected \(expected), found \(found)")
  }
}
