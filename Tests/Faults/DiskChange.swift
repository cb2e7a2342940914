/// One change of a directory's files, as it reached the file system.
///
/// A file is known by a number, because it can lose its name while it is open, and have several.
public enum DiskChange: Sendable, Equatable {
  /// A file that was there when the disk first saw it, all of it.
  case found(file: Int, name: String, bytes: [UInt8])
  /// A new file without a byte.
  case create(file: Int, name: String)
  /// A file got a name, which another one may have had.
  case link(file: Int, name: String)
  case rename(from: String, to: String)
  /// A name is gone, with or without the file.
  case unlink(name: String)
  case write(file: Int, offset: Int, bytes: [UInt8])
  case truncate(file: Int, size: Int)
  /// All bytes of a file are on the disk.
  case sync(file: Int)
  /// All names are on the disk.
  case syncNames

  /// The file whose bytes or size change; nil for all other changes.
  var changedFile: Int? {
    switch self {
    case .write(let file, _, _), .truncate(let file, _): file
    default: nil
    }
  }

  /// Changes the names to files as the change does.
  func apply(to names: inout [String: Int]) {
    switch self {
    case .found(let file, let name, _), .create(let file, let name), .link(let file, let name):
      names[name] = file
    case .rename(let from, let to): names[to] = names.removeValue(forKey: from)
    case .unlink(let name): names[name] = nil
    case .write, .truncate, .sync, .syncNames: break
    }
  }
}
