import Foundation
import NacreCore
import NacreOpen

/// How long single calls take that have a limit of their own: searches of a sealed property, opening a store, and
/// transactions by their durability.
struct Latencies {
  let size: Int

  /// Lines for people.
  func measure() throws -> [String] {
    try withBenchDirectory { try search(in: $0) + unlock(in: $0) + commit(in: $0) }
  }

  private func search(in directory: String) throws -> [String] {
    let path = directory + "/search.db"
    let unlock = Unlock.keyFile(directory + "/search.key", createIfMissing: true)
    let store = try Store.open(path, unlock: unlock)
    defer { try? store.close() }
    for start in stride(from: 0, to: size, by: 10_000) {
      try store.write { _ in
        for number in start..<min(start + 10_000, size) {
          let sample = SearchedSample.create()
          sample.plate = plate(number)
          try sample.save()
        }
      }
    }
    var random = SeededGenerator(seed: 9)
    let times = try (0..<2_000).map { _ in
      let number = Int.random(in: 0..<size, using: &random)
      return try microseconds {
        let found = try store.read { _ in
          try SearchedSample.fetchAll(\.plate, equals: plate(number))
        }
        guard found.count == 1 else { throw RoundError(description: "\(found.count) found") }
      }
    }
    return ["search of a sealed value by 16 bits among \(size) objects: \(spread(times))"]
  }

  private func plate(_ number: Int) -> String { "AB-\(number)-CD" }

  private func unlock(in directory: String) throws -> [String] {
    let key = directory + "/unlock.key"
    let sources: [(String, Unlock, Int)] = [
      ("key file", .keyFile(key, createIfMissing: true), 200),
      ("passphrase (scrypt, N = 2^17)", .passphrase("correct horse battery staple"), 5),
    ]
    return try sources.map { name, unlock, count in
      let path = directory + "/\(count).db"
      try Store.open(path, unlock: unlock).close()
      let times = try (0..<count).map { _ in
        try microseconds { try Store.open(path, unlock: unlock).close() }
      }
      return "open and close a store by \(name): \(spread(times))"
    }
  }

  /// One object a transaction, by turns, so that what else the disk does meets both.
  private func commit(in directory: String) throws -> [String] {
    let durabilities: [StoreOptions.Durability] = [.normal, .full]
    let stores = try durabilities.map { durability in
      var options = StoreOptions()
      options.durability = durability
      return try Store.open("\(directory)/\(durability).db", options: options)
    }
    defer { for store in stores { try? store.close() } }
    var times: [[Double]] = [[], []]
    for number in 0..<min(size, 1_000) {
      for (index, store) in stores.enumerated() {
        times[index].append(
          try microseconds {
            try store.write { _ in
              let sample = Sample.create()
              sample.power = number
              try sample.save()
            }
          }
        )
      }
    }
    return zip(durabilities, times).map { durability, times in
      "a transaction that saves one object, durability .\(durability): \(spread(times))"
    }
  }
}

/// Returns the median of times and how long the slowest of a hundred take.
func spread(_ microseconds: [Double]) -> String {
  let sorted = microseconds.sorted()
  guard !sorted.isEmpty else { return "nothing timed" }
  let median = sorted[sorted.count / 2]
  let late = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
  return "median \(Int(median)) µs, 99th percentile \(Int(late)) µs"
}
