/// Who does a work, and how.
enum Subject: String, CaseIterable {
  /// The fastest statements in C, to which everything else is compared.
  case floor
  /// A prepared statement a row, 1,000 sent before the answers are read.
  case pipeline = "floor, pipeline"
  /// A prepared statement a row, each answered before the next one.
  case oneByOne = "floor, one by one"
  case nacre = "Nacre"
}

/// One work, and the ways in which it is done.
struct Trial {
  let work: Work
  /// What one run of it comes to, as the number of objects.
  let operations: Int
  let ways: [Way]
}

/// One subject's way of doing a work.
struct Way {
  let subject: Subject
  /// What comes before it and is neither timed nor counted.
  var prepare: () throws -> Void = {}
  let run: () throws -> Void
  /// Throws unless the work was done.
  let verify: () throws -> Void
}
