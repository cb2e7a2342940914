import NacreCrypto
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite struct RandomPoolTests {
  @Test func `no slice comes twice`() throws {
    let pool = RandomPool()
    var seen: Set<[UInt64]> = []
    for _ in 0..<10_000 {
      let (high, low) = try pool.next16()
      #expect(seen.insert([high, low]).inserted)
    }
  }

  @Test func `parent and child of a fork draw different bytes`() async {
    // In a process of its own, because a fork next to running tests could inherit held locks.
    await #expect(processExitsWith: .success) {
      let pool = RandomPool()
      _ = try pool.next16()
      // Swift hides `fork`; the symbol is there.
      let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "fork"))
      let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
      var pipes: [Int32] = [0, 0]
      try #require(pipe(&pipes) == 0)
      let child = fork()
      if child == 0 {
        var (high, low) = (try? pool.next16()) ?? (0, 0)
        _ = write(pipes[1], &high, 8)
        _ = write(pipes[1], &low, 8)
        _exit(0)
      }
      try #require(child > 0)
      close(pipes[1])
      let (high, low) = try pool.next16()
      var (childHigh, childLow): (UInt64, UInt64) = (0, 0)
      try #require(read(pipes[0], &childHigh, 8) == 8)
      try #require(read(pipes[0], &childLow, 8) == 8)
      var status: Int32 = 0
      waitpid(child, &status, 0)
      guard status == 0, childHigh != 0, childHigh != high, childLow != low else { exit(1) }
    }
  }
}
