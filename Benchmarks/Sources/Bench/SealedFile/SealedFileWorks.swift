import NacreOpen

/// What a sealed file costs: the same store as a sealed file and as a plain one, in turns.
struct SealedFileWorks {
  private let size: Int
  private let sealed: Twin
  private let plain: Twin

  /// Lines for people.
  ///
  /// - Parameters:
  ///   - size: The number of rows that are stored.
  ///   - rounds: How often everything is done.
  /// - Returns: A line a work.
  /// - Throws: What a work throws.
  static func measure(size: Int, rounds: Int) throws -> [String] {
    try withBenchDirectory { directory in
      let works = SealedFileWorks(size, in: directory)
      let lines = try SideBySide.lines(
        works.all(),
        of: "sealed",
        against: "plain",
        rounds: rounds
      )
      try works.each { try $0.close() }
      return lines + (try RekeyWork.measure(size: size, rounds: rounds, in: directory))
    }
  }

  private init(_ size: Int, in directory: String) {
    self.size = size
    let values = SampleValues.make(count: size)
    sealed = Twin(.file, values, in: directory)
    plain = Twin(.properties, values, in: directory)
  }

  private func each(_ body: (Twin) throws -> Void) throws {
    try body(sealed)
    try body(plain)
  }

  private func all() -> [SideBySide] {
    let count = sealed.fetchCount
    return [
      work("insert in one transaction", size, { try $0.renew() }, { try $0.insert() }),
      work("scan with a cold cache", size, { try $0.reopen() }, { try $0.sum() }),
      work("fetch all with a cold cache", size, { try $0.reopen() }, { try $0.fetchAll() }),
      work(
        "fetch by id, a cache of 2 MB",
        count,
        { try $0.warm(cacheKibibytes: 2_000) },
        { try $0.fetchByID() }
      ),
      work(
        "fetch by id, the usual cache",
        count,
        {
          try $0.reopen()
          try $0.warm(cacheKibibytes: nil)
        },
        { try $0.fetchByID() }
      ),
      work(
        "a transaction of one object",
        min(size, 2_000),
        { $0.makeMore(2_000) },
        { try $0.commitEach() }
      ),
    ]
  }

  private func work(
    _ name: String,
    _ operations: Int,
    _ prepare: @escaping (Twin) throws -> Void,
    _ body: @escaping (Twin) throws -> Int
  ) -> SideBySide {
    SideBySide(
      name: name,
      operations: operations,
      prepare: { try each(prepare) },
      nacre: { try body(sealed) },
      other: { try body(plain) }
    )
  }
}
