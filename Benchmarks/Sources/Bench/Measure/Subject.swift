/// Who does the work.
enum Subject: String, CaseIterable {
  /// The same work in a bare C-API loop.
  case floor
  case nacre
  /// GRDB with Codable records.
  case grdb
  /// GRDB with records mapped by hand.
  case grdbMapped = "grdb-mapped"

  /// Those that can do the work; GRDB seals nothing.
  static func all(sealed: Bool) -> [Subject] {
    sealed ? [.floor, .nacre] : allCases
  }

  /// Opens a fresh database in `directory` for the works on samples.
  func openSamples(in directory: String, sealed: Bool) throws -> any SampleSubject {
    switch self {
    case .floor where sealed: try FloorSealedSamples(directory: directory)
    case .floor: try FloorSamples(directory: directory)
    case .nacre where sealed: try NacreSealedSamples(directory: directory)
    case .nacre: try NacreSamples(directory: directory)
    case .grdb: try GRDBSamples(directory: directory)
    case .grdbMapped: try MappedSamples(directory: directory)
    }
  }

  /// Opens a fresh database in `directory` for the works on graphs.
  func openGraphs(in directory: String, sealed: Bool) throws -> any GraphSubject {
    switch self {
    case .floor where sealed: try FloorSealedGraphs(directory: directory)
    case .floor: try FloorGraphs(directory: directory)
    case .nacre where sealed: try NacreSealedGraphs(directory: directory)
    case .nacre: try NacreGraphs(directory: directory)
    case .grdb: try GRDBGraphs(directory: directory)
    case .grdbMapped: try MappedGraphs(directory: directory)
    }
  }
}

/// A subject's works on single objects.
///
/// Only the methods of the second group are timed.
protocol SampleSubject: AnyObject {
  /// Makes the objects in memory.
  func make(_ values: [SampleValues])
  /// What the last fetch gave, which is then let go.
  func takeChecksum() -> Checksum

  /// Stores the objects in one transaction.
  func insert() throws
  /// Fetches all into objects, which are kept until the checksum is taken.
  func fetchAll() throws
  /// Fetches one object after another, each in a read transaction of its own.
  func fetch(_ identifiers: [Identifier]) throws
  /// Adds 1 to each object's power, or sets each `vin` where it is sealed, in one transaction.
  func update() throws
  /// Seals every sealed value anew under another key, in transactions of 500 rows.
  func rotate() throws
}

extension SampleSubject {
  /// Of those that seal nothing, nobody asks it.
  func rotate() throws { throw RoundError(description: "nothing is sealed") }
}

/// A subject's works on graphs of a car, its engine and four wheels.
///
/// Only the methods of the second group are timed.
protocol GraphSubject: AnyObject {
  /// Makes the objects in memory.
  func make(_ values: [GraphValues])
  /// What the last fetch gave, which is then let go.
  func takeChecksum() -> Checksum

  /// Stores the graphs in one transaction.
  func save() throws
  /// Fetches all graphs whole; they are kept until the checksum is taken.
  func fetchAll() throws
  /// Deletes the graphs one after another in one transaction, each as it is stored.
  ///
  /// A child that something else refers to stays.
  func delete() throws
}
