package import NacreEngine

/// The seals on the pages of one file, known to the file system as long as this object lives.
package final class SealedPages: Sendable {
  /// Seals and opens the pages.
  package let sealer: any PageSealer
  /// The number by which the file system finds the sealer.
  private let number: Int64

  /// Makes the seals known.
  package init(_ sealer: any PageSealer) {
    self.sealer = sealer
    number = SealedFileSystem.add(sealer)
  }

  /// Returns the URI by which any connection in this process opens a sealed file; nil if SQLite has
  /// refused the file system.
  package func uri(_ path: String) -> String? {
    SealedFileSystem.name.map { name in
      DatabaseFile.uri(path) + "?vfs=\(String(cString: name))&"
        + SealedFileSystem.parameter(sealer: number)
    }
  }

  deinit { SealedFileSystem.remove(number) }
}
