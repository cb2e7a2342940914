import Foundation

/// Says why the system refused a file or directory.
enum FileFailure {
  /// The reason in words, without the details that Foundation's errors print.
  static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileNoSuchFile, .fileReadNoSuchFile: return "there is no such file"
    case .fileReadNoPermission, .fileWriteNoPermission: return "that is not permitted"
    case .fileWriteFileExists: return "a file is in its place"
    default: break
    }
    let error = error as NSError
    if let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError,
      cause.domain == NSPOSIXErrorDomain
    {
      return POSIXErrorCode(rawValue: Int32(cause.code)).map { POSIXError($0).localizedDescription }
        ?? cause.localizedDescription
    }
    return error.localizedDescription
  }
}
