import Foundation
import NacreOpen
import NacreSQLite
import NacreStore
import Synchronization

// A program in any language that links SQLite's library dynamically loads this one, and then opens the store's file
// itself. So a loop is the same for a sealed file and for what it is measured beside.

/// The seals of this process's files, which SQLite asks for as long as the process lives.
private let seals = Mutex<[SealedPages]>([])

/// Makes the sealed file of a store, unless there is one, and returns the URI by which SQLite opens it here.
///
/// - Parameter path: The file; its key file is beside it.
/// - Returns: The URI, which is never freed; nil after an error, which standard error tells.
@_cdecl("nacre_bench_sealed_file")
public func sealedFileURI(_ path: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>? {
  do {
    return try strdup(uri(of: String(cString: path)))
  } catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    return nil
  }
}

private func uri(of path: String) throws -> String {
  let unlock = Unlock.keyFile(path + ".key", createIfMissing: true)
  var options = StoreOptions()
  options.seals = .file
  try Store.open(path, unlock: unlock, options: options).close()
  let sealer = try FileUnlocking.sealer(
    of: SealedHeaderFile(path: path),
    path: path,
    unlock: unlock,
    isWanted: true,
    creates: false,
    exists: true
  )
  let pages = sealer.map { SealedPages($0) }
  guard let pages, let uri = pages.uri(path) else { throw NacreError(.notSealed) }
  seals.withLock { $0.append(pages) }
  return uri
}
