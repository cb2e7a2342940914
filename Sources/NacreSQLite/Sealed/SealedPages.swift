package import NacreEngine

/// The seals on the pages of one file, known to the file system as long as this object lives.
package final class SealedPages: Sendable {
  /// Seals and opens the pages.
  package let sealer: any PageSealer
  /// The number by which the file system finds the sealer.
  let number: Int64

  /// Makes the seals known.
  package init(_ sealer: any PageSealer) {
    self.sealer = sealer
    number = SealedFileSystem.add(sealer)
  }

  deinit { SealedFileSystem.remove(number) }
}
