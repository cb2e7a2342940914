import Foundation
import NacreCrypto

/// Runs a command and takes 64 hex digits from its standard output, without a copy in a string.
enum SecretCommand {
  static func run(_ command: String) throws -> SecretBytes {
    guard let pipe = popen(command, "r") else {
      throw NacreError(.badSecret, detail: "the key command can't be run: \(lastSystemError())")
    }
    return try withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      defer { SecureMemory.cleanse(buffer) }
      // Without stdio's own buffer, which nobody would cleanse.
      setvbuf(pipe, nil, _IONBF, 0)
      let count = fread(buffer.baseAddress, 1, buffer.count, pipe)
      let status = pclose(pipe)
      guard status == 0 else {
        throw NacreError(.badSecret, detail: "the key command failed with status \(status >> 8)")
      }
      let output = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
      return try HexSecret.decode(output, source: "the key command's output")
    }
  }
}
