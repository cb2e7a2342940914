#if PostgreSQL
import CPQ
import NacreEngine

/// The server's description of a statement: its name, and the types of its parameters and columns.
struct StatementPlan {
  /// A column of the rows.
  struct Column {
    let name: String
    /// The type; nil for one whose values are read as text.
    let type: WireType?
  }

  /// The name by which the server knows the statement; in a shared session, where it knows none, this process's own.
  let name: String
  /// Whether the server knows the name.
  let isNamed: Bool
  /// The session's numbers when the statement was prepared.
  let generation: Int
  private let layout: Int
  let parameterTypes: [WireType?]
  /// The server's numbers of the same types, which a statement without a name brings with it.
  private let parameterNumbers: [UInt32]
  let columns: [Column]
  private let columnNumbers: [UInt32]
  /// Whether the values of the rows come in their binary form.
  let isBinary: Bool

  /// Prepares a statement and asks for its types, in one round trip.
  ///
  /// - Throws: The server's error.
  init(_ text: StatementText, on session: ServerSession) throws(PostgresError) {
    let described = try Self.prepare(text, on: session)
    defer { PQclear(described.result) }
    let result = described.result
    guard PQnparams(result) == text.serverCount else {
      throw PostgresError(
        .other,
        "the server describes \(PQnparams(result)) parameters of a statement that has \(text.serverCount)",
        sql: text.sql
      )
    }
    name = described.name
    isNamed = !session.isShared
    generation = session.generation
    layout = session.layout.revision
    let parameters = (0..<PQnparams(result)).map { PQparamtype(result, $0) }
    let fields = (0..<PQnfields(result)).map { PQftype(result, $0) }
    if session.anyType == 0, (parameters + fields).contains(where: { $0 >= 16_384 }) {
      try session.findAnyType()
    }
    (parameterNumbers, columnNumbers) = (parameters, fields)
    let any = session.anyType
    parameterTypes = parameters.map { WireType($0, any: any) }
    columns = fields.enumerated().map { index, type in
      let name = PQfname(result, Int32(index)).map { String(cString: $0) } ?? ""
      return Column(name: name, type: WireType(type, any: any))
    }
    isBinary = columns.allSatisfy { $0.type != nil }
  }

  /// Whether neither another session nor a change of tables has come since.
  func isCurrent(on session: ServerSession) -> Bool {
    generation == session.generation && layout == session.layout.revision
  }

  /// From how many bytes of values on the server plans a query for its values.
  ///
  /// After five runs of a statement with a name the server may keep one plan for all values, in which a list has ten
  /// elements. With a list of thousands that plan took three times as long as one that is made for the list, and to make
  /// one takes less than a millisecond.
  private static let plannedByteCount = 16_384

  /// Whether the server plans a query for these values.
  func isPlanned(for parameters: Parameters) -> Bool {
    !columns.isEmpty && parameters.byteCount >= Self.plannedByteCount
  }

  /// Gives libpq the statement to run with values.
  ///
  /// - Parameters:
  ///   - text: The statement.
  ///   - parameters: The values.
  ///   - isPlanned: Whether the server plans it for these values.
  ///   - handle: libpq's connection.
  /// - Returns: What libpq returns.
  func send(
    _ text: StatementText,
    _ parameters: Parameters,
    isPlanned: Bool = false,
    on handle: OpaquePointer
  ) -> Int32 {
    let (count, format) = (Int32(parameters.count), Int32(isBinary ? 1 : 0))
    let (values, lengths, formats) = (parameters.values, parameters.lengths, parameters.formats)
    return isNamed && !isPlanned
      ? PQsendQueryPrepared(handle, name, count, values, lengths, formats, format)
      : PQsendQueryParams(
        handle,
        text.text,
        count,
        parameterNumbers,
        values,
        lengths,
        formats,
        format
      )
  }

  /// Whether the columns of a row, or of the end of rows, are those that the server has described.
  ///
  /// The server looks at them itself where it knows the statement by a name.
  func fits(_ result: OpaquePointer) -> Bool {
    (0..<PQnfields(result)).map { PQftype(result, $0) } == columnNumbers
  }

  /// Gives libpq the statement to run with values, as a cursor with a name.
  ///
  /// - Returns: What libpq returns.
  func declare(
    _ name: String,
    _ text: StatementText,
    _ parameters: Parameters,
    on handle: OpaquePointer
  ) -> Int32 {
    PQsendQueryParams(
      handle,
      "DECLARE \"\(name)\" NO SCROLL CURSOR FOR \(text.text)",
      Int32(parameters.count),
      parameterNumbers,
      parameters.values,
      parameters.lengths,
      parameters.formats,
      0
    )
  }

  private static func prepare(
    _ text: StatementText,
    on session: ServerSession
  ) throws(PostgresError) -> (name: String, result: OpaquePointer) {
    guard text.serverCount <= StatementText.describedParameterCount else {
      throw PostgresError(
        .badStatement,
        "a statement has at most \(StatementText.describedParameterCount) parameters",
        sql: text.sql
      )
    }
    let name = session.makeName()
    let serversName = session.isShared ? "" : name
    // What was sent ahead fails by itself, and not as a part of this.
    try session.makeIdle()
    // A text that is wrong would undo the whole transaction.
    let isGuarded = session.isInTransaction && !session.hasFailed
    let frame = session.isFramed ? session.frame : nil
    do throws(PostgresError) {
      let results = try session.pipeline(text.sql) { handle in
        (frame.map { send($0, on: handle) } ?? true)
          && (!isGuarded || send("SAVEPOINT nacre_prepare", on: handle))
          && PQsendPrepare(handle, serversName, text.text, 0, nil) == 1
          && PQsendDescribePrepared(handle, serversName) == 1
          && (!isGuarded || send("RELEASE SAVEPOINT nacre_prepare", on: handle))
      }
      let place = isGuarded ? 2 : 1
      for (index, result) in results.enumerated() where index != place { PQclear(result) }
      guard results.indices.contains(place) else {
        throw PostgresError(.other, "the server did not describe the statement", sql: text.sql)
      }
      return (name, results[place])
    } catch {
      if isGuarded, session.hasFailed {
        // The savepoint itself can be what was refused, and a session that is lost is noticed by the next statement.
        _ = try? session.runToEnd(
          "ROLLBACK TO SAVEPOINT nacre_prepare; RELEASE SAVEPOINT nacre_prepare",
          sql: nil
        )
      }
      throw error
    }
  }

  private static func send(_ text: String, on handle: OpaquePointer) -> Bool {
    PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, 0) == 1
  }
}

extension ServerSession {
  /// Asks for the number of the composite type of columns that hold values of any class.
  fileprivate func findAnyType() throws(PostgresError) {
    anyType = try runToEnd(inFrame(WireType.selectAny), sql: nil).flatMap { UInt32($0) } ?? 0
  }
}
#endif
