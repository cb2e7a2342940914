#if PostgreSQL
import CPQ

/// The notices that a server sends beside its results.
///
/// All are dropped but for one: a warning that a commit did not wait for its standby, after which the server says COMMIT as
/// ever.
final class Notices {
  /// Whether such a warning has come since this was set to false.
  var doubtsCommit = false

  /// Takes the notices of a session, which must end before this object.
  func receive(from handle: OpaquePointer) {
    // Unretained: libpq calls it only while it reads for the session.
    let context = Unmanaged.passUnretained(self).toOpaque()
    PQsetNoticeReceiver(
      handle,
      { context, notice in
        guard let context, let notice, PostgresError.isDoubtOfCommit(notice) else { return }
        Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().doubtsCommit = true
      },
      context
    )
  }
}
#endif
