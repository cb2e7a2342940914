import CSQLite
import NacreEngine

/// A temporary file of SQLite's: a sort, a temporary table or the journal of a statement.
///
/// Its blocks are encrypted under a key that ends with it. They are not authenticated: who changes
/// them meanwhile changes what a query sees, but learns nothing.
final class TemporaryFile: SealedFile {
  private let cipher: any BlockCipher
  private let block: UnsafeMutableRawBufferPointer
  /// The size as SQLite knows it; the file has whole blocks.
  private var byteCount: Int64 = 0
  private var blockByteCount: Int64 { Int64(block.count) }

  init(_ base: BaseFile, _ cipher: any BlockCipher) {
    self.cipher = cipher
    block = .allocate(byteCount: cipher.blockByteCount, alignment: 16)
    super.init(base)
  }

  deinit {
    block.cleanse()
    block.deallocate()
  }

  override func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int32 {
    let count = max(0, min(Int64(buffer.count), byteCount - offset))
    var done = 0
    while done < count {
      let (number, start) = position(offset + Int64(done))
      let part = min(Int(count) - done, block.count - start)
      let result = load(number)
      guard result == SQLITE_OK else { return result }
      UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + part])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: block[start..<start + part]))
      done += part
    }
    return done < buffer.count ? shortRead(buffer, from: done) : SQLITE_OK
  }

  override func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
    let result = fill(upTo: offset)
    guard result == SQLITE_OK else { return result }
    var done = 0
    while done < buffer.count {
      let (number, start) = position(offset + Int64(done))
      let part = min(buffer.count - done, block.count - start)
      if part < block.count {
        let result = load(number)
        guard result == SQLITE_OK else { return result }
      }
      UnsafeMutableRawBufferPointer(rebasing: block[start..<start + part])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[done..<done + part]))
      let result = store(number)
      guard result == SQLITE_OK else { return result }
      done += part
      byteCount = max(byteCount, offset + Int64(done))
    }
    return SQLITE_OK
  }

  /// Writes the blocks between the end of the file and an offset, which are zeros.
  private func fill(upTo offset: Int64) -> Int32 {
    let present = (byteCount + blockByteCount - 1) / blockByteCount
    let wanted = offset / blockByteCount
    guard wanted > present else { return SQLITE_OK }
    for number in present..<wanted {
      block.initializeMemory(as: UInt8.self, repeating: 0)
      let result = store(number)
      guard result == SQLITE_OK else { return result }
    }
    byteCount = offset
    return SQLITE_OK
  }

  override func truncate(to size: Int64) -> Int32 {
    guard size < byteCount else { return SQLITE_OK }
    let (number, start) = position(size)
    if start > 0 {
      // A file that is cut and grows again has zeros there.
      let result = load(number)
      guard result == SQLITE_OK else { return result }
      UnsafeMutableRawBufferPointer(rebasing: block[start...])
        .initializeMemory(as: UInt8.self, repeating: 0)
      let stored = store(number)
      guard stored == SQLITE_OK else { return stored }
    }
    byteCount = size
    let blocks = (size + blockByteCount - 1) / blockByteCount
    return base.truncate(to: blocks * blockByteCount)
  }

  override func size(_ size: inout Int64) -> Int32 {
    size = byteCount
    return SQLITE_OK
  }

  private func position(_ offset: Int64) -> (number: Int64, start: Int) {
    (offset / blockByteCount, Int(offset % blockByteCount))
  }

  /// Reads and decrypts a block; one that was never written is zeros.
  private func load(_ number: Int64) -> Int32 {
    let target = UnsafeMutableRawBufferPointer(block)
    let place = number * blockByteCount
    let result = place < byteCount ? base.read(into: target, at: place) : ResultCode.shortRead
    guard result == SQLITE_OK else {
      guard result == ResultCode.shortRead else { return result }
      target.initializeMemory(as: UInt8.self, repeating: 0)
      return SQLITE_OK
    }
    do {
      try cipher.decrypt(target, number: UInt64(number))
      return SQLITE_OK
    } catch {
      return ResultCode.readFailure
    }
  }

  /// Encrypts and writes the block.
  private func store(_ number: Int64) -> Int32 {
    do {
      try cipher.encrypt(block, number: UInt64(number))
    } catch {
      return ResultCode.writeFailure
    }
    return base.write(UnsafeRawBufferPointer(block), at: number * blockByteCount)
  }
}
