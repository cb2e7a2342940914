import CBenchPostgres
import NacreCore
import NacreUpkeep

/// The works on samples.
struct SampleWorks<Row: MeasuredSample> {
  let store: Store
  private let server: BenchServer
  private let floor: FloorTable
  private let values: [SampleValues]
  private let objects: [Row]
  private let fetched = Fetched<Row>()
  /// Those that are saved each in a transaction of its own.
  private let singles: [Row]
  private let sought: [SampleValues]

  init(_ server: BenchServer, _ size: Int, _ directory: String) throws {
    let singleCount = min(size, 1_000)
    let all = SampleValues.make(count: size + singleCount)
    self.server = server
    store = try SubjectStores.open(server, Row.self, directory)
    values = Array(all[..<size])
    objects = values.map { Row.make($0) }
    singles = all[size...].map { Row.make($0) }
    var random = SeededGenerator(seed: 5)
    sought = Array(values.shuffled(using: &random).prefix(5_000))
    floor = try FloorTable(
      url: server.url(SubjectStores.floor),
      isSealed: Row.isSealed,
      values,
      singles: Array(all[size...])
    )
  }

  /// In an order in which each finds what the one before it has left.
  var trials: [Trial] {
    var trials = [insert, fetchAll, fetchByID, update]
    if Row.isSealed { trials.append(changeKey) }
    return trials + [saveAlone, delete]
  }

  // MARK: Works

  private var insert: Trial {
    let expected = Checksum(values, sealed: Row.isSealed)
    func way(_ subject: Subject, _ insertion: bench_insertion) -> Way {
      Way(
        subject: subject,
        prepare: { try floor.connection.execute("TRUNCATE \"\(Row.self)\"") },
        run: { try floor.insert(insertion) },
        verify: { try expectOfFloor(expected) }
      )
    }
    return Trial(
      work: .insert,
      operations: values.count,
      ways: [
        way(.floor, BENCH_UNNEST), way(.pipeline, BENCH_PIPELINE),
        way(.oneByOne, BENCH_ONE_BY_ONE),
        Way(
          subject: .nacre,
          run: { try store.save(objects) },
          verify: { try expectOfNacre(expected) }
        ),
      ]
    )
  }

  /// Each subject reads once before, which warms the caches.
  private var fetchAll: Trial {
    let expected = Checksum(values, sealed: Row.isSealed)
    return Trial(
      work: .fetchAll,
      operations: values.count,
      ways: [
        Way(
          subject: .floor,
          prepare: {
            try SubjectStores.vacuum(server)
            try expectOfFloor(expected)
          },
          run: { try floor.fetchAll() },
          verify: { try expect(expected, floor.takeChecksum()) }
        ),
        Way(
          subject: .nacre,
          prepare: {
            try SubjectStores.vacuum(server)
            try expectOfNacre(expected)
          },
          run: { fetched.objects = try Row.fetchAll() },
          verify: { try expect(expected, fetched.takeChecksum()) }
        ),
      ]
    )
  }

  /// Each subject reads one before, so that its statement is prepared.
  private var fetchByID: Trial {
    let identifiers = sought.map(\.objectID)
    let expected = Checksum(sought, sealed: Row.isSealed)
    return Trial(
      work: .fetchByID,
      operations: sought.count,
      ways: [
        Way(
          subject: .floor,
          prepare: {
            try floor.fetch(Array(identifiers.prefix(1)))
            _ = floor.takeChecksum()
          },
          run: { try floor.fetch(identifiers) },
          verify: { try expect(expected, floor.takeChecksum()) }
        ),
        Way(
          subject: .nacre,
          prepare: { _ = try Row.fetch(id: identifiers[0].uuid) },
          run: {
            for identifier in identifiers {
              if let row = try Row.fetch(id: identifier.uuid) { fetched.objects.append(row) }
            }
          },
          verify: { try expect(expected, fetched.takeChecksum()) }
        ),
      ]
    )
  }

  private var update: Trial {
    let expected = Checksum(
      values,
      sealed: Row.isSealed,
      powerIncrement: Row.isSealed ? 0 : 1
    )
    return trial(.update, expected) {
      try floor.update()
    } nacre: {
      for (object, value) in zip(objects, values) { object.change(value) }
      try store.save(objects)
    }
  }

  /// The whole of it: every value read back, a second scan, the old key disabled.
  private var changeKey: Trial {
    trial(.changeKey, Checksum(values, sealed: true)) {
      try floor.rotate()
    } nacre: {
      var options = RotationOptions()
      options.purposes = [.field]
      let report = try store.rotate(options)
      guard report.outcome == .finished else {
        throw BenchError(description: "the rotation ended as \(report.outcome)")
      }
    }
  }

  private var saveAlone: Trial {
    trial(.saveAlone, operations: singles.count, nil) {
      try floor.saveSingles()
    } nacre: {
      for object in singles { try object.save() }
    }
  }

  private var delete: Trial {
    var expected = Checksum()
    for single in singles { single.add(to: &expected) }
    return trial(.delete, expected) {
      try floor.delete()
    } nacre: {
      try store.delete(objects)
    }
  }

  private func trial(
    _ work: Work,
    operations: Int? = nil,
    _ expected: Checksum?,
    floor: @escaping () throws -> Void,
    nacre: @escaping () throws -> Void
  ) -> Trial {
    Trial(
      work: work,
      operations: operations ?? values.count,
      ways: [
        Way(subject: .floor, run: floor, verify: { try expectOfFloor(expected) }),
        Way(subject: .nacre, run: nacre, verify: { try expectOfNacre(expected) }),
      ]
    )
  }

  // MARK: Checks

  /// What was written counts only if it can be read; nil if the next work's check tells.
  private func expectOfFloor(_ expected: Checksum?) throws {
    guard let expected else { return }
    try floor.fetchAll()
    try expect(expected, floor.takeChecksum())
  }

  private func expectOfNacre(_ expected: Checksum?) throws {
    guard let expected else { return }
    fetched.objects = try Row.fetchAll()
    try expect(expected, fetched.takeChecksum())
  }
}
