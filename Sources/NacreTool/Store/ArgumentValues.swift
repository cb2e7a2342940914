#if Tool
public import ArgumentParser
public import NacreStore
import NacreUpkeep

extension KeyID: ExpressibleByArgument {
  /// Reads a key id of 8 hex digits.
  public init?(argument: String) { self.init(argument) }
}

extension Anchor: ExpressibleByArgument {}

extension ExistingObjects: ExpressibleByArgument {}

extension Padding: ExpressibleByArgument {}

extension Normalizer: ExpressibleByArgument {}

/// A suite by its cipher's usual name.
enum SuiteChoice: String, ExpressibleByArgument, CaseIterable {
  case xaes = "xaes-256-gcm"
  case aes = "aes-256-gcm"

  var suite: Suite {
    switch self {
    case .xaes: .xaes256GCM
    case .aes: .aes256GCM
    }
  }
}

/// A key's purpose by its name.
enum PurposeChoice: String, ExpressibleByArgument, CaseIterable {
  case field, index, file

  var purpose: KeyPurpose {
    switch self {
    case .field: .field
    case .index: .index
    case .file: .file
    }
  }
}

extension Suite {
  /// The cipher's usual name.
  var name: String {
    switch self {
    case .xaes256GCM: SuiteChoice.xaes.rawValue
    case .aes256GCM: SuiteChoice.aes.rawValue
    }
  }
}
#endif
