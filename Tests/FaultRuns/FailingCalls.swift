import TestFaults

/// A way in which calls fail.
struct FailingCalls: CustomStringConvertible {
  let description: String
  let calls: Set<DiskFault.Call>
  var lasts = false
  var isFull = false
  var writesHalf = false
  /// Of how many calls one fails, because there are so many.
  var stride = 1

  /// Lets the call of a number fail.
  func fault(_ number: Int) -> DiskFault {
    DiskFault(number, of: calls, lasts: lasts, isFull: isFull, writesHalf: writesHalf)
  }

  static let all = [
    FailingCalls(description: "a write", calls: [.write]),
    FailingCalls(
      description: "a write for which the disk is full",
      calls: [.write],
      isFull: true,
      writesHalf: true
    ),
    FailingCalls(
      description: "all writes from then on",
      calls: [.write],
      lasts: true,
      isFull: true,
      stride: 3
    ),
    FailingCalls(description: "a sync", calls: [.sync]),
    FailingCalls(description: "a truncate or delete", calls: [.truncate, .delete]),
    FailingCalls(description: "the opening of a file", calls: [.open]),
    FailingCalls(description: "the log's index", calls: [.index]),
    FailingCalls(description: "a read", calls: [.read], stride: 3),
    FailingCalls(
      description: "everything from then on",
      calls: Set(DiskFault.Call.allCases),
      lasts: true,
      stride: 7
    ),
  ]
}
