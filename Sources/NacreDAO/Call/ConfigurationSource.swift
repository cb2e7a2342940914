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
  /// - Throws: ``NacreError`` with code `cannotOpen` for a file that can't be read.
  public var configuration: Data {
    get throws {
      do { return try Data(contentsOf: self) } catch {
        throw NacreError.dao(.cannotOpen, "the configuration \(path) can't be read", cause: error)
      }
    }
  }
}
