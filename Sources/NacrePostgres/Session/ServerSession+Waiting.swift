#if PostgreSQL
import CPQ
import Foundation
import NacreEngine

extension ServerSession {
  /// Returns the next result; nil if the server is done with what was sent.
  ///
  /// - Parameters:
  ///   - sql: The statement, for errors.
  ///   - deadline: When the wait ends; nil for the usual time from now on.
  /// - Returns: The result, which the caller clears.
  /// - Throws: An error of kind `connectionLost`; for a COPY one of kind `badStatement`, after the end of the session.
  func nextResult(
    _ sql: String?,
    until deadline: ContinuousClock.Instant? = nil
  ) throws(PostgresError) -> OpaquePointer? {
    guard let handle else { throw .lost("the connection is closed", sql: sql) }
    if PQisBusy(handle) != 0 { try waitForResult(handle, until: deadline ?? answerEnd, sql) }
    let result = PQgetResult(handle)
    switch PQresultStatus(result) {
    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
      // libpq would return the same again and again.
      PQclear(result)
      throw refuseCopy(sql)
    default: return result
    }
  }

  /// When the wait ends for an answer that begins now.
  var answerEnd: ContinuousClock.Instant { end ?? ContinuousClock.now + settings.answerLimit }

  private func waitForResult(
    _ handle: OpaquePointer,
    until deadline: ContinuousClock.Instant,
    _ sql: String?
  ) throws(PostgresError) {
    while PQisBusy(handle) != 0 {
      guard try wait(for: Int16(POLLIN), until: deadline) else {
        throw lose("the server did not answer in \(settings.answerLimit)", sql)
      }
      guard PQconsumeInput(handle) == 1 else {
        // The server may have said why it ends the session.
        if PQisBusy(handle) == 0 { break }
        throw lose(PostgresError.trimmed(PQerrorMessage(handle)), sql)
      }
    }
  }

  /// Waits until all that was sent is on its way.
  func flush(_ sql: String?) throws(PostgresError) {
    guard let handle else { throw .lost("the connection is closed", sql: sql) }
    var deadline: ContinuousClock.Instant?
    while true {
      let left = PQflush(handle)
      if left == 0 { return }
      // `nextResult` reads the server's reason for ending the session.
      if left < 0 { return }
      let last = deadline ?? end ?? ContinuousClock.now + settings.answerLimit
      deadline = last
      guard try wait(for: Int16(POLLIN | POLLOUT), until: last) else {
        throw lose("the server took nothing in \(settings.answerLimit)", sql)
      }
      guard PQconsumeInput(handle) == 1 else { return }
    }
  }

  /// Gives the session up, and returns the error that says so.
  func lose(_ words: String, _ sql: String?) -> PostgresError {
    close()
    return .lost(words.isEmpty ? "the connection to the server is lost" : words, sql: sql)
  }

  /// Gives up a session whose work nobody could cancel, and returns the error that says so.
  private func giveUp() -> PostgresError {
    close()
    return PostgresError(
      .interrupted,
      """
      the work on the connection was stopped; the server did not take the request to cancel it in \
      \(settings.connectLimit), so the session has ended
      """
    )
  }

  /// Waits until the socket is ready; returns false if it is not in time.
  ///
  /// - Throws: An error of kind `connectionLost`; of kind `interrupted` if the work was stopped, and the server does not take
  ///   the request to cancel it.
  func wait(
    for events: Int16,
    until deadline: ContinuousClock.Instant
  ) throws(PostgresError) -> Bool {
    while true {
      if canceller.isUnheard { throw giveUp() }
      let left = deadline - ContinuousClock.now
      guard left > .zero else { return false }
      var socket = pollfd(fd: PQsocket(handle), events: events, revents: 0)
      guard socket.fd >= 0 else { throw lose("the connection has no socket", nil) }
      // Rounded up, so that it does not spin through the last millisecond; a second is how late a stop may be noticed.
      let milliseconds = min(left, .seconds(1)).milliseconds + 1
      let count = poll(&socket, 1, Int32(milliseconds))
      if count > 0 { return true }
      if count < 0, errno != EINTR { throw lose(lastSystemError(), nil) }
    }
  }
}
#endif
