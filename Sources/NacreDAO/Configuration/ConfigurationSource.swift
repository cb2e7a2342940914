public import Foundation
import NacreCore

/// A source of a configuration: a file's URL, the XML's bytes, or its text.
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
  /// - Throws: ``NacreError`` with code `cannotOpen` for a file that can't be read, and for a URL that is not a file's.
  public var configuration: Data {
    get throws {
      guard isFileURL else {
        // The message leaves out the URL's user and query, because they may hold secrets.
        let place = (scheme.map { $0 + "://" } ?? "") + (host() ?? "") + path()
        throw NacreError.unreadable(
          place,
          "only files can be read; the URL has to begin with file:"
        )
      }
      do { return try Data(contentsOf: self) } catch {
        throw NacreError.unreadable(path, FileFailure.reason(error))
      }
    }
  }
}
