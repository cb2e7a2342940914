/// The parsed command line.
struct Invocation {
  static let usage = "usage: Garage [--keep DIR] [--server URL]"
  static let help = """
    \(usage)

    Stores 406 real cars with their engines and made-up owners in an encrypted file,
    reads them back, asks questions and deletes some of them.

      --keep DIR     leave garage.db and garage.key in DIR; otherwise they are removed
      --server URL   store them in a database of a PostgreSQL server, not in garage.db
      --help         show this text

    Exit status: 0 done, 64 bad arguments, 73 DIR has a garage or can't be made, 1 other.
    """

  private(set) var directory: String?
  private(set) var server: String?
  private(set) var wantsHelp = false

  /// Reads the arguments, without the program's name.
  ///
  /// - Throws: ``UsageError`` when they make no sense.
  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": wantsHelp = true
      case "--keep": try keep(rest.popFirst())
      case _ where argument.hasPrefix("--keep="): try keep(String(argument.dropFirst(7)))
      case "--server":
        server = rest.popFirst()
        guard server != nil else { throw UsageError(reason: "--server needs a URL") }
      default: throw UsageError(reason: "I don't know '\(argument)'")
      }
    }
  }

  private mutating func keep(_ directory: String?) throws(UsageError) {
    guard let directory, !directory.isEmpty, !directory.hasPrefix("-") else {
      throw UsageError(reason: "--keep needs a directory")
    }
    guard self.directory == nil else { throw UsageError(reason: "--keep is there twice") }
    self.directory = directory
  }
}

/// Arguments that make no sense.
struct UsageError: Error, CustomStringConvertible {
  let reason: String

  var description: String { "\(reason); \(Invocation.usage)" }
}
