public import Foundation
import NacreCore

/// What a configuration is read from: a file's URL, the XML's bytes, or its text.
public protocol ConfigurationSource {
  /// The XML.
  ///
  /// - Throws: ``NacreError`` with code `cannotOpen` for a file that can't be read.
  var configuration: Data { get throws }
}

extension Data: ConfigurationSource {
  /// The bytes themselves.
  public var configuration: Data { self }
}

extension String: ConfigurationSource {
  /// The text in UTF-8.
  public var configuration: Data { Data(utf8) }
}

extension URL: ConfigurationSource {
  /// The file's content.
  ///
  /// - Throws: ``NacreError`` with code `cannotOpen` for a file that can't be read, and for what is no file.
  public var configuration: Data {
    get throws {
      guard isFileURL else {
        // Without its user and query, in which there may be secrets.
        let place = (scheme.map { $0 + "://" } ?? "") + (host() ?? "") + path()
        throw NacreError.unreadable(
          place,
          "only files can be read, by a URL that begins with file:"
        )
      }
      do { return try Data(contentsOf: self) } catch {
        throw NacreError.unreadable(path, FileFailure.reason(error))
      }
    }
  }
}
