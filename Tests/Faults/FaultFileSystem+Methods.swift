import CSQLite

extension FaultFileSystem {
  /// Makes SQLite's table of what can be done with an open file of a disk.
  ///
  /// Version 2 has no memory mapping, whose reads and writes nobody would see.
  static func makeMethods() -> UnsafePointer<sqlite3_io_methods> {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: sqlite3_io_methods())
    methods.pointee.iVersion = 2
    setBytes(of: methods)
    setLocks(of: methods)
    return UnsafePointer(methods)
  }

  private static func setBytes(of methods: UnsafeMutablePointer<sqlite3_io_methods>) {
    methods.pointee.xClose = { file in FaultFileSystem.close(file) }
    methods.pointee.xRead = { file, bytes, count, offset in
      FaultFileSystem.on(file) { $0.read(bytes, count, offset) }
    }
    methods.pointee.xWrite = { file, bytes, count, offset in
      FaultFileSystem.on(file) { $0.write(bytes, count, offset) }
    }
    methods.pointee.xTruncate = { file, size in FaultFileSystem.on(file) { $0.truncate(size) } }
    methods.pointee.xSync = { file, _ in FaultFileSystem.on(file) { $0.sync() } }
    methods.pointee.xFileSize = { file, size in FaultFileSystem.on(file) { $0.size(size) } }
    methods.pointee.xFileControl = { file, operation, argument in
      FaultFileSystem.on(file) { $0.control(operation, argument) }
    }
    methods.pointee.xSectorSize = { file in FaultFileSystem.on(file) { $0.sectorSize } }
    methods.pointee.xDeviceCharacteristics = { file in
      FaultFileSystem.on(file) { $0.characteristics }
    }
  }

  private static func setLocks(of methods: UnsafeMutablePointer<sqlite3_io_methods>) {
    methods.pointee.xLock = { file, level in FaultFileSystem.on(file) { $0.lock(level) } }
    methods.pointee.xUnlock = { file, level in FaultFileSystem.on(file) { $0.unlock(level) } }
    methods.pointee.xCheckReservedLock = { file, answer in
      FaultFileSystem.on(file) { $0.checkReservedLock(answer) }
    }
    methods.pointee.xShmMap = { file, region, count, extends, memory in
      FaultFileSystem.on(file) { $0.mapIndex(region, count, extends, memory) }
    }
    methods.pointee.xShmLock = { file, first, count, flags in
      FaultFileSystem.on(file) { $0.lockIndex(first, count, flags) }
    }
    methods.pointee.xShmBarrier = { file in
      _ = FaultFileSystem.on(file) {
        $0.indexBarrier()
        return SQLITE_OK
      }
    }
    methods.pointee.xShmUnmap = { file, deletes in
      FaultFileSystem.on(file) { $0.unmapIndex(deletes) }
    }
  }
}
