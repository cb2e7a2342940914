import NacreEngine
import NacreStore

/// A sealer that stays with the header whose keys it has, whatever header the file has.
final class SteadySealer: PageSealer {
  private let base: FileSealer

  init(_ base: FileSealer) { self.base = base }

  var headerByteCount: Int { base.headerByteCount }
  var pageByteCount: Int { base.pageByteCount }
  var trailerByteCount: Int { base.trailerByteCount }
  var identity: [UInt8] { base.identity }

  func sealing() throws -> any PageSealing { try base.sealing() }
  func temporaryCipher() throws -> any BlockCipher { try base.temporaryCipher() }
  func forCopy() throws -> (sealer: any PageSealer, header: [UInt8]) { try base.forCopy() }
  func follow(_ read: (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool) throws {}
}
