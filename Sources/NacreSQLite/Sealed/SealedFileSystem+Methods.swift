import CSQLite

extension SealedFileSystem {
  /// Makes SQLite's table of what can be done with an open file.
  ///
  /// Version 2 has no memory mapping, by which SQLite would read sealed pages.
  static func makeMethods() -> UnsafePointer<sqlite3_io_methods> {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: sqlite3_io_methods())
    methods.pointee.iVersion = 2
    setBytes(of: methods)
    setLocks(of: methods)
    setIndex(of: methods)
    return UnsafePointer(methods)
  }

  private static func setBytes(of methods: UnsafeMutablePointer<sqlite3_io_methods>) {
    methods.pointee.xClose = { file in SealedFileSystem.close(file) }
    methods.pointee.xRead = { file, bytes, count, offset in
      SealedFileSystem.on(file) {
        $0.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)), at: offset)
      }
    }
    methods.pointee.xWrite = { file, bytes, count, offset in
      SealedFileSystem.on(file) {
        $0.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset)
      }
    }
    methods.pointee.xTruncate = { file, size in
      SealedFileSystem.on(file) { $0.truncate(to: size) }
    }
    methods.pointee.xSync = { file, flags in SealedFileSystem.on(file) { $0.sync(flags) } }
    methods.pointee.xFileSize = { file, size in
      SealedFileSystem.on(file) {
        var found: Int64 = 0
        let result = $0.size(&found)
        size?.pointee = found
        return result
      }
    }
    methods.pointee.xFileControl = { file, operation, argument in
      SealedFileSystem.on(file) { $0.control(operation, argument) }
    }
    // The size of a journal's header, in whose tail ours has its place.
    methods.pointee.xSectorSize = { _ in Int32(JournalSegment.headerByteCount) }
    methods.pointee.xDeviceCharacteristics = { file in
      SealedFileSystem.on(file) { $0.deviceCharacteristics }
    }
  }

  private static func setLocks(of methods: UnsafeMutablePointer<sqlite3_io_methods>) {
    methods.pointee.xLock = { file, level in SealedFileSystem.on(file) { $0.lock(level) } }
    methods.pointee.xUnlock = { file, level in SealedFileSystem.on(file) { $0.unlock(to: level) } }
    methods.pointee.xCheckReservedLock = { file, answer in
      SealedFileSystem.on(file) { $0.base.checkReservedLock(answer) }
    }
  }

  private static func setIndex(of methods: UnsafeMutablePointer<sqlite3_io_methods>) {
    methods.pointee.xShmMap = { file, region, count, extends, memory in
      SealedFileSystem.on(file) { $0.base.mapIndex(region, count, extends, memory) }
    }
    methods.pointee.xShmLock = { file, first, count, flags in
      SealedFileSystem.on(file) { $0.lockIndex(first, count, flags) }
    }
    methods.pointee.xShmBarrier = { file in
      _ = SealedFileSystem.on(file) {
        $0.base.indexBarrier()
        return SQLITE_OK
      }
    }
    methods.pointee.xShmUnmap = { file, deleting in
      SealedFileSystem.on(file) { $0.base.unmapIndex(deleting: deleting) }
    }
  }
}
